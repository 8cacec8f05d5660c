import { MAX_HEADING_SOURCE, plainHeading } from "./plain-heading.js";

/** A document cut at its headings: what a search hit points at, and what a fragment selects. */

export interface Section {
  /** Plain text of the heading; empty for what stands before the first one. */
  readonly heading: string;
  /** 1..6; 0 for the text before the first heading. */
  readonly level: number;
  /** Fragment of the section, unique in its document; empty for the text before the first heading. */
  readonly slug: string;
  /** Headings above it, outermost first. */
  readonly ancestors: readonly string[];
  /** UTF-16 offsets: the heading and its text, up to the next heading of any level. */
  readonly start: number;
  readonly end: number;
  /** Offset of the next heading of the same or a higher level: `start..treeEnd` holds the subsections too. */
  readonly treeEnd: number;
}

/** How a document is written; decides how headings are recognised. */
export type Markup = "markdown" | "restructuredtext" | "text" | "declarations";

/** Headings beyond this are text: a hostile file must not fill the index alone. */
export const MAX_SECTIONS = 2_000;

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const ATX_CLOSING = /(?:^|[ \t])#+[ \t]*$/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/u;
const HTML_HEADING = /^\s{0,3}<h([1-6])\b[^>]*>(.*)$/iu;
const RST_RULE = /^([!-/:-@[-`{-~])\1{2,}\s*$/u;
const CUSTOM_ID = /\s*\{#([\w.:-]+)\}\s*$/u;

/** Where a section begins. */
export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly text: string;
  /** The fragment the document itself asks for. */
  readonly id?: string | undefined;
}

/** Sections in order, without gaps; at least one, however empty the text is. */
export function splitSections(text: string, markup: Exclude<Markup, "declarations">): readonly Section[] {
  return sectionsOf(text, markup === "text" ? [] : markup === "markdown" ? markdownHeadings(text) : rstHeadings(text));
}

/** Turns headings in order of their offsets into sections without gaps. */
export function sectionsOf(text: string, all: readonly Heading[]): readonly Section[] {
  const headings = all.slice(0, MAX_SECTIONS);
  const sections: Section[] = [];
  const unique = uniqueSlugs();
  const treeEnds = treeEndsOf(headings, text.length);
  const first = headings[0]?.start ?? text.length;
  if (headings.length === 0 || text.slice(0, first).trim() !== "") {
    sections.push({ heading: "", level: 0, slug: "", ancestors: [], start: 0, end: first, treeEnd: text.length });
  }
  const above: Heading[] = [];
  for (const [index, heading] of headings.entries()) {
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    sections.push({
      heading: heading.text,
      level: heading.level,
      slug: unique(heading.id ?? slugify(heading.text)),
      ancestors: above.map((ancestor) => ancestor.text),
      start: heading.start,
      end: headings[index + 1]?.start ?? text.length,
      treeEnd: treeEnds[index] ?? text.length,
    });
    above.push(heading);
  }
  return sections;
}

/** One pass from the end with the nearest start seen for each level. */
function treeEndsOf(headings: readonly Heading[], length: number): readonly number[] {
  const ends = new Array<number>(headings.length).fill(length);
  const nearest = new Array<number>(7).fill(length);
  for (let index = headings.length - 1; index >= 0; index -= 1) {
    const heading = headings[index];
    if (heading === undefined) continue;
    ends[index] = Math.min(...nearest.slice(0, heading.level + 1));
    nearest[heading.level] = heading.start;
    nearest.fill(length, heading.level + 1);
  }
  return ends;
}

/** The fragment GitHub gives a heading: lower case, punctuation dropped, a hyphen for each space. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Repeated headings get `-1`, `-2` …, as on GitHub. */
function uniqueSlugs(): (slug: string) => string {
  const seen = new Map<string, number>();
  return (slug) => {
    let candidate = slug;
    let count = seen.get(slug) ?? 0;
    while (seen.has(candidate)) {
      count += 1;
      candidate = `${slug}-${count}`;
    }
    seen.set(slug, count);
    seen.set(candidate, seen.get(candidate) ?? 0);
    return candidate;
  };
}

function* lines(text: string): Generator<{ readonly line: string; readonly start: number }> {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    yield { line: text.slice(start, text[end - 1] === "\r" ? end - 1 : end), start };
    start = end + 1;
  }
}

function markdownHeadings(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let paragraph: { readonly start: number; readonly line: string } | undefined;
  let html: { readonly start: number; readonly level: number; text: string } | undefined;
  const add = (start: number, level: number, source: string): void => {
    const id = CUSTOM_ID.exec(source);
    const plain = plainHeading(id === null ? source : source.slice(0, id.index));
    if (plain !== "") headings.push({ start, level, text: plain, id: id?.[1] });
  };
  const closeHtml = (line: string): void => {
    if (html === undefined) return;
    const end = line.search(/<\/h[1-6]/iu);
    html.text += ` ${end === -1 ? line : line.slice(0, end)}`;
    if (end === -1 && html.text.length < MAX_HEADING_SOURCE) return;
    add(html.start, html.level, html.text.trim());
    html = undefined;
  };
  for (const { line, start } of lines(text.startsWith("---") ? blankFrontMatter(text) : text)) {
    const mark = FENCE.exec(line);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = undefined;
      continue;
    }
    if (html !== undefined) {
      closeHtml(line);
      continue;
    }
    const atx = ATX.exec(line);
    const setext = paragraph === undefined ? null : SETEXT.exec(line);
    const tag = HTML_HEADING.exec(line);
    if (mark?.[1] !== undefined && !(mark[1].startsWith("`") && mark[2]?.includes("`"))) fence = mark[1];
    else if (atx?.[1] !== undefined) add(start, atx[1].length, (atx[2] ?? "").replace(ATX_CLOSING, ""));
    else if (tag?.[1] !== undefined) {
      html = { start, level: Number(tag[1]), text: "" };
      closeHtml(tag[2] ?? "");
    } else if (setext !== null && paragraph !== undefined) {
      add(paragraph.start, setext[1]?.startsWith("=") ? 1 : 2, paragraph.line);
    } else if (isParagraph(line)) {
      // Only a one-line paragraph is taken for a setext heading: longer ones are text over a rule.
      paragraph = paragraph === undefined ? { start, line } : { start: -1, line: "" };
      if (paragraph.start >= 0) continue;
    }
    paragraph = undefined;
  }
  return headings;
}

function isParagraph(line: string): boolean {
  return line.trim() !== "" && !/^(?: {4}|\t|\s*(?:[-*+>|]|\d+[.)])(?:\s|$))/u.test(line);
}

/** Front matter is no text: its last line must not turn the rule below it into a heading. Offsets are kept. */
function blankFrontMatter(text: string): string {
  const end = /^---\r?\n[\s\S]{0,8192}?\n---[ \t]*(?:\r?\n|$)/u.exec(text)?.[0];
  return end === undefined ? text : end.replace(/[^\n]/gu, " ") + text.slice(end.length);
}

/** `title:` of the front matter in plain text; empty when there is none. */
export function frontMatterTitle(text: string): string {
  const block = text.startsWith("---") ? /^---\r?\n([\s\S]{0,8192}?)\n---/u.exec(text)?.[1] : undefined;
  const title = (block === undefined ? undefined : /^title:[ \t]*(.+)$/mu.exec(block)?.[1]?.trim()) ?? "";
  // A block scalar's text stands on the lines below.
  return /^[|>][+\-\d]{0,2}$/u.test(title) ? "" : plainHeading(title.replace(/^(["'])(.*)\1$/u, "$2"));
}

/** A line under- or overlined with punctuation at least as long as itself; levels by order of first use. */
function rstHeadings(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  let before: { readonly line: string; readonly start: number } | undefined;
  let previous: { readonly line: string; readonly start: number } | undefined;
  for (const current of lines(text)) {
    const rule = RST_RULE.exec(current.line);
    const title = previous?.line.trim() ?? "";
    if (rule !== null && previous !== undefined && title !== "" && !RST_RULE.test(previous.line)) {
      const over = before !== undefined && RST_RULE.test(before.line) && before.line[0] === current.line[0];
      const style = `${over ? "over" : ""}${rule[1]}`;
      if (current.line.trimEnd().length >= Math.min(title.length, 8)) {
        if (!styles.includes(style)) styles.push(style);
        const start = over && before !== undefined ? before.start : previous.start;
        headings.push({ start, level: Math.min(styles.indexOf(style) + 1, 6), text: plainHeading(title) });
      }
    }
    before = previous;
    previous = current;
  }
  return headings;
}
