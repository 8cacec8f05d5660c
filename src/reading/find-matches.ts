import type { Range } from "./fences.js";

/** How loosely the text was searched before something matched. */
export type FindMethod = "exact" | "case" | "spacing" | "words";

interface Matches {
  /** In text order, the first `MAX_KEPT`. */
  readonly matches: readonly Range[];
  /** All matches, kept or not; for `words` counted as far as they are kept. */
  readonly total: number;
}

export interface FindResult extends Matches {
  readonly method: FindMethod;
}

const MAX_QUERY_CHARS = 500;
const MAX_KEPT = 200;
const MAX_WORDS = 12;
/** Places of the rarest word that are looked at. */
const MAX_CANDIDATES = 2_000;
/** All words of a query within so many characters are about one thing. */
const WORDS_WINDOW_CHARS = 400;

/**
 * Finds `query` between `from` and `to`: as written, then ignoring case, then ignoring spacing and Markdown's emphasis,
 * then all its words near each other. The first of these that matches counts; `undefined` when none does.
 */
export function findMatches(text: string, query: string, from: number, to: number): FindResult | undefined {
  const wanted = query.trim().slice(0, MAX_QUERY_CHARS);
  if (wanted === "") return undefined;
  const part = from === 0 && to === text.length ? text : text.slice(from, to);
  const exact = findLiteral(part, wanted);
  if (exact.total > 0) return { method: "exact", ...shift(exact, from) };
  const folded = foldCase(part);
  const searches: readonly (readonly [FindMethod, (text: string, query: string) => Matches])[] = [
    ["case", findLiteral],
    ["spacing", findLoosely],
    ["words", findWords],
  ];
  for (const [method, search] of searches) {
    const found = search(folded, foldCase(wanted));
    if (found.total > 0) return { method, ...shift(found, from) };
  }
  return undefined;
}

function shift({ matches, total }: Matches, by: number): Matches {
  return { matches: matches.map(({ start, end }) => ({ start: start + by, end: end + by })), total };
}

/** Lower case of the same length, so that offsets hold: the one letter that grows stays as it is. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[^\u0130]+/g, (part) => part.toLowerCase());
}

function findLiteral(text: string, query: string): Matches {
  const matches: Range[] = [];
  let total = 0;
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + query.length)) {
    if (++total <= MAX_KEPT) matches.push({ start: at, end: at + query.length });
  }
  return { matches, total };
}

function findLoosely(text: string, query: string): Matches {
  const words = query.split(/[\s*_`]+/).filter((word) => word !== "");
  const matches: Range[] = [];
  let total = 0;
  if (words.length === 0) return { matches, total };
  // Words hold no separator, so a run of them is matched one way only: linear.
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("[\\s*_`]+"), "g");
  for (const match of text.matchAll(pattern)) {
    if (++total <= MAX_KEPT) matches.push({ start: match.index, end: match.index + match[0].length });
  }
  return { matches, total };
}

/** The shortest stretch with every word of the query around each place of the rarest one, not overlapping. */
function findWords(text: string, query: string): Matches {
  const words = [...new Set(query.match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, MAX_WORDS);
  const matches: Range[] = [];
  const [rarest] = words
    .map((word) => ({ word, total: findLiteral(text, word).total }))
    .sort((one, other) => one.total - other.total);
  if (rarest === undefined || rarest.total === 0 || words.length < 2) return { matches, total: 0 };
  const { word } = rarest;
  let free = 0;
  let candidates = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, Math.max(free, at + word.length))) {
    if (++candidates > MAX_CANDIDATES || matches.length >= MAX_KEPT) break;
    const from = Math.max(free, at - WORDS_WINDOW_CHARS);
    const found = shortestStretch(text.slice(from, at + WORDS_WINDOW_CHARS), words);
    if (found === undefined) continue;
    matches.push({ start: found.start + from, end: found.end + from });
    free = found.end + from;
  }
  return { matches, total: matches.length };
}

function shortestStretch(text: string, words: readonly string[]): Range | undefined {
  const hits = words.flatMap((word) => findLiteral(text, word).matches.map((range) => ({ ...range, word })));
  hits.sort((one, other) => one.start - other.start);
  const counts = new Map<string, number>();
  let best: Range | undefined;
  let first = 0;
  for (const hit of hits) {
    counts.set(hit.word, (counts.get(hit.word) ?? 0) + 1);
    // What a later hit of the same word replaces goes from the front.
    for (let oldest = hits[first]; oldest !== undefined; oldest = hits[++first]) {
      const count = counts.get(oldest.word) ?? 0;
      if (count <= 1) break;
      counts.set(oldest.word, count - 1);
    }
    const start = hits[first]?.start ?? hit.start;
    const shorter = hit.end - start < (best === undefined ? WORDS_WINDOW_CHARS + 1 : best.end - best.start);
    if (counts.size === words.length && shorter) best = { start, end: hit.end };
  }
  return best;
}
