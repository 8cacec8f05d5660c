import { characterClass, flanking } from "./flanking.js";

const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g;
/** An escaped character, a code span, or what may be a mark of emphasis. */
const TOKEN = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)([^`]|[^`][\s\S]*?[^`])\2(?!`)|\*+|~~/g;
const FENCE = /^[ \t>]*(?:(?:[-*+:]|\d+[.)])[ \t]+)*(`{3,})[^`]*$/;
const TABLE_ROW = /^[ \t>]*(?:(?:[-*]|\d+[.)])[ \t]+)*\|.*\|$/;
const TABLE_RULE = /^[ \t>]*\|(?: --- \|)+$/;
const TABLE_TAGS = /^[ \t>]*<\/?(?:table|caption|tr|t[dh](?: (?:col|row)span="\d+")*)>(?:(.*)<\/(?:caption|t[dh])>)?$/;

/** Markdown of one block without its marks. */
export function plainLine(markdown: string): string {
  const unlinked = markdown.includes("](") ? markdown.replace(LINK, "$1") : markdown;
  if (!/[\\`*~]/.test(unlinked)) return unlinked.trim();
  const parts: string[] = [];
  const marks = new Marks();
  let from = 0;
  for (const { 0: token, 1: escaped, 3: code, index } of unlinked.matchAll(TOKEN)) {
    parts.push(unlinked.slice(from, index));
    from = index + token.length;
    if (escaped !== undefined || code !== undefined) parts.push(escaped ?? codeOf(code ?? ""));
    else {
      const after = characterClass(unlinked, from);
      marks.add(parts.length, token, flanking(characterClass(unlinked, index - 1), after, token.charAt(0)));
      parts.push(token);
    }
  }
  parts.push(unlinked.slice(from));
  for (const { part, text } of marks.literal) parts[part] = text;
  return parts.join("").trim();
}

interface Run {
  readonly part: number;
  text: string;
}

/** Pairs the marks of one line: our writer leaves a delimiter unescaped only where it has none to pair with. */
class Marks {
  /** What is left of each run when its pairs are gone. */
  readonly literal: Run[] = [];
  private readonly open: Readonly<Record<string, Run[]>> = { "*": [], "~": [] };

  add(part: number, token: string, { mayClose, mayOpen }: { mayClose: boolean; mayOpen: boolean }): void {
    const open = this.open[token.charAt(0)] ?? [];
    const run = { part, text: token };
    this.literal.push(run);
    for (
      let last = open[open.length - 1];
      mayClose && last !== undefined && run.text !== "";
      last = open[open.length - 1]
    ) {
      const length = Math.min(last.text.length, run.text.length);
      last.text = last.text.slice(length);
      run.text = run.text.slice(length);
      if (last.text === "") open.pop();
    }
    if (mayOpen && run.text !== "") open.push(run);
  }
}

/** CommonMark 0.31, 6.1: one space at both ends of a code span belongs to its marks. */
function codeOf(code: string): string {
  return /^ .*[^ ].* $/.test(code) || /^ .*` $|^ `.* $/.test(code) ? code.slice(1, -1) : code;
}

/** The Markdown of our writer as plain text: headings, emphasis and links lose their marks, code stays as it is. */
export function plainText(markdown: string): string {
  const lines: string[] = [];
  let fence = "";
  let block: string[] = [];
  const endBlock = (): void => {
    if (block.length > 0) lines.push(...plainLine(block.join("\n")).split("\n"));
    block = [];
  };
  for (const line of markdown.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence) === true) fence = "";
      else lines.push(line);
    } else if (mark !== undefined) {
      endBlock();
      fence = mark;
    } else if (!TABLE_RULE.test(line)) {
      const [tags, content] = TABLE_TAGS.exec(line) ?? [];
      if (tags !== undefined && content === undefined) continue;
      const text = (content ?? line)
        .replace(/^[ \t>]*#{1,6} /, "")
        .replaceAll("<br>", " ")
        .trim();
      if (TABLE_ROW.test(text)) {
        endBlock();
        lines.push(text.split(" | ").map(plainLine).join(" | "));
      } else if (text !== "") block.push(text);
      else {
        endBlock();
        lines.push("");
      }
    }
  }
  endBlock();
  return lines.join("\n");
}
