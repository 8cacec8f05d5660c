import { parseUrl } from "../../parse-url.js";
import type { PageKind } from "../page-kind.js";
import { BLOCK_COLUMNS } from "./columns.js";
import { between, type PageBlocks } from "./page-blocks.js";
import type { Representatives } from "./representatives.js";

/** The kinds that are learned, in the order of their probabilities. */
export const LEARNED_KINDS: readonly PageKind[] = [
  "article",
  "documentation",
  "forum",
  "product",
  "collection",
  "listing",
  "service",
];

/** Types of schema.org and Open Graph that tell a kind of page. */
const TYPE_GROUPS: readonly RegExp[] = [
  /Article$|^(?:BlogPosting|article|Report)$/,
  /^(?:TechArticle|APIReference|HowTo|FAQPage)$/,
  /^(?:DiscussionForumPosting|QAPage)$/,
  /^(?:Product|ProductGroup|product|og:product|product\.item)$/,
  /^(?:ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$/,
  /^(?:Service|LocalBusiness|ProfessionalService|SoftwareApplication|WebPage)$/,
];
const COUNTED = ["p", "a", "li", "pre", "table", "img", "form", "input", "article", "main", "button", "time"] as const;

/** Columns of a block that are averaged over the page, weighted by text. */
const AVERAGED = new Set([
  ...["comment", "reply", "related", "review", "product", "content", "card", "filter", "toggle", "author", "embed"].map(
    (name) => `named:${name}`,
  ),
  ...["nav", "footer", "list", "table", "definitions", "form", "article", "main"].map((name) => `in:${name}`),
  ...["digits", "links", "alike", "ending", "copies", "prices", "years", "quoted"],
]);

const averaged: readonly { readonly name: string; readonly column: number }[] = BLOCK_COLUMNS.flatMap(
  ({ names }) => names,
).flatMap((name, column) => (AVERAGED.has(name) ? [{ name, column }] : []));

export const PAGE_COLUMNS: readonly string[] = [
  ...["chars", "blocks", "linkShare", "proseShare", "proseBlockChars", "rootShare", "beforeHeading", "kindByRule"],
  ...["pathSegments", "slugWords", "isHome", "hasUrlNumber", "headings"],
  ...COUNTED.map((name) => `count:${name}`),
  ...TYPE_GROUPS.map((_, place) => `type:${place}`),
  ...averaged.map(({ name }) => `mean:${name}`),
  ...LEARNED_KINDS.map((kind) => `words:${kind}`),
].map((name) => `page:${name}`);

const KIND_ORDER: readonly PageKind[] = [...LEARNED_KINDS, "other"];

/** One row about the page; `rows` holds the block columns of the judged blocks, `width` values each. */
export function pageRow(page: PageBlocks, rows: Float32Array, width: number, judged: Representatives): Float32Array {
  const { tree, gone, blocks, sums, isProse, root, firstHeading, facts, text } = page;
  const chars = Math.max(1, sums.chars[blocks.count] ?? 0);
  const proseChars = sums.proseChars[blocks.count] ?? 0;
  const proseBlocks = isProse.reduce((sum, is) => sum + is, 0);
  const counts = new Map<string, number>(COUNTED.map((name) => [name, 0]));
  let headings = 0;
  for (let at = 1; at < tree.nodes.length; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    at += 1;
    if (node.text !== "") continue;
    const count = counts.get(node.tag.name);
    if (count !== undefined) counts.set(node.tag.name, count + 1);
    else if (node.tag.headingLevel > 0) headings += 1;
  }
  const path = pathOf(facts.url);
  const segments = path.split("/").filter((segment) => segment !== "");
  const values = [
    Math.log1p(chars),
    Math.log1p(blocks.count),
    (sums.linkChars[blocks.count] ?? 0) / chars,
    proseChars / chars,
    proseChars / Math.max(1, proseBlocks),
    between(sums.chars, blocks.before[root.index] ?? 0, blocks.before[root.end] ?? 0) / chars,
    firstHeading < 0 ? -1 : (sums.chars[firstHeading] ?? 0) / chars,
    KIND_ORDER.indexOf(facts.kind),
    segments.length,
    (segments[segments.length - 1] ?? "").split(/[-_]/).length,
    segments.length === 0 ? 1 : 0,
    /\d{4}/.test(path) ? 1 : 0,
    Math.log1p(headings),
    ...COUNTED.map((name) => Math.log1p(counts.get(name) ?? 0)),
    ...TYPE_GROUPS.map((group) => (facts.types.some((type) => group.test(type)) ? 1 : 0)),
    ...averaged.map(({ column }) => {
      let sum = 0;
      for (let block = 0; block < blocks.count; block++)
        sum += (rows[(judged.places[block] ?? 0) * width + column] ?? 0) * (text.chars[block] ?? 0);
      return sum / chars;
    }),
    ...page.kindLeanings,
  ];
  return Float32Array.from(values);
}

function pathOf(url: string | undefined): string {
  return url === undefined ? "/" : (parseUrl(url)?.pathname ?? "/");
}
