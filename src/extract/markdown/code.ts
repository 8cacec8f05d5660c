import { attribute, type Node, type Tree } from "../tree.js";
import { codeLanguage } from "./language.js";

const GUTTER =
  /(?:^|\s)(?:[\w-]*(?:line-?numbers?(?!s?-(?:wrapper|container|mode|active))(?:-rows)?|linenos?|linenodiv|lnt|gutter|hljs-ln-n|hljs-ln-numbers|blob-num|LineNumber)[\w-]*|ln|no)(?:\s|$)/i;
/** Prism marks the block itself as having line numbers. */
const GUTTER_OWNER = new Set(["pre", "code"]);
const COPY = /(?:^|\s)[\w-]*(?:copy|clipboard|toolbar)[\w-]*(?:\s|$)/i;
const LINE =
  /(?:^|\s)(?:line|token-line|code-?line|cl|view-line|cm-line|ec-line|hljs-ln-line|blob-code|CodeMirror-line)(?:\s|$)/i;
const NO_CODE = new Set(["button", "clipboard-copy", "svg", "textarea", "select", "script", "style"]);
const CODE_TABLE =
  /(?:^|\s)(?:[\w-]*highlighttable|rouge-table|lntable|hljs-ln|js-file-line-container|crayon-table|codetable|[\w-]*code-?table)(?:\s|$)/i;
const CODE_CELL = /(?:^|\s)(?:code|rouge-code|blob-code|crayon-code|[\w-]*code-?cell|hljs-ln-code)(?:\s|$)/i;
const MAX_BREAKS = 4;

/** The text of a code element: line breaks as they are seen, without gutters and buttons. */
export function codeText(tree: Tree, gone: Uint8Array, root: Node): string {
  const parts: string[] = [];
  const blockEnds: number[] = [];
  let endsLine = true;
  let lineEnd = -1;
  let lineCount = 0;
  let hasBreak = true;
  const add = (text: string): void => {
    parts.push(text);
    endsLine = text.endsWith("\n");
    if (text.includes("\n")) hasBreak = true;
  };
  for (let at = root.index + 1; at < root.end; ) {
    while ((blockEnds[blockEnds.length - 1] ?? at + 1) <= at) {
      blockEnds.pop();
      if (!endsLine) add("\n");
    }
    const node = tree.nodes[at];
    if (node === undefined) break;
    const { name } = node.tag;
    if (gone[at] === 1 || NO_CODE.has(name) || isLitter(node)) {
      at = node.end;
      continue;
    }
    if (name === "#text") {
      if (node.text !== "") add(node.text);
    } else if (name === "br") add("\n");
    else if (node.tag.isBlock) {
      // A row of cells or a division a line.
      if (!endsLine) add("\n");
      if (node.end > at + 1) blockEnds.push(node.end);
    } else if (at >= lineEnd && LINE.test(node.className)) {
      if (lineCount > 0 && !hasBreak) add("\n");
      lineCount += 1;
      lineEnd = node.end;
      hasBreak = false;
    }
    at += 1;
  }
  return parts
    .join("")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\u00a0", " ")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

function isLitter(node: Node): boolean {
  if (node.className === "" || node.tag.name === "#text") return attribute(node, "data-line-number") !== undefined;
  if (GUTTER.test(node.className) && !GUTTER_OWNER.has(node.tag.name) && !CODE_CELL.test(node.className)) return true;
  return COPY.test(node.className) && node.tag.name !== "code";
}

/** A fence longer than any inside (CommonMark 0.31, 4.5). */
export function fenced(text: string, language: string): string {
  let longest = 2;
  for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export function codeSpan(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest === 1 ? 2 : longest + 1);
  const padding = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return fence + padding + text + padding + fence;
}

/** The fenced block of a `pre`, or of any element that holds nothing but code. */
export function codeBlock(tree: Tree, gone: Uint8Array, block: Node): string {
  const text = codeText(tree, gone, block);
  return text === "" ? "" : fenced(text, codeLanguage(block, innerCode(tree, block)));
}

function innerCode(tree: Tree, block: Node): Node | undefined {
  const limit = Math.min(block.end, block.index + 12);
  for (let at = block.index + 1; at < limit; at++) {
    const node = tree.nodes[at];
    if (node?.tag.name === "code") return node;
  }
  return undefined;
}

/** Highlighters that lay code out as a table: one column of numbers, one of code. */
export function isCodeTable(tree: Tree, table: Node): boolean {
  if (CODE_TABLE.test(table.className)) return true;
  let numbers = 0;
  let code = 0;
  for (let at = table.index + 1; at < Math.min(table.end, table.index + 40); at++) {
    const node = tree.nodes[at];
    if (node === undefined || (node.tag.name !== "td" && node.tag.name !== "th")) continue;
    if (GUTTER.test(node.className)) numbers += 1;
    else if (CODE_CELL.test(node.className)) code += 1;
  }
  return numbers > 0 && code > 0;
}

/** A `code` element that is laid out as a block: it breaks its own lines. */
export function isCodeBlock(tree: Tree, code: Node): boolean {
  let breaks = 0;
  for (let at = code.index + 1; at < code.end && breaks < MAX_BREAKS; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (node.tag.name === "br") breaks += 1;
    else if (node.tag.isBlock && node.tag.name !== "p") return true;
  }
  return (
    breaks > 0 || (/white-space\s*:\s*pre/i.test(attribute(code, "style") ?? "") && /\n/.test(codeSample(tree, code)))
  );
}

function codeSample(tree: Tree, code: Node): string {
  let text = "";
  for (let at = code.index + 1; at < code.end; at++) text += tree.nodes[at]?.text ?? "";
  return text.trim();
}
