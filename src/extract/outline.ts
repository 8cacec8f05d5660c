import type { OutlineEntry } from "../types.js";
import { plainLine } from "./markdown/plain-text.js";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
const FENCE = /^[ \t>]*(?:[-*+:]|\d+[.)])?[ \t]*(`{3,}|~{3,})/;

/** The sections of a Markdown text, numbered by their place in the tree: `1`, `1.1`, `2`. */
export function outline(markdown: string): readonly OutlineEntry[] {
  const found: { level: number; title: string; start: number; end: number; number: string }[] = [];
  const open: { readonly entry: (typeof found)[number]; children: number }[] = [];
  let top = 0;
  let fence = "";
  for (let start = 0; start <= markdown.length; ) {
    const newline = markdown.indexOf("\n", start);
    const end = newline < 0 ? markdown.length : newline;
    const char = markdown.charCodeAt(start);
    // Headings and fences begin with few characters: most lines are passed over unread.
    if (
      char === 0x23 ||
      char <= 0x20 ||
      char === 0x60 ||
      char === 0x7e ||
      char === 0x3e ||
      char === 0x2d ||
      fence !== ""
    ) {
      const line = markdown.slice(start, end);
      const mark = FENCE.exec(line)?.[1];
      const [, hashes, text] = fence === "" && mark === undefined ? (HEADING.exec(line) ?? []) : [];
      if (fence !== "") {
        if (mark?.startsWith(fence) === true) fence = "";
      } else if (mark !== undefined) fence = mark;
      else if (hashes !== undefined && text !== undefined) {
        const level = hashes.length;
        for (
          let last = open[open.length - 1];
          last !== undefined && last.entry.level >= level;
          last = open[open.length - 1]
        ) {
          last.entry.end = start;
          open.pop();
        }
        const parent = open[open.length - 1];
        if (parent === undefined) top += 1;
        else parent.children += 1;
        const number = parent === undefined ? String(top) : `${parent.entry.number}.${parent.children}`;
        const entry = { number, level, title: plainLine(text), start, end: markdown.length };
        found.push(entry);
        open.push({ entry, children: 0 });
      }
    }
    start = end + 1;
  }
  return found;
}
