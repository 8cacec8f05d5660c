import type { TermReader } from "./tokens.js";

export const MAX_SNIPPET_LENGTH = 300;
/** A passage beyond this is not looked at. */
const MAX_SCANNED = 32 * 1024;

/** The passage of a section that holds most of the asked terms, as plain text of at most `MAX_SNIPPET_LENGTH`. */
export function snippetOf(
  text: string,
  heading: string,
  weights: ReadonlyMap<string, number>,
  read: TermReader<string>,
): string {
  const lines = text.slice(0, MAX_SCANNED).split("\n").map(plainLine);
  const kept = lines.filter((line, index) => line !== "" && !(index < 3 && line === heading));
  const scores = kept.map((line) => {
    const seen = new Set<string>();
    read(line, (term) => seen.add(term));
    let score = 0;
    for (const term of seen) score += weights.get(term) ?? 0;
    return score;
  });
  let best = 0;
  let bestScore = -1;
  for (let start = 0; start < kept.length; start += 1) {
    let length = 0;
    let score = 0;
    for (let index = start; index < kept.length && length < MAX_SNIPPET_LENGTH; index += 1) {
      score += (scores[index] ?? 0) * (1 - length / (2 * MAX_SNIPPET_LENGTH));
      length += (kept[index] ?? "").length + 1;
    }
    if (score > bestScore + 1e-9) {
      best = start;
      bestScore = score;
    }
  }
  return cut(kept.slice(best, best + MAX_SNIPPET_LENGTH / 2).join(" "), weights, read);
}

/** Cuts at a word; a single long line is cut around its first asked term. */
function cut(text: string, weights: ReadonlyMap<string, number>, read: TermReader<string>): string {
  if (text.length <= MAX_SNIPPET_LENGTH) return text;
  let start = 0;
  for (const { 0: word, index } of text.slice(0, MAX_SCANNED).matchAll(/\S+/gu)) {
    let hit = false;
    read(word, (term) => {
      hit ||= weights.has(term);
    });
    if (!hit) continue;
    if (index > MAX_SNIPPET_LENGTH / 2) start = text.indexOf(" ", index - MAX_SNIPPET_LENGTH / 4) + 1;
    break;
  }
  const before = start > 0 ? "… " : "";
  const room = MAX_SNIPPET_LENGTH - before.length - 2;
  const slice = text.slice(start, start + room);
  if (start + room >= text.length) return before + slice;
  const end = slice.lastIndexOf(" ");
  return `${before}${(end > room / 2 ? slice.slice(0, end) : slice).replace(/[\ud800-\udbff]$/u, "")} …`;
}

/** Markdown, tags and comment marks removed. */
function plainLine(line: string): string {
  return line
    .slice(0, 4_000)
    .replace(/^\s*(?:\/\*\*?|\*\/|\*(?=\s|$)|#{1,6}\s|>\s?|[-*+]\s|```.*|~~~.*|\|?[\s:|-]+\|?$)/u, "")
    .replace(/\*\/\s*$/u, "")
    .replace(/<\/?[a-z!][^<>]*>/giu, "")
    .replace(/!\[[^[\]]*\]\([^()\s]*\)/gu, "")
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/gu, "$1")
    .replace(/[`]|\*\*|\|/gu, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/gu, " ")
    .trim();
}
