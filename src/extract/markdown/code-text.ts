import { attribute, type Node, type Tree } from "../tree.js";
import { isLitter } from "./code-litter.js";

/** One line of code, whatever its element: with or without a line break of its own. */
const LINE =
  /(?:^|\s)(?:line|token-line|code-?line|code-line-container|cl|view-line|cm-line|ec-line|ace_line|react-code-line|highlight-line|crayon-line|hljs-ln-line|blob-code|CodeMirror-line|(?:gatsby|prismjs)-highlight-code-line)(?:\s|$)/i;
/** Lines that end themselves: their highlighter writes no line break behind them. */
const CLOSED_LINE = /(?:^|\s)gatsby-highlight-code-line(?:\s|$)/;
const LINE_TAGS: ReadonlySet<string> = new Set(["tr", "li"]);
const CELL_TAGS: ReadonlySet<string> = new Set(["td", "th"]);
const PREFORMATTED: ReadonlySet<string> = new Set(["pre", "listing", "xmp", "plaintext", "textarea"]);
/** Marks that a style sheet writes before changed lines: GitHub names them, Shiki names what they mean. */
const DIFF_BLOCK = /(?:^|\s)has-diff(?:\s|$)/;
const DIFF_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\s)diff add(?:\s|$)/, "+"],
  [/(?:^|\s)diff remove(?:\s|$)/, "-"],
];
/** Word-break marks: nobody sees them, a compiler does. */
const INVISIBLE = /[\u200b\ufeff]/g;
/** What keeps the height of a blank line. */
const PLACEHOLDER = /^\u00a0$/gm;
/** White space of the source; a no-break space is meant. */
const SPACE = " \t\r\f";

interface OpenBlock {
  readonly end: number;
  /** An empty one is a blank line. */
  readonly isLine: boolean;
  readonly partsBefore: number;
}

/** Collects the pieces of a block of code, and knows where its lines end. */
class CodeLines {
  private readonly parts: string[] = [];
  private readonly open: OpenBlock[] = [];
  private endsLine = true;
  /** False from the start of an inline line element to the first line break behind it. */
  private hasBreak = true;
  private lineEnd = -1;

  add(text: string): void {
    if (text === "") return;
    this.parts.push(text);
    this.endsLine = text.endsWith("\n");
    if (text.includes("\n")) this.hasBreak = true;
  }

  endLine(): void {
    if (!this.endsLine) this.add("\n");
  }

  /** A cell stands beside the one before it. */
  startCell(): void {
    if (!this.endsLine) this.add("\t");
  }

  openBlock(end: number, isLine: boolean): void {
    this.endLine();
    this.open.push({ end, isLine, partsBefore: this.parts.length });
  }

  closeBlocks(at: number): void {
    for (let top = this.open.at(-1); top !== undefined && top.end <= at; top = this.open.at(-1)) {
      this.open.pop();
      if (top.isLine && this.parts.length === top.partsBefore) this.add("\n");
      else this.endLine();
    }
  }

  /** An inline element that holds a line; the ones inside it hold none. */
  openLine(at: number, end: number): void {
    if (at < this.lineEnd) return;
    if (!this.hasBreak) this.add("\n");
    this.lineEnd = end;
    this.hasBreak = false;
  }

  toString(): string {
    return this.parts
      .join("")
      .replace(/\r\n?/g, "\n")
      .replace(PLACEHOLDER, "")
      .replaceAll("\u00a0", " ")
      .replace(INVISIBLE, "")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
  }
}

/** The text of a code element: line breaks as they are seen, without gutters and buttons. */
export function codeText(tree: Tree, gone: Uint8Array, root: Node): string {
  const lines = new CodeLines();
  const hasDiffSigns = DIFF_BLOCK.test(root.className);
  let preformattedEnd = keepsBreaks(tree, root) ? root.end : -1;
  let gutterEnd = -1;
  for (let at = root.index + 1; at < root.end; ) {
    lines.closeBlocks(at);
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1 || isLitter(tree, node)) {
      gutterEnd = node.end;
      at = node.end;
      continue;
    }
    const { name, isBlock } = node.tag;
    if (name === "#text") {
      // Doxygen sets a no-break space between number and line.
      const text = at === gutterEnd && node.text.startsWith("\u00a0") ? node.text.slice(1) : node.text;
      lines.add(at < preformattedEnd ? text : collapseBreaks(text));
    } else if (name === "br") lines.add("\n");
    else {
      if (PREFORMATTED.has(name)) preformattedEnd = Math.max(preformattedEnd, node.end);
      const isLine = node.className !== "" && LINE.test(node.className);
      if (CELL_TAGS.has(name)) lines.startCell();
      else if (isBlock || (isLine && CLOSED_LINE.test(node.className)))
        lines.openBlock(node.end, isLine || LINE_TAGS.has(name));
      else if (isLine) lines.openLine(at, node.end);
      lines.add(diffSign(node, hasDiffSigns && isLine));
    }
    at += 1;
  }
  lines.closeBlocks(root.end);
  return lines.toString();
}

/** Where elements break the lines and nothing is preformatted, breaks in the source are only white space. */
function keepsBreaks(tree: Tree, root: Node): boolean {
  for (let node: Node | undefined = root, steps = 0; node !== undefined && steps < 4; node = node.parent, steps++) {
    if (PREFORMATTED.has(node.tag.name)) return true;
  }
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node?.tag.name === "br" || node?.tag.isBlock === true) return false;
  }
  return true;
}

function collapseBreaks(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? 0 : spaceBefore(line), index === last ? undefined : spaceBehind(line)),
    )
    .filter((line) => line !== "")
    .join(" ");
}

function spaceBefore(line: string): number {
  let at = 0;
  while (at < line.length && SPACE.includes(line.charAt(at))) at += 1;
  return at;
}

function spaceBehind(line: string): number {
  let end = line.length;
  while (end > 0 && SPACE.includes(line.charAt(end - 1))) end -= 1;
  return end;
}

function diffSign(node: Node, isDiffLine: boolean): string {
  if (isDiffLine) return DIFF_SIGNS.find(([pattern]) => pattern.test(node.className))?.[1] ?? " ";
  return !node.hasAttributes ? "" : (attribute(node, "data-code-marker") ?? "");
}
