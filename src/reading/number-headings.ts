import type { OutlineEntry } from "../types.js";

/** A heading as it stands in a text. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  /** UTF-16 offset of its line. */
  readonly start: number;
}

/** Headings in their order as a tree: numbered by their place (`1`, `1.1`, `2`), each reaching to the next of its level. */
export function numberHeadings(headings: readonly Heading[], textLength: number): OutlineEntry[] {
  const entries: { number: string; level: number; title: string; start: number; end: number }[] = [];
  const open: { readonly index: number; readonly level: number; children: number }[] = [];
  let roots = 0;
  for (const { level, title, start } of headings) {
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
      const closed = entries[last.index];
      if (closed !== undefined) closed.end = start;
      open.pop();
    }
    const parent = open.at(-1);
    const number = parent === undefined ? `${++roots}` : `${entries[parent.index]?.number}.${++parent.children}`;
    open.push({ index: entries.length, level, children: 0 });
    entries.push({ number, level, title, start, end: textLength });
  }
  return entries;
}
