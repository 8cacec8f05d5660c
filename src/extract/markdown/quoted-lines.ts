const QUOTED = /^\\>/;

/**
 * Mail that a page shows as text, line by line: lines marked with `>` are a quote as they stand. One such line alone may
 * be anything; from two on they are one.
 */
export function quotedLines(block: string): readonly string[] {
  if (!block.startsWith("\\>") && !block.includes("\n\\>")) return [block];
  const lines = block.split("\n");
  if (lines.filter((line) => QUOTED.test(line)).length < 2) return [block];
  const groups: string[] = [];
  let wasQuoted: boolean | undefined;
  for (const line of lines) {
    const isQuoted = QUOTED.test(line);
    const text = isQuoted ? line.slice(1) : line;
    if (isQuoted === wasQuoted) groups[groups.length - 1] += `\n${text}`;
    else groups.push(text);
    wasQuoted = isQuoted;
  }
  return groups.map((group) => group.trimEnd());
}
