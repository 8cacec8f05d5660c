import { parseUrl } from "../../parse-url.js";
import type { Node, Tree } from "../tree.js";
import { chooseByline } from "./byline.js";
import { dateInPath, isoDate } from "./iso-date.js";
import type { JsonObject } from "./json-ld.js";
import { linesRound } from "./lines.js";
import type { LinkedData } from "./linked-data.js";
import type { MetaTags } from "./meta-tags.js";
import { type NearHeading, readNearHeading } from "./near-heading.js";
import { oneLine, plainLine, unescapedLine } from "./one-line.js";
import { type Marked, type PageFacts, readPageFacts } from "./page-facts.js";
import { headingOf, namesSite, siteInTitle, withoutSite } from "./title.js";

/** What a page says of itself: every field is the page's own claim, on one line of bounded length. */
export interface Metadata {
  readonly title: string;
  /** Names, separated by commas. */
  readonly byline?: string;
  /** ISO 8601, as exact as the page was: a year, a month, a day or a time. */
  readonly published?: string;
  readonly modified?: string;
  /** BCP 47. */
  readonly language?: string;
  readonly canonical?: string;
  readonly siteName?: string;
  readonly description?: string;
  /** Address of the picture that the page gives for itself. */
  readonly image?: string;
  /**
   * The page's JSON-LD objects, without those that describe the site, at most 20 of them and some 50,000 characters:
   * long strings and lists are cut, deep values left out. A stranger's words, neither checked nor sanitised.
   */
  readonly jsonLd?: readonly JsonObject[];
}

const MAX_TITLE_CHARS = 300;
const MAX_NAME_CHARS = 120;
const MAX_DESCRIPTION_CHARS = 500;
const MAX_URL_CHARS = 2_000;
/** Elements that are marked as the author this far from the heading are nearer to it than those of other articles. */
const MAX_NODES_FROM_HEADING = 400;
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

const AUTHOR_TAGS =
  "author parsely-author sailthru.author dc.creator dcterms.creator dc.creator.personalname citation_author article:author byl byline";
/** Names that sites make up end so; accounts at social networks are none. */
const AUTHOR_TAG = /(?:^|[._:-])(?:author|authors|author_name|author-name)$/;
const PUBLISHED_TAGS =
  "article:published_time datepublished og:published_time parsely-pub-date sailthru.date citation_publication_date citation_date citation_online_date dc.date.issued dcterms.issued dcterms.created dc.date.created dc.date dc:date date pubdate publishdate publish-date publish_date published published_on published-date date.published";
const MODIFIED_TAGS =
  "article:modified_time datemodified og:updated_time dcterms.modified dc.date.modified last-modified lastmod updated modified date.modified";

export function readMetadata(
  tree: Tree,
  gone: Uint8Array,
  meta: MetaTags,
  data: LinkedData,
  url: string | undefined,
): Metadata {
  const facts = readPageFacts(tree, gone);
  const address = url === undefined ? undefined : parseUrl(url);
  const host = address?.hostname ?? "";
  const siteName = [
    meta.get("og:site_name"),
    ...data.sites,
    meta.get("application-name"),
    siteInTitle(facts.title ?? "", host),
  ]
    .map((name) => plainLine(name, MAX_NAME_CHARS))
    .find((name) => name !== undefined && !/^https?:/.test(name));
  const isSite = (text: string): boolean => namesSite(text, siteName, host);
  const titles = [
    unescapedLine(meta.get("og:title"), MAX_TITLE_CHARS),
    unescapedLine(facts.title, MAX_TITLE_CHARS),
    plainLine(data.headlines[0], MAX_TITLE_CHARS),
  ].filter((title) => title !== undefined);
  const firsts = facts.headings.filter(({ node }) => node.tag.headingLevel === 1);
  const heading = headingOf(facts.headings, titles, isSite);
  const title =
    heading?.text ??
    (titles[0] === undefined ? firsts[0]?.text : withoutSite(titles[0], isSite, siteName === undefined));
  const place = (heading ?? firsts[0])?.node;
  const language = chooseLanguage(facts, meta, data);
  const lines = place === undefined ? [] : linesRound(tree, gone, place, language ?? "");
  const near = readNearHeading(lines, language ?? "");
  const optional: Omit<Metadata, "title"> = {
    ...given("byline", chooseByline(authorClaims(facts, meta, data, near, place), isSite)),
    ...given("published", choosePublished(facts, meta, data, near, place, address, language)),
    ...given("modified", firstDate([...valuesOf(meta, MODIFIED_TAGS), ...data.modified, ...near.modified], language)),
    ...given("language", language),
    ...given("canonical", absolute(facts.canonical ?? meta.get("og:url"), url)),
    ...given("siteName", siteName),
    ...given(
      "description",
      ["description", "og:description", "dc.description"]
        .map((name) => unescapedLine(meta.get(name), MAX_DESCRIPTION_CHARS))
        .find((description) => description !== undefined) ?? plainLine(data.descriptions[0], MAX_DESCRIPTION_CHARS),
    ),
    ...given("image", absolute(meta.get("og:image") ?? meta.get("og:image:url") ?? meta.get("twitter:image"), url)),
    ...given("jsonLd", data.objects.length > 0 ? data.objects : undefined),
  };
  return { title: oneLine(title, MAX_TITLE_CHARS) ?? "", ...optional };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]: Value });
}

