import { parseUrl } from "../parse-url.js";
import type { LinkedData } from "./linked-data.js";
import { textOf } from "./markdown/text-of.js";
import { attribute, type Node, type Tree } from "./tree.js";

/** What a page says of itself; every field is the page's own claim. */
export interface Metadata {
  readonly title: string;
  readonly byline?: string;
  /** ISO 8601, as exact as the page was. */
  readonly published?: string;
  readonly modified?: string;
  /** BCP 47. */
  readonly language?: string;
  readonly canonical?: string;
  readonly siteName?: string;
  readonly description?: string;
}

const MAX_TITLE_CHARS = 300;
const MAX_BYLINE_CHARS = 120;
const MAX_DESCRIPTION_CHARS = 500;
const ISO_DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?)?$/;
/** A title is never painted and always meant. */
const NOTHING_GONE = new Uint8Array(0);
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

/** Values of `meta` elements by their lower-case name or property; the first of each counts. */
export function readMeta(tree: Tree): ReadonlyMap<string, string> {
  const meta = new Map<string, string>();
  for (const node of tree.nodes) {
    if (node.tag.name !== "meta") continue;
    const name = (
      attribute(node, "property") ??
      attribute(node, "name") ??
      attribute(node, "itemprop") ??
      ""
    ).toLowerCase();
    const content = attribute(node, "content")?.trim();
    if (name !== "" && content !== undefined && content !== "" && !meta.has(name)) meta.set(name, content);
  }
  return meta;
}

export function readMetadata(
  tree: Tree,
  gone: Uint8Array,
  meta: ReadonlyMap<string, string>,
  data: LinkedData,
  url: string | undefined,
): Metadata {
  const facts = collect(tree, gone);
  const siteName = meta.get("og:site_name") ?? meta.get("application-name");
  const optional = {
    byline: byline([
      meta.get("author"),
      data.author,
      meta.get("article:author"),
      meta.get("parsely-author"),
      facts.author,
    ]),
    published: date([
      meta.get("article:published_time"),
      data.published,
      meta.get("datepublished"),
      meta.get("date"),
      meta.get("dc.date"),
      meta.get("pubdate"),
      facts.time,
    ]),
    modified: date([
      meta.get("article:modified_time"),
      data.modified,
      meta.get("datemodified"),
      meta.get("last-modified"),
      meta.get("og:updated_time"),
    ]),
    language: LANGUAGE.test(facts.language) ? facts.language : undefined,
    canonical: absolute(facts.canonical ?? meta.get("og:url"), url),
    siteName: oneLine(siteName, MAX_BYLINE_CHARS),
    description: oneLine(
      meta.get("description") ?? meta.get("og:description") ?? data.description,
      MAX_DESCRIPTION_CHARS,
    ),
  };
  const title = chooseTitle(facts.heading, facts.title, meta.get("og:title") ?? data.headline, siteName);
  const given = Object.entries(optional).filter(([, value]) => value !== undefined && value !== "");
  return { title, ...(Object.fromEntries(given) as Omit<Metadata, "title">) };
}

interface Facts {
  readonly title: string;
  readonly heading: string;
  readonly language: string;
  readonly canonical: string | undefined;
  readonly author: string | undefined;
  readonly time: string | undefined;
}

function collect(tree: Tree, gone: Uint8Array): Facts {
  let title: string | undefined;
  let heading: string | undefined;
  let language = "";
  let canonical: string | undefined;
  let author: string | undefined;
  let time: string | undefined;
  const text = (node: Node, maxChars: number): string => textOf(tree, gone, node, maxChars);
  for (const node of tree.nodes) {
    const { name } = node.tag;
    if (name === "title") title ??= textOf(tree, NOTHING_GONE, node, MAX_TITLE_CHARS);
    else if (name === "html") language = attribute(node, "lang") ?? attribute(node, "xml:lang") ?? "";
    else if (name === "link" && attribute(node, "rel") === "canonical") canonical ??= attribute(node, "href");
    else if (gone[node.index] === 1) continue;
    else if (name === "h1") heading ||= text(node, MAX_TITLE_CHARS);
    else if (name === "time" && time === undefined) time = attribute(node, "datetime")?.trim();
    else if (author === undefined && node.attributes.length > 0 && isAuthor(node))
      author = text(node, MAX_BYLINE_CHARS) || undefined;
  }
  return { title: title ?? "", heading: heading ?? "", language, canonical, author, time };
}

function isAuthor(node: Node): boolean {
  return (
    attribute(node, "rel") === "author" ||
    attribute(node, "itemprop") === "author" ||
    (/author|byline/.test(node.className) && /(?:^|\s)(?:byline|author-name|post-author)(?:\s|$)/.test(node.className))
  );
}

/** The heading when the page's title repeats it; else the title without the site's name. */
function chooseTitle(heading: string, title: string, shared: string | undefined, siteName: string | undefined): string {
  const normal = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const isRepeated =
    heading !== "" && (normal(title).includes(normal(heading)) || normal(shared ?? "").includes(normal(heading)));
  if (isRepeated) return heading;
  const cleaned = withoutSite(oneLine(shared ?? title, MAX_TITLE_CHARS) ?? "", siteName);
  return cleaned === "" ? heading : cleaned;
}

function withoutSite(title: string, siteName: string | undefined): string {
  const parts = title.split(/\s+[|–—·»•:-]\s+/);
  if (parts.length < 2) return title;
  const last = parts[parts.length - 1] ?? "";
  const isSite =
    siteName !== undefined
      ? last.toLowerCase() === siteName.toLowerCase()
      : last.length < 30 && last.length < title.length * 0.6;
  return isSite ? title.slice(0, title.length - last.length).replace(/[\s|–—·»•:-]+$/, "") : title;
}

function byline(candidates: readonly (string | undefined)[]): string | undefined {
  const found = candidates.find((name) => name !== undefined && name !== "" && !/^https?:|@/.test(name));
  return oneLine(found?.replace(/^\s*(?:by|von|par|por)\s+/i, ""), MAX_BYLINE_CHARS);
}

function date(candidates: readonly (string | undefined)[]): string | undefined {
  return candidates.find((value) => value !== undefined && ISO_DATE.test(value));
}

function oneLine(text: string | undefined, maxChars: number): string | undefined {
  return text?.replace(/\s+/g, " ").trim().slice(0, maxChars).trimEnd();
}

function absolute(href: string | undefined, base: string | undefined): string | undefined {
  const url = href === undefined ? undefined : parseUrl(href, base);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
