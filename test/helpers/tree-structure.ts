import type { Block, DocumentTree, Inline, Item, MarkTag } from "./document-tree.js";
import {
  type Atom,
  address,
  block,
  characters,
  collapse,
  imageValue,
  type MarkName,
  type Marks,
  type Structure,
  type Target,
} from "./structure.js";

const MARKS: Readonly<Record<MarkTag, MarkName>> = {
  strong: "strong",
  b: "strong",
  em: "em",
  i: "em",
  del: "del",
  s: "del",
};
const MAX_ITEM_NUMBER = 999_999_999;

/** What the reader makes of the tree; where it does not keep what the author wrote, a comment says why. */
export function treeStructure({ blocks, notes }: DocumentTree): readonly Structure[] {
  return [
    ...blocks.flatMap(blockStructure),
    ...notes.map(({ label, children }) =>
      block("note", label, { children: withoutReferences(children.flatMap(blockStructure), label) }),
    ),
  ];
}

/** A note does not refer to itself: what looks like it leads elsewhere in the note. */
function withoutReferences(structures: readonly Structure[], label: string): readonly Structure[] {
  return structures.map((structure) => ({
    ...structure,
    line: structure.line.map((atom) =>
      atom.type === "reference" && atom.value === label ? { ...atom, type: "character" } : atom,
    ),
    children: withoutReferences(structure.children, label),
  }));
}

function blockStructure(node: Block): readonly Structure[] {
  switch (node.kind) {
    case "paragraph":
      return paragraphs(node.children);
    case "heading": {
      // Bold says nothing in a heading, and a heading is one line.
      const atoms = atomsOf(node.children).map((atom) =>
        withoutStrong(atom.type === "break" ? ({ ...atom, type: "character", value: " " } as const) : atom),
      );
      const line = collapse(atoms);
      return line.length === 0 ? [] : [block("heading", String(node.level), { line })];
    }
    case "list":
      return listStructure(node.items, node.start);
    case "quote": {
      const children = node.children.flatMap(blockStructure);
      // Code alone is only indented by its quote.
      const isIndent = children.every(({ type }) => type === "code") && !node.children.some(holdsList);
      return isIndent ? children : [block("quote", "", { children })];
    }
    case "code": {
      // Blank lines round the code are no part of it; a no-break space in it is a space, alone on its line not even that.
      const text = node.value
        .replace(/^\u00a0$/gm, "")
        .replaceAll("\u00a0", " ")
        .replace(/^(?:[ \t]*\n)+/, "")
        .trimEnd();
      return text === "" ? [] : [block("code", `${node.language}\n${text}`)];
    }
    case "rule":
      return [block("rule", "")];
    case "table":
      return tableStructure(node.rows);
    case "definitions":
      return node.entries.flatMap(({ term, children }) =>
        definition(paragraphs(term), children.flatMap(blockStructure)),
      );
  }
}

function holdsList(node: Block): boolean {
  if (node.kind === "quote") return node.children.some(holdsList);
  return node.kind === "definitions"
    ? node.entries.some(({ children }) => children.some(holdsList))
    : node.kind === "list";
}

/** Two line breaks in a row end a paragraph. */
function paragraphs(children: readonly Inline[]): readonly Structure[] {
  const found: Atom[][] = [[]];
  let hasBreak = false;
  for (const atom of atomsOf(children)) {
    const isBlank = atom.type === "character" && /\s/.test(atom.value);
    if (atom.type === "break" && hasBreak) {
      found.push([]);
      hasBreak = false;
      continue;
    }
    const current = found[found.length - 1];
    current?.push(atom);
    if (atom.type === "break") hasBreak = collapse(current ?? []).length > 0;
    else if (!isBlank) hasBreak = false;
  }
  return found
    .map(collapse)
    .filter(({ length }) => length > 0)
    .map((line) => block("paragraph", "", { line }));
}

function listStructure(items: readonly Item[], start: number | undefined): readonly Structure[] {
  const kept: Structure[] = [];
  let first = "";
  items.forEach(({ isChecked, children }, index) => {
    const content = children.flatMap(blockStructure);
    // An item without content is nothing.
    if (content.length === 0) return;
    if (kept.length === 0 && start !== undefined) first = String(Math.min(start + index, MAX_ITEM_NUMBER));
    kept.push(block("item", isChecked === undefined ? "" : String(isChecked), { children: content }));
  });
  return kept.length === 0 ? [] : [block("list", first, { children: kept })];
}

/** Rows and columns without content are nothing. */
function tableStructure(rows: readonly (readonly (readonly Inline[])[])[]): readonly Structure[] {
  const cells = rows.map((row) => row.map((cell) => collapse(atomsOf(cell))));
  const isKept = (column: number): boolean => cells.some((row) => (row[column]?.length ?? 0) > 0);
  const children = cells
    .filter((row) => row.some(({ length }) => length > 0))
    .map((row) => row.filter((_, column) => isKept(column)))
    .map((row) => block("row", "", { children: row.map((line) => block("cell", "", { line })) }));
  return children.length === 0 ? [] : [block("table", "", { children })];
}

/** CommonMark has no definitions: `: ` begins the line below the term. */
function definition(term: readonly Structure[], [first, ...rest]: readonly Structure[]): readonly Structure[] {
  const last = term[term.length - 1];
  if (first?.type !== "paragraph" || last === undefined) return first === undefined ? term : [...term, first, ...rest];
  const line = [...last.line, ...characters(" : ", "character", new Map(), undefined), ...first.line];
  return [...term.slice(0, -1), block("paragraph", "", { line }), ...rest];
}

function withoutStrong(atom: Atom): Atom {
  return { ...atom, marks: new Map([...atom.marks].filter(([mark]) => mark !== "strong")) };
}

function atomsOf(inlines: readonly Inline[], marks: Marks = new Map(), link?: Target): readonly Atom[] {
  const atoms = (inline: Inline): readonly Atom[] => {
    switch (inline.kind) {
      case "text":
        return characters(inline.value, "character", marks, link);
      case "code":
        return characters(inline.value, "code", marks, link);
      case "break":
        // A link's text is one line.
        return link === undefined
          ? [{ type: "break", value: "", marks, link }]
          : characters(" ", "character", marks, link);
      case "mark":
        return atomsOf(inline.children, new Map([[MARKS[inline.tag], inline], ...marks]), link);
      case "link":
        return atomsOf(inline.children, marks, { address: address(inline.href) });
      case "image":
        return [{ type: "image", value: imageValue(inline.alt, inline.src), marks, link }];
      case "reference":
        return [{ type: "reference", value: inline.label, marks, link }];
    }
  };
  return inlines.flatMap(atoms);
}
