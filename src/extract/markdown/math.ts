import { attribute, type Node, type Tree } from "../tree.js";

const MAX_FORMULA_CHARS = 2_000;

/** A formula between dollars, displayed ones between two. */
export function formula(tex: string, isDisplay: boolean): string {
  const source = unwrap(tex.replace(/\s+/g, " ").trim()).slice(0, MAX_FORMULA_CHARS);
  if (source === "") return "";
  return isDisplay ? `$$${source}$$` : `$${source}$`;
}

/** Wikipedia wraps every formula in a style. */
function unwrap(tex: string): string {
  return /^\{\\(?:display|text)style ([\s\S]*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

/** TeX of a MathML subtree: its annotation, its `alttext`, else its own text with powers and indices marked. */
export function texOf(tree: Tree, root: Node): string {
  for (let at = root.index; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (node.tag.name === "annotation" && /tex/i.test(attribute(node, "encoding") ?? "")) return rawText(tree, node);
    if (node.tag.name === "math") {
      const written = attribute(node, "alttext");
      if (written !== undefined && written !== "") return written;
    }
  }
  return linear(tree, root);
}

function rawText(tree: Tree, node: Node): string {
  let text = "";
  for (let at = node.index + 1; at < node.end; at++) text += tree.nodes[at]?.text ?? "";
  return text;
}

/** What stands before the second and third child of a MathML element, and round the whole (MathML Core 3.3, 3.4). */
const SCHEMATA: ReadonlyMap<string, readonly [open: string, second: string, third: string, close: string]> = new Map([
  ["msup", ["", "^", "", ""]],
  ["msub", ["", "_", "", ""]],
  ["msubsup", ["", "_", "^", ""]],
  ["munder", ["", "_", "", ""]],
  ["mover", ["", "^", "", ""]],
  ["munderover", ["", "_", "^", ""]],
  ["mfrac", ["", "/", "", ""]],
  ["msqrt", ["\\sqrt{", "", "", "}"]],
  ["mroot", ["\\sqrt{", "", "", "}"]],
]);
const SKIPPED = new Set(["annotation", "annotation-xml", "mphantom", "mspace"]);

function linear(tree: Tree, root: Node): string {
  let text = "";
  const closers: { readonly end: number; readonly text: string }[] = [];
  for (let at = root.index + 1; at < root.end; ) {
    while ((closers[closers.length - 1]?.end ?? at + 1) <= at) text += closers.pop()?.text ?? "";
    const node = tree.nodes[at];
    if (node === undefined || text.length > MAX_FORMULA_CHARS) break;
    if (SKIPPED.has(node.tag.name)) {
      at = node.end;
      continue;
    }
    const schema = node.parent === undefined ? undefined : SCHEMATA.get(node.parent.tag.name);
    if (schema !== undefined && node.text.trim() === "" && node.tag.name !== "#text") {
      const place = childPlace(tree, node);
      const mark = place === 1 ? schema[1] : place === 2 ? schema[2] : "";
      const isGroup = node.tag.name === "mrow" && node.end > node.index + 3;
      text += mark + (isGroup ? "{" : "");
      if (isGroup) closers.push({ end: node.end, text: "}" });
    }
    const own = SCHEMATA.get(node.tag.name);
    if (own !== undefined && own[0] !== "") {
      text += own[0];
      closers.push({ end: node.end, text: own[3] });
    }
    text += node.text.trim();
    at += 1;
  }
  while (closers.length > 0) text += closers.pop()?.text ?? "";
  return text;
}

/** 0-based place among the element children of its parent; schemata have three at most. */
function childPlace(tree: Tree, node: Node): number {
  let place = 0;
  for (let at = (node.parent?.index ?? 0) + 1; at < node.index && place < 3; ) {
    const sibling = tree.nodes[at];
    if (sibling === undefined) break;
    if (sibling.tag.name !== "#text") place += 1;
    at = sibling.end;
  }
  return place;
}
