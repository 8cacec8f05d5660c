import type { OutlineEntry } from "../types.js";
import { closesFence, openedFence } from "./fences.js";
import { type Heading, numberHeadings } from "./number-headings.js";

/** Further headings stay part of the last sections; no page that is read has so many. */
const MAX_HEADINGS = 10_000;
const MAX_TITLE_CHARS = 200;
/** YAML front matter longer than this is a page that begins with a rule. */
const MAX_FRONT_MATTER_CHARS = 4_000;

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that cannot be a setext heading's text: lists, quotes, tables, HTML, rules, indented code. */
const NOT_A_PARAGRAPH = /^(?:[ \t]{4,}|\s*(?:[-*+](?:[ \t]|$)|\d{1,9}[.)][ \t]|>|\||<|(?:[-_*][ \t]*){3,}$))/;

/** Headings of Markdown (CommonMark ATX and setext, outside fenced code) as a numbered tree. Linear in the text's length. */
export function outlineOf(markdown: string): OutlineEntry[] {
  return numberHeadings(findHeadings(markdown), markdown.length);
}

function findHeadings(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  /** Where the paragraph that a setext underline would turn into a heading begins. */
  let paragraphStart: number | undefined;
  for (let start = afterFrontMatter(markdown); start < markdown.length && headings.length < MAX_HEADINGS; ) {
    const newline = markdown.indexOf("\n", start);
    const end = newline === -1 ? markdown.length : newline;
    // No construct that matters here needs more of a line.
    const line = markdown.slice(start, Math.min(end, start + 1_000));
    const lineStart = start;
    start = end + 1;

    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      continue;
    }
    const opened = openedFence(line);
    const atx = opened === undefined ? ATX.exec(line) : null;
    const underline = paragraphStart === undefined ? null : SETEXT_UNDERLINE.exec(line);
    if (opened !== undefined) {
      fence = opened;
      paragraphStart = undefined;
    } else if (atx !== null) {
      const title = plainTitle(line.slice(atx[0].length).replace(/(?:^|[ \t])#+[ \t]*$/, ""));
      if (title !== "") headings.push({ level: (atx[1] ?? "").length, title, start: lineStart });
      paragraphStart = undefined;
    } else if (underline !== null && paragraphStart !== undefined) {
      const title = plainTitle(markdown.slice(paragraphStart, Math.min(lineStart, paragraphStart + 1_000)));
      if (title !== "") headings.push({ level: line.includes("=") ? 1 : 2, title, start: paragraphStart });
      paragraphStart = undefined;
    } else if (line.trim() === "") {
      paragraphStart = undefined;
    } else if (paragraphStart === undefined && !NOT_A_PARAGRAPH.test(line)) {
      paragraphStart = lineStart;
    } else if (NOT_A_PARAGRAPH.test(line)) {
      paragraphStart = undefined;
    }
  }
  return headings;
}

function afterFrontMatter(markdown: string): number {
  if (!markdown.startsWith("---\n")) return 0;
  const close = markdown.slice(0, MAX_FRONT_MATTER_CHARS).indexOf("\n---\n", 3);
  return close === -1 ? 0 : close + 5;
}

/** A heading's text without Markdown: links and images by their text, no code marks, emphasis or escapes. */
function plainTitle(markdown: string): string {
  return markdown
    .slice(0, 2 * MAX_TITLE_CHARS)
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/(?<!\\)(?:`+|\*\*|__|~~)/g, "")
    .replace(/(?<![\\\w*])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\w*])/g, "$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\p{Cs}/gu, "");
}
