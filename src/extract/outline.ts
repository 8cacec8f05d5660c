import { type Heading, numberHeadings } from "../reading/number-headings.js";
import type { OutlineEntry } from "../types.js";
import { plainLine } from "./markdown/plain-text.js";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
const FENCE = /^[ \t>]*(?:(?:[-*+:]|\d+[.)])[ \t]*)?(`{3,}|~{3,})/;
/** Headings and fences begin with few characters: most lines are passed over unread. */
const TELLING: ReadonlySet<string> = new Set("#`~>-");

/**
 * The sections of what our own writer wrote: ATX headings whose underscores are letters. `reading` has the outline of
 * anybody's Markdown.
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
