import { attribute, type Node, type Tree } from "../tree.js";

const GUTTER =
  /(?:^|\s)(?:[\w-]*(?:line-?numbers?(?!s?-(?:wrapper|container|mode|active))(?:-rows)?|linenos?|linenodiv|lnt(?![da])|gutter|hljs-ln-n|hljs-ln-numbers|blob-num|lines-num|crayon-nums?|pre-numbering|LineNumber)[\w-]*|[\w-]*line-?no|ln|no)(?:\s|$)/i;
/** Highlighters mark the block itself as having line numbers. */
const GUTTER_OWNER: ReadonlySet<string> = new Set(["pre", "code", "table", "tbody", "tr", "ol"]);
const CODE_CELL =
  /(?:^|\s)(?:code|rouge-code|blob-code|crayon-code|[\w-]*code-?cell|hljs-ln-code|lines-code|lines)(?:\s|$)/i;
const COPY = /(?:^|\s)[\w-]*(?:copy|clipboard|toolbar)[\w-]*(?:\s|$)/i;
/** Boxes over the code: types and errors of Twoslash, links to a playground. */
const OVERLAY =
  /(?:^|\s)(?:twoslash-(?:popup|error|completion|tag)[\w-]*|error-behind|CodeMirror-measure|playground-link|sr-only|visually-hidden)(?:\s|$)/i;
const CODE_TAGS: ReadonlySet<string> = new Set(["pre", "code"]);
const LABEL = /(?:^|\s)(?:code-?)?lang(?:uage)?(?:[-_]?(?:id|name|label|tag))?(?:\s|$)/i;
const NO_CODE: ReadonlySet<string> = new Set([
  "button",
  "clipboard-copy",
  "svg",
  "textarea",
  "select",
  "script",
  "style",
]);
const NUMBER_COLUMN = /^\s*1(?:\s+\d+)*\s*$/;
const MAX_FRAME_NODES = 24;
const UNSELECTABLE = /(?:^|\s)(?:select-none|user-select-none|noselect|no-select|unselectable)(?:\s|$)/i;

/** What a block of code shows that is no code: line numbers, buttons, its language's name. */
export function isLitter(tree: Tree, node: Node): boolean {
  const { name } = node.tag;
  if (name === "#text") return false;
  if (NO_CODE.has(name) || isNumberColumn(tree, node)) return true;
  if (!node.hasAttributes) return false;
  if (isGutter(node) || attribute(node, "data-line-number") !== undefined || isUnselectableNumber(tree, node)) {
    return true;
  }
  if (node.className === "" || name === "code") return false;
  return (COPY.test(node.className) && !framesCode(tree, node)) || isOverlay(tree, node) || isLanguageLabel(node);
}

/** True for a wrapper that is named after the button in it. */
export function framesCode(tree: Tree, node: Node): boolean {
  for (let at = node.index + 1; at < Math.min(node.end, node.index + MAX_FRAME_NODES); at++) {
    const name = tree.nodes[at]?.tag.name;
    if (name === "pre" || name === "code") return true;
  }
  return false;
}

/** The message of an error stands twice: in its box, and behind it to make room. */
function isOverlay(tree: Tree, node: Node): boolean {
  if (OVERLAY.test(node.className)) return true;
  return node.className === "error" && tree.nodes[node.end]?.className === "error-behind";
}

export function isGutter(node: Node): boolean {
  const { className, tag } = node;
  return className !== "" && GUTTER.test(className) && !GUTTER_OWNER.has(tag.name) && !CODE_CELL.test(className);
}

/** A cell of preformatted numbers that count the lines beside it, whatever its class. */
export function isNumberColumn(tree: Tree, cell: Node): boolean {
  if (!isPreformattedCell(tree, cell)) return false;
  let text = "";
  for (let at = cell.index + 1; at < cell.end; at++) text += tree.nodes[at]?.text ?? "";
  return NUMBER_COLUMN.test(text);
}

/** True for a cell that begins with preformatted text. */
export function isPreformattedCell(tree: Tree, cell: Node): boolean {
  if (cell.tag.name !== "td" && cell.tag.name !== "th") return false;
  const first = tree.nodes[cell.index + 1];
  return first?.tag.name === "pre" || (first?.tag.name === "div" && tree.nodes[first.index + 1]?.tag.name === "pre");
}

export function isCodeCell(node: Node): boolean {
  return node.className !== "" && CODE_CELL.test(node.className);
}

/** A number that cannot be selected with the code, or that a screen reader passes over. */
function isUnselectableNumber(tree: Tree, node: Node): boolean {
  const inner = tree.nodes[node.index + 1];
  if (node.end !== node.index + 2 || inner === undefined || !/^\s*\d+\s*$/.test(inner.text)) return false;
  return (
    attribute(node, "aria-hidden") === "true" ||
    attribute(node, "unselectable") !== undefined ||
    UNSELECTABLE.test(node.className) ||
    /user-select\s*:\s*none/i.test(attribute(node, "style") ?? "")
  );
}

/** A corner of the block that names its language. */
export function isLanguageLabel(node: Node): boolean {
  return node.className !== "" && !CODE_TAGS.has(node.tag.name) && LABEL.test(node.className);
}
