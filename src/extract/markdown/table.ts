import type { Node } from "../tree.js";
import { codeBlock, isCodeTable } from "./code.js";
import { collapseSpace, escapeText } from "./escape.js";
import { htmlTable } from "./html-table.js";
import { isLayout, needsBlocks, type Row, shapeOf, spanOf, type TableShape } from "./table-shape.js";
import type { MarkdownWriter } from "./writer.js";

const MAX_COLUMNS = 60;
const MAX_NESTING = 3;

/**
 * Data as a GFM table with its spans filled in; as HTML where a cell holds what no line can; code as code; layout as
 * the blocks it holds.
 */
export function writeTable(writer: MarkdownWriter, table: Node): boolean {
  const { tree, gone } = writer.request;
  writer.endBlock();
  if (isCodeTable(tree, table)) {
    writer.block(codeBlock(writer.codePlace, table));
    return true;
  }
  const shape = shapeOf(tree, gone, table);
  if (writer.tableDepth >= MAX_NESTING || isLayout(tree, table, shape)) return false;
  if (!writer.isInCell && needsBlocks(tree, gone, shape)) {
    writer.block(htmlTable(writer, shape));
    return true;
  }
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

/** Copies cells down their rows, and heads across their columns; a value that spans columns stands in the first. */
function fillSpans({ rows }: TableShape, render: (cell: Node) => string): string[][] {
  const pending: { text: string; rows: number }[] = [];
  return rows.map(({ cells }, index) => {
    const line: string[] = [];
    const takePending = (): void => {
      for (let span = pending[line.length]; span !== undefined && span.rows > 0; span = pending[line.length]) {
        span.rows -= 1;
        line.push(span.text);
      }
    };
    const isHeadRow = index === 0 && cells.length > 1 && cells.every((cell) => cell.tag.name === "th");
    for (const cell of cells) {
      takePending();
      if (line.length >= MAX_COLUMNS) break;
      const text = render(cell);
      const across = Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - line.length);
      const down = spanOf(cell, "rowspan") - 1;
      for (let column = 0; column < across; column++) {
        const repeated = column === 0 || isHeadRow ? text : "";
        if (down > 0) pending[line.length] = { text: repeated, rows: down };
        line.push(repeated);
      }
    }
    takePending();
    return line;
  });
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
    return escapePipes(writer, escapeText(collapseSpace(only.text).trim(), false));
  }
  if (cell.end === cell.index + 1) return "";
  const written = writer.nested().write(cell);
  return escapePipes(writer, written.replace(/ *\n[\n ]*/g, "<br>"));
}

/**
 * A pipe behind an even number of backslashes ends the cell (GFM 0.29, 4.10). Behind an odd one it is escaped already:
 * that happens in code alone, where `\|` cannot be written.
 */
function escapePipes(writer: MarkdownWriter, text: string): string {
  if (writer.isInCell || !text.includes("|")) return text;
  return text.replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|");
}
