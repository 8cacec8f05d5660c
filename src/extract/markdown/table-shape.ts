import { attribute, type Node, type Tree } from "../tree.js";

const MAX_SPAN = 1_000;
/** Longer cells with blocks inside are columns of a page, not values. */
const MAX_CELL_CHARS = 1_500;
const MAX_HEADING_CELL_BLOCKS = 2;
const SECTION = /^(?:blockquote|section|article|form|figure)$/;

export interface Row {
  readonly cells: readonly Node[];
  readonly isHead: boolean;
}

export interface TableShape {
  readonly rows: readonly Row[];
  readonly caption: Node | undefined;
  readonly columns: number;
  readonly hasHeads: boolean;
}

/** Rows and cells of this table, not of tables inside it. */
export function shapeOf(tree: Tree, gone: Uint8Array, table: Node): TableShape {
  const rows: { cells: Node[]; isHead: boolean }[] = [];
  let caption: Node | undefined;
  let columns = 0;
  let hasHeads = false;
  for (let at = table.index + 1; at < table.end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const { name } = node.tag;
    if (gone[at] === 1 || name === "table") {
      at = node.end;
    } else if (name === "caption") {
      caption = node;
      at = node.end;
    } else if (name === "tr") {
      const isHead = node.parent?.tag.name === "thead";
      rows.push({ cells: [], isHead });
      hasHeads ||= isHead;
      at += 1;
    } else if (name === "td" || name === "th") {
      const row = rows[rows.length - 1];
      row?.cells.push(node);
      columns = Math.max(columns, row?.cells.length ?? 0);
      hasHeads ||= name === "th";
      at = node.end;
    } else at += 1;
  }
  return { rows: rows.filter(({ cells }) => cells.length > 0), caption, columns, hasHeads };
}

export function isLayout(tree: Tree, table: Node, { rows, columns, hasHeads }: TableShape): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none" || rows.length === 0) return true;
  if (hasHeads) return false;
  if (columns === 1 || rows.length === 1) return true;
  return rows.some(({ cells }) => cells.some((cell) => isPageColumn(tree, cell)));
}

/** True for a cell that holds parts of a page: sections, code, tables, headings over text. */
function isPageColumn(tree: Tree, cell: Node): boolean {
  let chars = 0;
  let blocks = 0;
  let hasHeading = false;
  for (let at = cell.index + 1; at < cell.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    chars += node.text.length;
    if (!node.tag.isBlock) continue;
    const { name, headingLevel } = node.tag;
    if (name === "table" || name === "pre" || SECTION.test(name)) return true;
    hasHeading ||= headingLevel > 0;
    blocks += 1;
  }
  // A heading alone in its cell is the head of a row or a column.
  if (hasHeading && blocks > MAX_HEADING_CELL_BLOCKS) return true;
  return chars > MAX_CELL_CHARS && blocks > 3;
}

/**
 * True when a cell holds what no line of text can: code of several lines, or a table of its own with rows and columns.
 */
export function needsBlocks(tree: Tree, gone: Uint8Array, { rows }: TableShape): boolean {
  return rows.some(({ cells }) => cells.some((cell) => holdsBlocks(tree, gone, cell)));
}

function holdsBlocks(tree: Tree, gone: Uint8Array, cell: Node): boolean {
  for (let at = cell.index + 1; at < cell.end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const { name } = node.tag;
    if (gone[at] !== 1 && ((name === "pre" && hasLines(tree, node)) || (name === "table" && isGrid(tree, gone, node))))
      return true;
    at = gone[at] === 1 || name === "table" ? node.end : at + 1;
  }
  return false;
}

function hasLines(tree: Tree, pre: Node): boolean {
  let text = "";
  for (let at = pre.index + 1; at < pre.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    text += node.tag.name === "br" || node.tag.isBlock ? "\n" : node.text;
  }
  return text.trim().includes("\n");
}

function isGrid(tree: Tree, gone: Uint8Array, table: Node): boolean {
  const shape = shapeOf(tree, gone, table);
  return shape.rows.length > 1 && shape.columns > 1 && !isLayout(tree, table, shape);
}

/** How many columns or rows a cell takes, at most 1,000 (HTML 4.9.11 caps `colspan` there). */
export function spanOf(cell: Node, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Number.isNaN(span) ? 1 : Math.min(Math.max(span, 1), MAX_SPAN);
}
