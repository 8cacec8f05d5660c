const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g;
/** An escaped character, a code span, or a mark of emphasis; what stands in a code span or between spaces is no mark. */
const MARK = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)([^`]|[^`][\s\S]*?[^`])\2(?!`)|(?<=\S)\*+|\*+(?=\S)|~~/g;
const FENCE = /^[ \t>]*(?:(?:[-*+:]|\d+[.)])[ \t]+)*(`{3,}|~{3,})/;
const TABLE_RULE = /^[ \t>]*\|(?: --- \|)+$/;
const TABLE_TAGS = /^[ \t>]*<\/?(?:table|caption|tr|t[dh](?: (?:col|row)span="\d+")*)>(?:(.*)<\/(?:caption|t[dh])>)?$/;

/** One line of Markdown without its marks. */
export function plainLine(markdown: string): string {
  const unlinked = markdown.includes("](") ? markdown.replace(LINK, "$1") : markdown;
  if (!/[\\`*~]/.test(unlinked)) return unlinked.trim();
  return unlinked
    .replace(MARK, (_mark, escaped: string | undefined, _ticks, code: string | undefined) => escaped ?? codeOf(code))
    .trim();
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
  for (const line of markdown.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence) === true) fence = "";
      else lines.push(line);
    } else if (mark !== undefined) fence = mark;
    else if (!TABLE_RULE.test(line)) {
      const [tags, content] = TABLE_TAGS.exec(line) ?? [];
      if (tags !== undefined && content === undefined) continue;
      lines.push(plainLine((content ?? line).replace(/^[ \t>]*#{1,6} /, "").replaceAll("<br>", " ")));
    }
  }
  return lines.join("\n");
}