const valuesOf = (meta: MetaTags, names: string): readonly string[] =>
  names.split(" ").flatMap((name) => meta.all(name));

function authorClaims(
  { authors }: PageFacts,
  meta: MetaTags,
  data: LinkedData,
  near: NearHeading,
  place: Node | undefined,
): readonly (readonly string[])[] {
  const isNear = ({ index }: Marked): boolean =>
    place !== undefined && Math.abs(index - place.index) < MAX_NODES_FROM_HEADING;
  const marked = [
    ...authors.filter(isNear),
    ...authors.filter(({ mark }) => mark === "sure"),
    ...authors.filter(({ mark }) => mark === "named"),
  ];
  const tags = [...AUTHOR_TAGS.split(" "), ...[...meta.names()].filter((name) => AUTHOR_TAG.test(name))];
  const claims = [
    data.authors,
    ...tags.map((name) => meta.all(name)),
    ...[1, 2, 3, 4].map((number) => labelled(meta, number)),
    ...near.authors.map((name) => [name]),
    ...marked.map(({ value }) => [value]),
  ];
  return claims.map((names) => names.flatMap((name) => plainLine(name, MAX_NAME_CHARS * 2) ?? []));
}

/** Cards of Twitter name their values themselves: "Written by" is what Yoast, Ghost and others write. */
function labelled(meta: MetaTags, number: number): readonly string[] {
  const label = meta.get(`twitter:label${number}`) ?? "";
  const isAuthor = /written|author|verfasst|geschrieben|écrit|escrito|scritto|автор/i.test(label);
  return isAuthor ? meta.all(`twitter:data${number}`) : [];
}

function choosePublished(
  { dates }: PageFacts,
  meta: MetaTags,
  data: LinkedData,
  near: NearHeading,
  place: Node | undefined,
  address: URL | undefined,
  language: string | undefined,
): string | undefined {
  const following = dates.filter(({ index }) => index > (place?.index ?? 0));
  const claims = [
    ...valuesOf(meta, PUBLISHED_TAGS),
    ...data.published,
    ...dates.flatMap(({ value, mark }) => (mark === "sure" ? value : [])),
    ...near.published,
    ...[...following, ...dates].map(({ value }) => value),
  ];
  return firstDate(claims, language) ?? (address === undefined ? undefined : dateInPath(address.pathname));
}

function firstDate(claims: readonly string[], language: string | undefined): string | undefined {
  for (const claim of claims) {
    const date = isoDate(claim, language);
    if (date !== undefined) return date;
  }
  return undefined;
}

function chooseLanguage(facts: PageFacts, meta: MetaTags, data: LinkedData): string | undefined {
  return [
    facts.language,
    meta.get("content-language"),
    meta.get("og:locale"),
    meta.get("dc.language"),
    ...data.languages,
  ]
    .map((language) => language?.slice(0, 50).trim().replaceAll("_", "-"))
    .find((language) => language !== undefined && LANGUAGE.test(language));
}

function absolute(href: string | undefined, base: string | undefined): string | undefined {
  const url = href === undefined || href.length > MAX_URL_CHARS ? undefined : parseUrl(href, base);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
