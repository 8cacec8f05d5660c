import { attribute, type Node, type Tree } from "../tree.js";
import { isCodeCell, isGutter, isNumberColumn, isPreformattedCell } from "./code-litter.js";
import { codeText } from "./code-text.js";
import { type CodePlace, codeLanguage } from "./language.js";

const CODE_TABLE =
  /(?:^|\s)(?:[\w-]*highlighttable|rouge-table|lntable|hljs-ln|js-file-line-container|crayon-table|codetable|linenotable|processedcode|[\w-]*code-?table)(?:\s|$)/i;
const MAX_TABLE_STEPS = 24;
const NOT_CODE: ReadonlySet<string> = new Set(["img", "hr", "li"]);
const HIGHLIGHTED = /(?:^|\s)(?:hljs|prettyprint|(?:language|lang)-[\w+#.-]+)(?:\s|$)/i;
const KEEPS_SPACE = /white-space\s*:\s*(?:pre|break-spaces)|display\s*:\s*block/i;

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
export function codeBlock(place: CodePlace, block: Node): string {
  const text = codeText(place.tree, place.gone, block);
  return text === "" ? "" : fenced(text, codeLanguage(place, block, text));
}

/** Highlighters that lay code out as a table: one column of numbers, one of code. */
export function isCodeTable(tree: Tree, table: Node): boolean {
  if (CODE_TABLE.test(table.className)) return true;
  let numbers = 0;
  let code = 0;
  let at = table.index + 1;
  for (let steps = 0; at < table.end && steps < MAX_TABLE_STEPS; steps++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (node.tag.name !== "td" && node.tag.name !== "th") {
      at += 1;
      continue;
    }
    if (isGutter(node) || isNumberColumn(tree, node)) numbers += 1;
    else if (isCodeCell(node) || (numbers > 0 && isPreformattedCell(tree, node))) code += 1;
    at = node.end;
  }
  return numbers > 0 && code > 0;
}

/** A `code` element that is laid out as a block: it breaks its own lines. */
export function isCodeBlock(tree: Tree, code: Node): boolean {
  for (let at = code.index + 1; at < code.end; at++) {
    const { name, isBlock } = tree.nodes[at]?.tag ?? code.tag;
    if (name === "br" || (isBlock && name !== "p")) return true;
  }
  return keepsSpace(code) && sample(tree, code).trim().includes("\n");
}

/** True when an element shows blocks of code and nothing else. */
export function holdsOnlyCode(tree: Tree, gone: Uint8Array, root: Node): boolean {
  let hasCode = false;
  for (let at = root.index + 1; at < root.end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const isCode = node.tag.name === "pre";
    const isGone = gone[at] === 1;
    if (!isGone && (node.text.trim() !== "" || NOT_CODE.has(node.tag.name))) return false;
    hasCode ||= isCode && !isGone;
    at = isCode || isGone ? node.end : at + 1;
  }
  return hasCode;
}

function keepsSpace(code: Node): boolean {
  return HIGHLIGHTED.test(code.className) || KEEPS_SPACE.test(attribute(code, "style") ?? "");
}

function sample(tree: Tree, node: Node): string {
  let text = "";
  for (let at = node.index + 1; at < node.end; at++) text += tree.nodes[at]?.text ?? "";
  return text;
}
