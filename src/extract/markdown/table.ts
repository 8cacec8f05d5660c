import { attribute, type Node, type Tree } from "../tree.js";
import { codeBlock, isCodeTable } from "./code.js";
import { collapseSpace, escapeText } from "./escape.js";
import type { MarkdownWriter } from "./writer.js";

const MAX_COLUMNS = 60;
const MAX_SPAN = 1_000;
/** Longer cells with blocks inside are columns of a page, not values. */
const MAX_CELL_CHARS = 1_500;
const MAX_NESTING = 3;
const PAGE_CONTENT = /^(?:h[1-6]|pre|table|blockquote|section|article|form|figure)$/;

interface Row {
  readonly cells: readonly Node[];
  readonly isHead: boolean;
}

interface TableShape {
  readonly rows: readonly Row[];
  readonly caption: Node | undefined;
  readonly columns: number;
}

/** Data as a GFM table with its spans filled in, code as code, layout as the blocks it holds. */
export function writeTable(writer: MarkdownWriter, table: Node): boolean {
  const { tree, gone } = writer.request;
  writer.endBlock();
  if (isCodeTable(tree, table)) {
    writer.block(codeBlock(writer.codePlace, table));
    return true;
  }
  const shape = shapeOf(tree, gone, table);
  if (writer.tableDepth >= MAX_NESTING || isLayout(tree, table, shape)) return false;
  if (shape.caption !== undefined) writer.block(cellText(writer, shape.caption));
  const grid = fillSpans(shape, (cell) => cellText(writer, cell));
  const lines = gridLines(grid, shape.rows);
  // A table inside a cell keeps its rows as lines of text.
  writer.block(
    writer.isInCell
      ? lines
          .filter((line) => !/^\|[ |-]*\|$/.test(line))
          .map(unframe)
          .join("\n")
      : lines.join("\n"),
  );
  return true;
}

const unframe = (line: string): string => line.replace(/^\| | \|$/g, "").replaceAll(" | ", ", ");

/** Rows and cells of this table, not of tables inside it. */
function shapeOf(tree: Tree, gone: Uint8Array, table: Node): TableShape {
  const rows: { cells: Node[]; isHead: boolean }[] = [];
  let caption: Node | undefined;
  let columns = 0;
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
      rows.push({ cells: [], isHead: node.parent?.tag.name === "thead" });
      at += 1;
    } else if (name === "td" || name === "th") {
      const row = rows[rows.length - 1];
      row?.cells.push(node);
      columns = Math.max(columns, row?.cells.length ?? 0);
      at = node.end;
    } else at += 1;
  }
  return { rows: rows.filter(({ cells }) => cells.length > 0), caption, columns };
}

function isLayout(tree: Tree, table: Node, { rows, columns }: TableShape): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none" || rows.length === 0) return true;
  const hasHeads = rows.some(({ cells, isHead }) => isHead || cells.some((cell) => cell.tag.name === "th"));
  if (!hasHeads && (columns === 1 || rows.length === 1)) return true;
  for (const { cells } of rows) for (const cell of cells) if (isPageColumn(tree, cell, hasHeads)) return true;
  return false;
}

function isPageColumn(tree: Tree, cell: Node, hasHeads: boolean): boolean {
  let chars = 0;
  let blocks = 0;
  for (let at = cell.index + 1; at < cell.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    chars += node.text.length;
    if (!node.tag.isBlock) continue;
    if (PAGE_CONTENT.test(node.tag.name) && (node.tag.name === "table" || !hasHeads)) return true;
    blocks += 1;
  }
  return chars > MAX_CELL_CHARS && blocks > 3 && !hasHeads;
}

/** Copies cells down their rows; the columns a cell spans are left empty beside it. */
function fillSpans({ rows }: TableShape, render: (cell: Node) => string): string[][] {
  const pending: { text: string; rows: number }[] = [];
  return rows.map(({ cells }) => {
    const line: string[] = [];
    const takePending = (): void => {
      for (let span = pending[line.length]; span !== undefined && span.rows > 0; span = pending[line.length]) {
        span.rows -= 1;
        line.push(span.text);
      }
    };
    for (const cell of cells) {
      takePending();
      if (line.length >= MAX_COLUMNS) break;
      const text = render(cell);
      const across = Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - line.length);
      const down = spanOf(cell, "rowspan") - 1;
      for (let column = 0; column < across; column++) {
        if (down > 0) pending[line.length] = { text: column === 0 ? text : "", rows: down };
        line.push(column === 0 ? text : "");
      }
    }
    takePending();
    return line;
  });
}

function spanOf(cell: Node, name: string): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Number.isNaN(span) ? 1 : Math.min(Math.max(span, 1), MAX_SPAN);
}

function gridLines(grid: readonly string[][], rows: readonly Row[]): string[] {
  const width = Math.max(...grid.slice(0, 2_000).map((line) => line.length), 1);
  const kept: number[] = [];
  for (let column = 0; column < width; column++)
    if (grid.some((line) => (line[column] ?? "") !== "")) kept.push(column);
  if (kept.length === 0) return [];
  const lines: string[] = [];
  const frame = (line: readonly string[]): string => `| ${kept.map((column) => line[column] ?? "").join(" | ")} |`;
  const hasHead =
    rows[0]?.isHead === true || rows[0]?.cells.some((cell) => cell.tag.name === "th") === true || rows.length > 1;
  if (!hasHead) lines.push(frame([]));
  const ruleLine = `|${kept.map(() => " --- ").join("|")}|`;
  if (lines.length === 1) lines.push(ruleLine);
  for (const line of grid) {
    if (line.every((text) => text === "")) continue;
    lines.push(frame(line));
    if (lines.length === 1) lines.push(ruleLine);
  }
  return lines;
}

/** A cell's content on one line: blocks and line breaks as `<br>`, pipes escaped. */
function cellText(writer: MarkdownWriter, cell: Node): string {
  const only = writer.request.tree.nodes[cell.index + 1];
  if (cell.end === cell.index + 2 && only !== undefined && only.text !== "" && writer.request.gone[only.index] !== 1) {
    return escapePipes(escapeText(collapseSpace(only.text).trim(), false));
  }
  if (cell.end === cell.index + 1) return "";
  const written = writer.nested().write(cell);
  return escapePipes(written.replace(/ *\n[\n ]*/g, "<br>"));
}

function escapePipes(text: string): string {
  return text.includes("|") ? text.replace(/\\?\|/g, "\\|") : text;
}
