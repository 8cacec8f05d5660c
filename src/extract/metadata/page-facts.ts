import { textOf } from "../markdown/text-of.js";
import { attribute, type Node, type Tree } from "../tree.js";
import { isFullName, nameAlone } from "./byline.js";
import { isoDate } from "./iso-date.js";
import type { TitledNode } from "./title.js";

/** What a page's elements say of it. */
export interface PageFacts {
  readonly title: string | undefined;
  /** Visible headings of the first two levels, in order. */
  readonly headings: readonly TitledNode[];
  readonly language: string | undefined;
  readonly canonical: string | undefined;
  /** Visible texts of elements that are marked as the author's name. */
  readonly authors: readonly Marked[];
  /** Days that visible elements are marked with, in ISO form. */
  readonly dates: readonly Marked[];
}

/** What an element says, and its place. */
export interface Marked {
  readonly value: string;
  readonly index: number;
  /** `sure`: `rel="author"`, `pubdate`, a microformat; `named`: by its class; `plain`: a `time`, a link to an author. */
  readonly mark: "sure" | "named" | "plain";
}

const MAX_CHARS = 300;
const MAX_VALUE_CHARS = 120;
const MAX_FOUND = 50;
const MAX_TRIED = 200;
/** A name, a date and a heading have fewer nodes. */
const MAX_NODES = 500;
const MAX_CLASS_CHARS = 300;
const NOTHING_GONE = new Uint8Array(0);
/** Class names that may mean something here: most are passed over. */
const MARKED_CLASS = /author|by-?line|writer|creator|date|published/i;
/** Class names of the author's name: `byline`, `post-author`, `authorName`, `p-author`, `author-meta--name`. */
const AUTHOR_CLASS =
  /(?:^|\s)(?:[a-z0-9]+[_-]+)*(?:by-?line|(?:authors?|writer|creator)(?:[_-]*(?:names?|link|title|meta--name|info__name|name__link))?)(?:\s|$)/i;
/** Addresses of pages about an author. */
const AUTHOR_PATH = /\/(?:authors?|contributors?|staff|writers?|producers?|columnists?)\/[^/?#]|[?&]author=/i;
/** Where others are named than the page's author. */
const OTHERS_CLASS =
  /(?:^|\s)(?:[\w-]*comments?(?:[-_](?:list|area|section|body|author|form|content|meta|thread))*|respond|testimonials?[\w-]*|related[\w-]*|reviews?(?:[-_]\w+)?|footer)(?:\s|$)/i;
const DATE_CLASS =
  /(?:^|\s)(?:published|dt-published|entry-date|pubdate|post-date|publish(?:ed)?-date|date-published)(?:\s|$)/i;

export function readPageFacts(tree: Tree, gone: Uint8Array): PageFacts {
  let title: string | undefined;
  let language: string | undefined;
  let canonical: string | undefined;
  let tried = 0;
  const headings: TitledNode[] = [];
  const authors: Marked[] = [];
  const dates: Marked[] = [];
  for (const node of tree.nodes) {
    const { name, headingLevel } = node.tag;
    if (name === "title") {
      if (isDocumentTitle(node)) title ??= textOf(tree, NOTHING_GONE, node, MAX_CHARS) || undefined;
    } else if (name === "html") language ??= attribute(node, "lang") ?? attribute(node, "xml:lang");
    else if (name === "link") {
      if (attribute(node, "rel")?.toLowerCase() === "canonical") canonical ??= attribute(node, "href");
    } else if (gone[node.index] === 1) continue;
    else if (headingLevel === 1 || headingLevel === 2) {
      const text = headings.length < MAX_FOUND && isSmall(node) ? textOf(tree, gone, node, MAX_CHARS) : "";
      if (text !== "") headings.push({ node, text });
    } else if (node.hasAttributes && tried < MAX_TRIED) {
      const isNamed = node.className !== "" && MARKED_CLASS.test(node.className);
      if (!isNamed && name !== "a" && name !== "time") continue;
      const author = authorMark(node);
      const date = author === undefined ? dateMark(node) : undefined;
      if ((author === undefined && date === undefined) || !isSmall(node)) continue;
      tried += 1;
      const text = textOf(tree, gone, node, MAX_VALUE_CHARS);
      const value = date === undefined ? nameAlone(text) : isoDate(attribute(node, "datetime") ?? text);
      const mark = date ?? author;
      if (value === undefined || mark === undefined) continue;
      if (mark === "plain" && date === undefined && !isFullName(value)) continue;
      if (date !== undefined) dates.push({ value, index: node.index, mark });
      else if (!isAmongOthers(node)) authors.push({ value, index: node.index, mark });
    }
  }
  return { title, headings, language, canonical, authors, dates };
}

const isSmall = (node: Node): boolean => node.end - node.index < MAX_NODES;

/** Drawings have titles too. */
const isDocumentTitle = ({ parent }: Node): boolean =>
  parent === undefined || /^(?:head|html|body|#document)$/.test(parent.tag.name);

function dateMark(node: Node): Marked["mark"] | undefined {
  if (node.className !== "" && DATE_CLASS.test(node.className)) return "sure";
  if (node.tag.name !== "time") return undefined;
  return attribute(node, "pubdate") === undefined ? "plain" : "sure";
}

function authorMark(node: Node): Marked["mark"] | undefined {
  if (node.tag.name === "a") {
    if (attribute(node, "rel")?.toLowerCase() === "author") return "sure";
    if (AUTHOR_PATH.test(attribute(node, "href") ?? "")) return "plain";
  }
  return AUTHOR_CLASS.test(node.className) ? "named" : undefined;
}

function isAmongOthers(node: Node): boolean {
  for (let outer: Node | undefined = node; outer !== undefined && outer.tag.name !== "body"; outer = outer.parent) {
    if (outer.tag.name === "footer" && outer.parent?.tag.name === "body") return true;
    if (OTHERS_CLASS.test(outer.className.slice(0, MAX_CLASS_CHARS))) return true;
  }
  return false;
}
