import { type Atom, isSpace, type Structure } from "./structure.js";

/** Where two structures part, for a person to read; "" when they agree. */
export function structureDifference(wanted: readonly Structure[], found: readonly Structure[], path = ""): string {
  for (let at = 0; at < Math.max(wanted.length, found.length); at++) {
    const want = wanted[at];
    const have = found[at];
    const here = `${path}/${at}:${want?.type ?? have?.type}`;
    if (want === undefined || have === undefined) return `${here}: ${want === undefined ? "too many" : "missing"}`;
    if (want.type !== have.type) return `${here}: is ${have.type}`;
    if (detail(want, path) !== detail(have, path))
      return `${here}: wants ${JSON.stringify(want.detail)}, has ${JSON.stringify(have.detail)}`;
    const difference =
      want.type === "cell"
        ? lineDifference(withoutPipeEscapes(want.line), withoutPipeEscapes(have.line))
        : lineDifference(want.line, have.line) || structureDifference(want.children, have.children, here);
    if (difference !== "") return difference.startsWith("/") ? difference : `${here}: ${difference}`;
  }
  return "";
}

/** Parsers differ over the indentation of a blank line in a note, which no specification has. */
function detail({ type, detail: text }: Structure, path: string): string {
  return type === "code" && path.includes(":note") ? text.replace(/^[ \t]+$/gm, "") : text;
}

function lineDifference(wanted: readonly Atom[], found: readonly Atom[]): string {
  const want = plain(wanted);
  const have = plain(found);
  if (want !== have) return `wants ${JSON.stringify(want)}, has ${JSON.stringify(have)}`;
  const isExact = wanted.every((_, at) => edgesAreFree(wanted, at));
  for (let at = 0; at < wanted.length; at++) {
    const one = wanted[at];
    const other = found[at];
    if (one === undefined || other === undefined || isSpace(one) || one.type === "break") continue;
    if (one.link?.address !== other.link?.address)
      return `links ${one.value} to ${other.link?.address}, not ${one.link?.address}`;
    for (const mark of other.marks.keys()) if (!one.marks.has(mark)) return `makes ${one.value} ${mark}`;
    if (isExact)
      for (const mark of one.marks.keys()) if (!other.marks.has(mark)) return `does not make ${one.value} ${mark}`;
  }
  return "";
}

/** A backslash before a pipe cannot be written in a cell's code: it is part of the pipe's escape. */
function withoutPipeEscapes(atoms: readonly Atom[]): readonly Atom[] {
  const kept: Atom[] = [];
  for (const atom of atoms) {
    while (atom.type === "code" && atom.value === "|" && isCodeBackslash(kept[kept.length - 1])) kept.pop();
    kept.push(atom);
  }
  return kept;
}

const isCodeBackslash = (atom: Atom | undefined): boolean => atom?.type === "code" && atom.value === "\\";

const plain = (atoms: readonly Atom[]): string =>
  atoms
    .map(({ type, value }) => (type === "character" ? value : type === "code" ? `{${value}}` : `{${type} ${value}}`))
    .join("");

/**
 * CommonMark can always express a mark whose ends have white space outside (0.31, 6.2: left- and right-flanking). In a
 * line where one ends inside a word or beside punctuation marks may be missing; none may ever be where it was not.
 */
function edgesAreFree(atoms: readonly Atom[], at: number): boolean {
  const atom = atoms[at];
  if (atom === undefined || isSpace(atom) || atom.type === "break") return true;
  return [atoms[at - 1], atoms[at + 1]].every(
    (neighbour) =>
      neighbour === undefined ||
      isSpace(neighbour) ||
      neighbour.type === "break" ||
      [...atom.marks].every(([mark, element]) => neighbour.marks.get(mark) === element),
  );
}
