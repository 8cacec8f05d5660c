import type { OutlineEntry } from "../types.js";

const MAX_TITLE_CHARS = 100;

/**
 * An outline for a reader to choose from: one line a section with its number, title and size in characters, indented by
 * depth. The deepest levels go first when there are more than `maxEntries` or `maxChars`; what is left out is counted.
 * Titles are the page's own words: the result belongs inside the envelope.
 */
export function renderOutline(
  outline: readonly OutlineEntry[],
  maxEntries: number,
  maxChars: number = Number.POSITIVE_INFINITY,
): string {
  if (outline.length === 0) return "";
  const deepest = Math.max(...depthsOf(outline));
  // One top heading alone is no choice.
  const shallowest = Math.min(deepest, countDownTo(outline, 1) < 2 ? 2 : 1);
  for (let depth = deepest; ; depth--) {
    const isLast = depth <= shallowest;
    if (!isLast && countDownTo(outline, depth) > maxEntries) continue;
    const lines = linesDownTo(outline, depth, maxEntries);
    const left = outline.length - lines.length;
    const text = [...lines, ...(left > 0 ? [remainder(left)] : [])].join("\n");
    if (text.length <= maxChars) return text;
    if (isLast) return cutLines(lines, outline.length, maxChars);
  }
}

function depthsOf(outline: readonly OutlineEntry[]): ReadonlySet<number> {
  return new Set(outline.map(depthOf));
}

function countDownTo(outline: readonly OutlineEntry[], maxDepth: number): number {
  return outline.filter((entry) => depthOf(entry) <= maxDepth).length;
}

function linesDownTo(outline: readonly OutlineEntry[], maxDepth: number, maxEntries: number): string[] {
  const lines: string[] = [];
  for (const entry of outline) {
    if (lines.length >= maxEntries) break;
    const depth = depthOf(entry);
    if (depth > maxDepth) continue;
    const title = entry.title.slice(0, MAX_TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, "");
    lines.push(`${"  ".repeat(depth - 1)}${entry.number} ${title} (${entry.end - entry.start})`);
  }
  return lines;
}

function cutLines(lines: readonly string[], total: number, maxChars: number): string {
  let length = remainder(total).length;
  let count = 0;
  for (const line of lines) {
    if (length + line.length + 1 > maxChars) break;
    length += line.length + 1;
    count++;
  }
  return count === 0 ? "" : [...lines.slice(0, count), remainder(total - count)].join("\n");
}

function remainder(count: number): string {
  return `… ${count} more`;
}

function depthOf({ number }: OutlineEntry): number {
  let depth = 1;
  for (let at = number.indexOf("."); at !== -1; at = number.indexOf(".", at + 1)) depth++;
  return depth;
}
