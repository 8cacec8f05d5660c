const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g;
const EMPHASIS = /(^|[^\\*])\*{1,3}(?=\S)|(\S)(?<!\\)\*{1,3}|~~/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const FENCE = /^[ \t>]*(?:(?:[-*+:]|\d+[.)])[ \t]+)*(`{3,}|~{3,})/;
const TABLE_RULE = /^[ \t>]*\|(?: --- \|)+$/;

/** One line of Markdown without its marks. */
export function plainLine(markdown: string): string {
  let line = markdown;
  if (line.includes("](")) line = line.replace(LINK, "$1");
  if (line.includes("*") || line.includes("~~")) line = line.replace(EMPHASIS, "$1$2");
  if (line.includes("`")) line = line.replace(/(?<!\\)`+/g, "");
  if (line.includes("\\")) line = line.replace(ESCAPE, "$1");
  return line.trim();
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
    else if (!TABLE_RULE.test(line)) lines.push(plainLine(line.replace(/^[ \t>]*#{1,6} /, "").replaceAll("<br>", " ")));
  }
  return lines.join("\n");
}
