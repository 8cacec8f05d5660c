import { characterClass, flanking } from "./flanking.js";

const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g;
/** An escaped character, a code span, or a mark of emphasis; what stands in a code span or between spaces is no mark. */
const MARK = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)([^`]|[^`][\s\S]*?[^`])\2(?!`)|(?<=\S)\*+|\*+(?=\S)|~~/g;
const FENCE = /^[ \t>]*(?:(?:[-*+:]|\d+[.)])[ \t]+)*(`{3,}|~{3,})/;
const TABLE_RULE = /^[ \t>]*\|(?: --- \|)+$/;
const TABLE_TAGS = /^[ \t>]*<\/?(?:table|caption|tr|t[dh](?: (?:col|row)span="\d+")*)>(?:(.*)<\/(?:caption|t[dh])>)?$/;

/** Markdown of one block without its marks. */
export function plainLine(markdown: string): string {
  const unlinked = markdown.includes("](") ? markdown.replace(LINK, "$1") : markdown;
  if (!/[\\`*~]/.test(unlinked)) return unlinked.trim();
  const hasEmphasis = pairsStars(markdown);
  return unlinked
    .replace(MARK, (mark: string, escaped: string | undefined, _ticks, code: string | undefined) =>
      mark.startsWith("*") && !hasEmphasis ? mark : (escaped ?? codeOf(code)),
    )
    .trim();
}

/** Stars that none before them opens and none behind them closes are text: the writer leaves them as they are. */
function pairsStars(markdown: string): boolean {
  if (!markdown.includes("*")) return false;
  let isOpen = false;
  for (const { 0: mark, index } of markdown.matchAll(MARK)) {
    if (!mark.startsWith("*")) continue;
    const before = characterClass(markdown, index - 1);
    const { mayOpen, mayClose } = flanking(before, characterClass(markdown, index + mark.length), "*");
    if (mayClose && isOpen) return true;
    isOpen ||= mayOpen;
  }
  return false;
}

/** CommonMark 0.31, 6.1: one space at both ends of a code span belongs to its marks. */
function codeOf(code: string | undefined): string {
  if (code === undefined) return "";
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
      if (text !== "") block.push(text);
      else {
        endBlock();
        lines.push("");
      }
    }
  }
  endBlock();
  return lines.join("\n");
}
