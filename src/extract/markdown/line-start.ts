/** Fewer than three dashes or stars are a rule behind the markers of list items (CommonMark 0.31, 4.1). */
const BLOCK_START =
  /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|\d{1,9}(?=[.)](?:\s|$))|(?:-\s*)+$|(?:\*\s*)+$|(?:_\s*){3,}$|~{3}|`{3,}[^`]*$)/;
/** What makes the lines above it a heading or the head of a table. */
const UNDERLINE = /^(?:=+|[|:-][|:\s-]*)$/;
const TELLING = new Set("#-+*>_~`=|:0123456789");

/** Where a backslash keeps the line from starting a block or underlining the one above; -1 when it does neither. */
export function lineStartEscape(line: string, isFirst: boolean): number {
  if (!TELLING.has(line.charAt(0))) return -1;
  const found = BLOCK_START.exec(line)?.[0];
  if (found !== undefined) return /^\d/.test(found) ? found.length : 0;
  return !isFirst && UNDERLINE.test(line.trimEnd()) ? 0 : -1;
}

/** A block whose lines would start others, with the backslashes against it. */
export function escapeLineStarts(block: string): string {
  if (!block.includes("\n")) return withBackslash(block, lineStartEscape(block, true));
  return block
    .split("\n")
    .map((line, index) => withBackslash(line, lineStartEscape(line, index === 0)))
    .join("\n");
}

function withBackslash(line: string, at: number): string {
  return at < 0 ? line : `${line.slice(0, at)}\\${line.slice(at)}`;
}
