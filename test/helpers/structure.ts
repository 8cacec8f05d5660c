/** What is left of a document when only its structure counts: the tree and its Markdown must have the same. */
export interface Structure {
  readonly type: string;
  /** A list's kind and start, a heading's level, a code block's language and text, a note's label. */
  readonly detail: string;
  readonly line: readonly Atom[];
  readonly children: readonly Structure[];
}

export type MarkName = "strong" | "em" | "del";
export type Marks = ReadonlyMap<MarkName, unknown>;

/** A character, of a code span or of text, or another smallest part of a line. */
export interface Atom {
  readonly type: "character" | "code" | "image" | "reference" | "break" | "html";
  readonly value: string;
  /** Each with the element that it comes from, where that is known. */
  readonly marks: Marks;
  readonly link: Target | undefined;
}

export interface Target {
  readonly address: string;
}

export function block(
  type: string,
  detail: string,
  { line = [], children = [] }: { readonly line?: readonly Atom[]; readonly children?: readonly Structure[] } = {},
): Structure {
  return { type, detail, line, children };
}

const MAX_ALT_CHARS = 120;

export const isSpace = (atom: Atom | undefined): boolean => atom?.type === "character" && /\s/.test(atom.value);

/** A code point that is no half of a pair: marks and links are compared on whole characters. */
export function characters(
  text: string,
  type: "character" | "code",
  marks: Marks,
  link: Target | undefined,
): readonly Atom[] {
  return [...text].map((value) => ({ type, value, marks, link }));
}

/** The address as a browser would send it, whatever is percent-encoded. */
export function address(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).href) : url;
}

export function imageValue(alt: string, url: string): string {
  const text = alt.replace(/\s+/g, " ").trim();
  return `${text.length > MAX_ALT_CHARS ? `${text.slice(0, MAX_ALT_CHARS).trimEnd()}…` : text} ${address(url)}`;
}

/** White space as HTML renders it: none at the edges of a line, one space elsewhere. */
export function collapse(atoms: readonly Atom[]): readonly Atom[] {
  const kept: Atom[] = [];
  for (const atom of atoms) {
    const last = kept[kept.length - 1];
    if (isSpace(atom)) {
      if (last !== undefined && !isSpace(last) && last.type !== "break") kept.push({ ...atom, value: " " });
      continue;
    }
    if (atom.type === "break" && isSpace(last)) kept.pop();
    if (atom.type === "break" && (kept.length === 0 || kept[kept.length - 1]?.type === "break")) continue;
    kept.push(atom);
  }
  while (kept.length > 0 && (isSpace(kept[kept.length - 1]) || kept[kept.length - 1]?.type === "break")) kept.pop();
  return kept.filter((atom, index) => !isBetweenLinks(kept, index, atom));
}

/** Links that touch are separate words: the writer sets them apart. */
function isBetweenLinks(atoms: readonly Atom[], index: number, atom: Atom): boolean {
  const before = atoms[index - 1]?.link;
  const after = atoms[index + 1]?.link;
  return isSpace(atom) && before !== undefined && after !== undefined && before !== after;
}
