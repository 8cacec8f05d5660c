import { type Heading, numberHeadings } from "../reading/number-headings.js";
import type { OutlineEntry } from "../types.js";
import { plainLine } from "./markdown/plain-text.js";

/** Also in lists, at any depth: the writer fences all code, so that an indented `#` is a heading. Not in quotes. */
const HEADING = /^ *(?:(?:[-*+:]|\d{1,9}[.)]) +)*(#{1,6}) +(.+)$/;
const FENCE = /^(?:[ >]|(?:[-*+:]|\d{1,9}[.)])(?= ))*(`{3,}|~{3,})/;
/** Headings, list items and fences begin with few characters: most lines are passed over unread. */
const TELLING: ReadonlySet<string> = new Set("#`~>-*+:0123456789");

/**
 * The sections of what our own writer wrote, exact because it writes no setext heading, no indented code and no HTML, and
 * escapes what is none. `reading` has the outline of anybody's Markdown, `search/local` that of documents with fragments.
 * Headings in a quotation are the quoted text's, not the page's.
 */
export function outline(markdown: string): readonly OutlineEntry[] {
  const headings: Heading[] = [];
  let fence = "";
  for (let start = 0; start <= markdown.length; ) {
    const newline = markdown.indexOf("\n", start);
    const end = newline < 0 ? markdown.length : newline;
    const first = markdown.charAt(start);
    if (fence !== "" || first <= " " || TELLING.has(first)) {
      const line = markdown.slice(start, end);
      const mark = FENCE.exec(line)?.[1];
      if (fence !== "") {
        if (mark?.startsWith(fence) === true) fence = "";
      } else if (mark !== undefined) fence = mark;
      else {
        const [, hashes, text] = HEADING.exec(line) ?? [];
        if (hashes !== undefined && text !== undefined) {
          headings.push({ level: hashes.length, title: plainLine(text), start });
        }
      }
    }
    start = end + 1;
  }
  return numberHeadings(headings, markdown.length);
}
