import { attribute, type Node, type Tree } from "../tree.js";
import { accent, LARGE_OPERATORS, NAMED_FUNCTIONS, OPERATORS, VARIANTS } from "./tex-names.js";

const MAX_TEX_CHARS = 4_000;
const NOT_SHOWN: ReadonlySet<string> = new Set([
  "annotation",
  "annotation-xml",
  "mphantom",
  "maligngroup",
  "malignmark",
]);
/** One character, one command, or one group: what takes a script without braces. */
const ATOM = /^(?:[^\\{}]|\\[a-z]+|\\.)$/iu;

interface Frame {
  readonly node: Node;
  readonly children: string[];
}

/** Presentation MathML (MathML Core, chapter 3) as TeX; letters and signs without a name in TeX stay as they are. */
export function texOfMathMl(tree: Tree, root: Node): string {
  const frames: Frame[] = [{ node: root, children: [] }];
  let chars = 0;
  for (let at = root.index + 1; ; ) {
    for (let top = frames.at(-1); top !== undefined && frames.length > 1 && top.node.end <= at; top = frames.at(-1)) {
      frames.pop();
      frames.at(-1)?.children.push(compose(top));
    }
    const node = tree.nodes[at];
    if (node === undefined || at >= root.end || chars > MAX_TEX_CHARS) break;
    if (NOT_SHOWN.has(node.tag.name)) at = node.end;
    else {
      if (node.tag.name !== "#text") frames.push({ node, children: [] });
      else if (node.text.trim() !== "") frames.at(-1)?.children.push(node.text.replace(/\s+/g, " "));
      chars += node.text.length;
      at += 1;
    }
  }
  while (frames.length > 1) {
    const top = frames.pop();
    if (top !== undefined) frames.at(-1)?.children.push(compose(top));
  }
  return frames[0] === undefined ? "" : compose(frames[0]);
}

type Composer = (children: readonly string[], node: Node) => string;

const scripts =
  (first: string, second = ""): Composer =>
  ([base = "", one = "", two = ""]) =>
    withScripts(base, [
      [first, one],
      [second, two],
    ]);

/** How each element is put together from its children; the others are rows. */
const COMPOSERS: ReadonlyMap<string, Composer> = new Map<string, Composer>([
  ["mi", (children, node) => identifier(escapeTex(children.join("").trim()), attribute(node, "mathvariant"))],
  ["mn", (children) => escapeTex(children.join("").trim())],
  ["mo", (children) => operator(children.join("").trim())],
  ["mtext", (children) => text(children.join(""))],
  ["ms", (children) => text(`"${children.join("")}"`)],
  ["mspace", () => " "],
  ["none", () => ""],
  ["semantics", ([shown = ""]) => shown],
  ["mfrac", ([above = "", below = ""], node) => fraction(above, below, attribute(node, "linethickness"))],
  ["msqrt", (children) => `\\sqrt{${row(children)}}`],
  ["mroot", ([base = "", degree = ""]) => `\\sqrt[${degree}]{${base}}`],
  ["msup", scripts("^")],
  ["msub", scripts("_")],
  ["msubsup", scripts("_", "^")],
  ["mover", ([base = "", over = ""]) => around(base, "", over)],
  ["munder", ([base = "", under = ""]) => around(base, under, "")],
  ["munderover", ([base = "", under = "", over = ""]) => around(base, under, over)],
  ["mmultiscripts", multiscripts],
  ["mprescripts", () => "\\mprescripts"],
  ["mfenced", fenced],
  ["mtr", (children) => children.join(" & ")],
  ["mlabeledtr", (children) => children.slice(1).join(" & ")],
  ["mtable", (children) => `\\begin{matrix}${children.join(" \\\\ ")}\\end{matrix}`],
]);

function compose({ node, children }: Frame): string {
  const made = (COMPOSERS.get(node.tag.name) ?? row)(children, node);
  return made.length > MAX_TEX_CHARS ? "" : made;
}

/** A space only where a command would swallow the letter behind it. */
function row(children: readonly string[]): string {
  let tex = "";
  for (const child of children) {
    tex += /\\[a-z]+$/i.test(tex.slice(-24)) && /^[a-z]/i.test(child) ? ` ${child}` : child;
  }
  return tex;
}

function escapeTex(text: string): string {
  return text
    .replace(/[\u2061-\u2064]/g, "")
    .replace(/[#$%&_{}]/g, "\\$&")
    .replace(/\\(?![#$%&_{}])/g, "\\backslash ");
}

function identifier(name: string, variant: string | undefined): string {
  const style = variant === undefined ? undefined : VARIANTS.get(variant);
  if (style !== undefined) return `\\${style}{${name}}`;
  if (NAMED_FUNCTIONS.has(name)) return `\\${name}`;
  return [...name].length > 1 && /^[a-z]+$/i.test(name) ? `\\mathrm{${name}}` : name;
}

const operator = (sign: string): string =>
  OPERATORS.get(sign) ?? (NAMED_FUNCTIONS.has(sign) ? `\\${sign}` : escapeTex(sign));

const text = (written: string): string => (written.trim() === "" ? " " : `\\text{${escapeTex(written)}}`);

function fraction(above: string, below: string, thickness: string | undefined): string {
  return thickness !== undefined && Number.parseFloat(thickness) === 0
    ? `\\binom{${above}}{${below}}`
    : `\\frac{${above}}{${below}}`;
}

const group = (tex: string): string => (ATOM.test(tex) ? tex : `{${tex}}`);

function withScripts(base: string, marks: readonly (readonly [mark: string, tex: string])[]): string {
  let tex = /^(?:[^\\{}^_\s]+|\\[a-z]+(?:\{[^{}]*\})*)$/i.test(base) && !/^.+[-+=,]/.test(base) ? base : `{${base}}`;
  for (const [mark, script] of marks) {
    if (script === "" || mark === "") continue;
    tex += /^'+$/.test(script) && mark === "^" ? script : mark + group(script);
  }
  return tex;
}

/** Limits of sums and the like, accents, and else something set over or under. */
function around(base: string, under: string, over: string): string {
  if (LARGE_OPERATORS.has(base)) {
    return withScripts(base, [
      ["_", under],
      ["^", over],
    ]);
  }
  let tex = base;
  if (over !== "") tex = accent("over", over, tex) ?? `\\overset{${over}}{${tex}}`;
  if (under !== "") tex = accent("under", under, tex) ?? `\\underset{${under}}{${tex}}`;
  return tex;
}

function multiscripts([base = "", ...rest]: readonly string[]): string {
  const at = rest.indexOf("\\mprescripts");
  const after = at < 0 ? rest : rest.slice(0, at);
  const before = at < 0 ? [] : rest.slice(at + 1);
  const pairs = (list: readonly string[]): readonly (readonly [string, string])[] =>
    list.map((script, index) => [index % 2 === 0 ? "_" : "^", script]);
  return (before.length > 0 ? withScripts("", pairs(before)) : "") + withScripts(base, pairs(after));
}

function fenced(children: readonly string[], node: Node): string {
  const separators = [...(attribute(node, "separators") ?? ",").replace(/\s/g, "")];
  let inner = "";
  for (const [index, child] of children.entries()) {
    inner += index === 0 ? child : (separators[index - 1] ?? separators.at(-1) ?? "") + child;
  }
  return `${escapeTex(attribute(node, "open") ?? "(")}${inner}${escapeTex(attribute(node, "close") ?? ")")}`;
}
