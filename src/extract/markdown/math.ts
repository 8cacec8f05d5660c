import { attribute, type Node, type Tree } from "../tree.js";
import { texOfMathMl } from "./mathml.js";

const MAX_FORMULA_CHARS = 2_000;
const MATH_ELEMENT = /^(?:math|m(?:row|frac|sup|sub|subsup|sqrt|root))$/;

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

/** TeX of a formula's subtree: its annotation, its `alttext`, the source a renderer kept, else its MathML spelt out. */
export function texOf(tree: Tree, root: Node): string {
  let math: Node | undefined;
  for (let at = root.index; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const { name } = node.tag;
    if (name === "annotation" && /tex/i.test(attribute(node, "encoding") ?? "")) return rawText(tree, node);
    if (MATH_ELEMENT.test(name)) math ??= node;
    const written = name === "math" ? attribute(node, "alttext") : attribute(node, "data-latex");
    if (written !== undefined && written !== "") return written;
  }
  return texOfMathMl(tree, math ?? root);
}

/** The first `math` element of a subtree. */
export function mathIn(tree: Tree, root: Node): Node | undefined {
  for (let at = root.index; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node?.tag.name === "math") return node;
  }
  return undefined;
}

function rawText(tree: Tree, node: Node): string {
  let text = "";
  for (let at = node.index + 1; at < node.end; at++) text += tree.nodes[at]?.text ?? "";
  return text;
}

export interface TexSource {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** What MathJax and KaTeX look for in text (MathJax: `tex2jax`, KaTeX: auto-render). */
const DELIMITED = /(?<!\\)\\\(((?:[^\\]|\\[^()])+)\\\)|(?<!\\)\\\[((?:[^\\]|\\[^[\]])+)\\\]|(?<![\\$])\$\$([^$]+)\$\$/g;
const DELIMITER = /\\[([]|\$\$/;
const RENDERERS = ["MathJax", "mathjax", "KaTeX", "katex"];
const DOLLARS = /^\s*\$([^$]+)\$\s*$/;

/** TeX between delimiters with nothing else round it. */
export function delimitedTex(text: string): TexSource | undefined {
  const inline = DOLLARS.exec(text)?.[1];
  if (inline !== undefined) return { tex: inline, isDisplay: false };
  const parts = splitTex(text.trim());
  return parts.length === 1 && typeof parts[0] === "object" ? parts[0] : undefined;
}

/** True when a script of the page would render the TeX in its text. */
export const rendersTex = (html: string): boolean => RENDERERS.some((name) => html.includes(name));

export const mayHoldTex = (text: string): boolean => DELIMITER.test(text);

/** Text and the formulas in it. */
export function splitTex(text: string): readonly (string | TexSource)[] {
  const parts: (string | TexSource)[] = [];
  let start = 0;
  for (const found of text.matchAll(DELIMITED)) {
    if (found.index > start) parts.push(text.slice(start, found.index));
    const [, inline, bracketed, dollars] = found;
    parts.push({ tex: inline ?? bracketed ?? dollars ?? "", isDisplay: inline === undefined });
    start = found.index + found[0].length;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}
