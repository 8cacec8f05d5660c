import type { Node } from "../tree.js";
import { spanOf, type TableShape } from "./table-shape.js";
import type { MarkdownWriter } from "./writer.js";

/** Text that means the same as HTML and as Markdown. */
const PLAIN = /^[^\n\\`*_[\]<>&~$!]*$/;

/**
 * A table whose cells hold blocks, as HTML: structural tags and spans only, and between blank lines each cell's content
 * as Markdown (CommonMark 0.31, 4.6: an HTML block of kind 6 ends at a blank line).
 */
export function htmlTable(writer: MarkdownWriter, { rows, caption }: TableShape): string {
  const lines = ["<table>"];
  if (caption !== undefined) pushElement(lines, "<caption>", writer.standalone().write(caption), "</caption>");
  for (const { cells } of rows) {
    lines.push("<tr>");
    for (const cell of cells) {
      const name = cell.tag.name === "th" ? "th" : "td";
      pushElement(lines, `<${name}${spans(cell)}>`, writer.standalone().write(cell), `</${name}>`);
    }
    lines.push("</tr>");
  }
  lines.push("</table>");
  return lines.join("\n");
}

function pushElement(lines: string[], start: string, content: string, end: string): void {
  if (PLAIN.test(content)) lines.push(`${start}${content}${end}`);
  else lines.push(start, "", content, "", end);
}

function spans(cell: Node): string {
  return (["colspan", "rowspan"] as const)
    .map((name) => [name, spanOf(cell, name)] as const)
    .filter(([, span]) => span > 1)
    .map(([name, span]) => ` ${name}="${span}"`)
    .join("");
}
