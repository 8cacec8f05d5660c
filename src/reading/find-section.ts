import type { OutlineEntry } from "../types.js";

const MAX_QUERY_CHARS = 200;
const MAX_NEAREST = 5;
/** Similarity below this is no resemblance. */
const MIN_SIMILARITY = 0.25;

/** What a section request came to. */
export type SectionMatch =
  | {
      readonly found: true;
      readonly entry: OutlineEntry /** Other sections of the same name. */;
      readonly others: readonly OutlineEntry[];
    }
  | { readonly found: false; readonly nearest: readonly OutlineEntry[] };

/**
 * Finds a section by number (`2.1`), then by heading: as written, then ignoring case and spacing, then as a link
 * fragment (`#class-proxyagent`), then by its beginning and by part of it. Of several the first in the page counts.
 */
export function findSection(outline: readonly OutlineEntry[], query: string): SectionMatch {
  const wanted = query.trim().slice(0, MAX_QUERY_CHARS);
  const name = normalise(wanted);
  if (name === "") return { found: false, nearest: [] };
  const number = /^§?\s?(\d{1,6}(?:\.\d{1,6}){0,9})\.?(?:\s(.{1,200}))?$/s.exec(wanted);
  if (number !== null) {
    const entry = outline.find((candidate) => candidate.number === number[1]);
    // "2.1 Options" is how an outline line reads; "3 ways to fail" is a heading.
    const rest = number[2] === undefined ? undefined : normalise(number[2].replace(/\(\d+\)$/, ""));
    if (entry !== undefined && (rest === undefined || normalise(entry.title).startsWith(rest))) {
      // Pages with numbered headings (an RFC) have two numbers for a section.
      const own = number[1] ?? "";
      return { found: true, entry, others: outline.filter((other) => other !== entry && ownNumberTest(own)(other)) };
    }
  }
  const tests: readonly ((entry: OutlineEntry) => boolean)[] = [
    (entry) => entry.title === wanted,
    (entry) => normalise(entry.title) === name,
    slugTest(wanted),
    ownNumberTest(wanted.replace(/\.$/, "")),
    (entry) => normalise(entry.title).includes(name),
  ];
  for (const test of tests) {
    const [entry, ...others] = outline.filter(test);
    if (entry !== undefined) return { found: true, entry, others };
  }
  return { found: false, nearest: nearestTo(outline, name) };
}

/** GitHub's heading anchors: lower case, no punctuation, spaces as hyphens, `-1`, `-2` for repetitions. */
function slugTest(query: string): (entry: OutlineEntry) => boolean {
  const fragment = query.replace(/^#+\s*/, "").toLowerCase();
  const seen = new Map<string, number>();
  return ({ title }) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
      .replace(/\s/g, "-");
    const repetition = seen.get(slug) ?? 0;
    seen.set(slug, repetition + 1);
    return slug !== "" && (repetition === 0 ? slug : `${slug}-${repetition}`) === fragment;
  };
}

/** A number that the author wrote in front of the heading's text. */
function ownNumberTest(number: string): (entry: OutlineEntry) => boolean {
  return ({ title }) => title.startsWith(number) && /^\.?\s/.test(title.slice(number.length));
}

function normalise(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/^#{1,6}\s+/, "")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function nearestTo(outline: readonly OutlineEntry[], name: string): OutlineEntry[] {
  const wanted = bigrams(name);
  return outline
    .map((entry) => ({ entry, similarity: similarity(wanted, bigrams(normalise(entry.title.slice(0, 100)))) }))
    .filter((candidate) => candidate.similarity >= MIN_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, MAX_NEAREST)
    .map(({ entry }) => entry);
}

function bigrams(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index++) pairs.add(text.slice(index, index + 2));
  return pairs;
}

/** Sørensen–Dice coefficient. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
