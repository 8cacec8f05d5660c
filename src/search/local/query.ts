import type { CatalogPackage } from "./catalog.js";
import type { DocumentKind } from "./package-files.js";
import type { Postings } from "./postings.js";
import { isStopWord, type Token, tokens } from "./tokens.js";

/** A term to look for: where its postings are and how much it says. */
export interface QueryTerm {
  readonly term: string;
  readonly position: number;
  /** 1 for a word as asked; less for parts, guesses and the name of the package. */
  readonly weight: number;
  /** A name of several words, such as an error code: once is enough, in however long a section. */
  readonly isName: boolean;
}

export interface AnalysedQuery {
  readonly terms: readonly QueryTerm[];
  /** How sure it is that the query speaks of a package, 0..1, by the package's position in the catalog. */
  readonly packages: ReadonlyMap<number, number>;
  /** What a document of each kind is worth for this query. */
  readonly kinds: Readonly<Record<DocumentKind, number>>;
  /** Versions it names, without `v`. */
  readonly versions: ReadonlySet<string>;
  readonly wantsExample: boolean;
}

const MAX_QUERY_TOKENS = 32;
const MAX_GUESSES = 8;
const PART_WEIGHT = 0.7;
/** `base url` is perhaps `baseUrl`. */
const JOINED_WEIGHT = 0.5;
const GUESS_WEIGHT = 0.5;
/** A package's documents are full of its name: once it chose them, it says little about which. */
const PACKAGE_NAME_WEIGHT = 0.4;

/** Words after which, like at the beginning, a package is named. */
const PREPOSITIONS: ReadonlySet<string> = new Set(["in", "with", "using", "for", "from", "of", "by", "does", "to"]);
const STANDS_ALONE = 0.6;

const VERSION = /^v?\d+(?:\.\d+)+(?:\.x)?$/iu;
const RELEASE_WORDS =
  /\b(?:change ?log|chang(?:ed|es) (?:in|since|between)|what(?:'s| is) new|breaking|migrat\w*|upgrad\w*|release notes?|removed in|added in|since version|deprecated in)\b/iu;
const TYPE_WORDS = /\b(?:types?|interfaces?|typings?|signatures?|generics?|typescript|declarations?|overloads?)\b/iu;
const CODE_NAME = /[a-z][A-Z]|\w\(\)|_[A-Z]/u;

/** How many sections hold the term at a position: in one package, and in all. */
export type Occurrences = (position: number, packageIndex: number) => { readonly own: number; readonly all: number };

export function analyseQuery(
  query: string,
  packages: readonly CatalogPackage[],
  postings: Postings,
  occurrences: Occurrences,
): AnalysedQuery {
  const asked = [...tokens(query)].slice(0, MAX_QUERY_TOKENS);
  const named = namedPackages(asked, packages, postings, occurrences);
  const versions = asked.map(({ source }) => source).filter((source) => VERSION.test(source));
  return {
    versions: new Set(versions.map((version) => version.replace(/^v/iu, ""))),
    terms: queryTerms(asked, postings, named.words),
    packages: named.packages,
    kinds: kindWeights(query, versions.length > 0),
    wantsExample: /\bexamples?\b/iu.test(query),
  };
}

/** `names` are the words of package names, squashed, with what is left of their importance. */
function queryTerms(asked: readonly Token[], postings: Postings, names: ReadonlyMap<string, number>): QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  const add = (term: string, weight: number, isName = false): boolean => {
    const position = postings.find(term);
    if (position === -1) return false;
    const known = found.get(term);
    if (known === undefined || known.weight < weight) found.set(term, { term, position, weight, isName });
    return true;
  };
  const meaningful = asked.filter((token) => token.words.length > 0 || !isStopWord(token.source.toLowerCase()));
  for (const { whole, words, source } of meaningful.length > 0 ? meaningful : asked) {
    const importance = names.get(squash(source)) ?? 1;
    const isKnown = add(whole, importance, words.length > 1 || whole.includes("."));
    const partWeight = importance * PART_WEIGHT;
    const parts = words.filter((word) => add(word, isKnown ? partWeight / words.length : partWeight));
    if (!isKnown && parts.length === 0) for (const guess of guesses(whole, postings)) add(guess, GUESS_WEIGHT);
  }
  // `abort signal` is also written `AbortSignal`.
  for (const [index, { source }] of asked.entries()) {
    const pair = `${source}${asked[index + 1]?.source ?? ""}`.toLowerCase();
    const [joined] = asked[index + 1] === undefined || /[./:]/u.test(pair) ? [] : tokens(pair);
    if (joined !== undefined && !names.has(squash(pair))) add(joined.whole, JOINED_WEIGHT);
  }
  return [...found.values()];
}

/** For a word that no document holds: words that begin with it, else words that differ by one letter. */
function guesses(word: string, postings: Postings): readonly string[] {
  if (word.length < 4 || !/^\p{L}/u.test(word)) return [];
  const found: string[] = [];
  const scan = (prefix: string, accepts: (term: string) => boolean): void => {
    for (let at = postings.lowerBound(prefix); found.length < MAX_GUESSES; at += 1) {
      const term = postings.terms[at];
      if (term?.startsWith(prefix) !== true) break;
      if (accepts(term)) found.push(term);
    }
  };
  scan(word, () => true);
  if (found.length === 0) scan(word.slice(0, 1), (term) => differsByOne(term, word));
  return found;
}

/** One letter more, less or other, or two neighbours swapped. */
export function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const rest = one.slice(start, one.length - end);
  const otherRest = other.slice(start, other.length - end);
  if (rest.length <= 1 && otherRest.length <= 1) return true;
  return rest.length === 2 && rest === [...otherRest].reverse().join("");
}

/**
 * Packages that the query names. `undici` can only mean the package; `send` is mostly a word: how much of the word's
 * use falls into the package's own documents tells the two apart, and so does its place in the sentence.
 */
function namedPackages(
  asked: readonly Token[],
  packages: readonly CatalogPackage[],
  postings: Postings,
  occurrences: Occurrences,
): { readonly packages: ReadonlyMap<number, number>; readonly words: ReadonlyMap<string, number> } {
  const said = new Map<string, number>();
  for (const [index, { source }] of asked.entries()) {
    const before = asked[index - 1]?.source.toLowerCase() ?? "";
    const stands = PREPOSITIONS.has(before) || index === 0 ? STANDS_ALONE : 0;
    for (const name of [source, `${source}${asked[index + 1]?.source ?? ""}`]) {
      said.set(squash(name), Math.max(said.get(squash(name)) ?? 0, stands));
    }
  }
  const named = new Map<number, number>();
  const words = new Map<string, number>();
  for (const [index, { name }] of packages.entries()) {
    for (const part of new Set([name, name.split("/").at(-1) ?? name])) {
      const stands = said.get(squash(part));
      if (stands === undefined) continue;
      const isOrdinary = /^[a-z]+$/u.test(part);
      const certainty = isOrdinary ? Math.min(1, stands + shareOf(part, index, postings, occurrences)) : 1;
      named.set(index, Math.max(named.get(index) ?? 0, certainty));
      const pieces = [...tokens(part)].map(({ source }) => squash(source));
      const importance = 1 - certainty * (1 - PACKAGE_NAME_WEIGHT / pieces.length);
      for (const piece of pieces) words.set(piece, Math.min(words.get(piece) ?? 1, importance));
    }
  }
  return { packages: named, words };
}

/** `lru-cache`, `LRU cache` and `lruCache` are one name. */
function squash(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** How much of a word's use falls into the package that is called so. */
function shareOf(name: string, index: number, postings: Postings, occurrences: Occurrences): number {
  const [token] = tokens(name);
  const position = token === undefined ? -1 : postings.find(token.whole);
  if (position === -1) return 0;
  const { own, all } = occurrences(position, index);
  return own / all;
}

function kindWeights(query: string, hasVersion: boolean): Readonly<Record<DocumentKind, number>> {
  const asksTypes = TYPE_WORDS.test(query) || CODE_NAME.test(query);
  return {
    readme: 1,
    guide: 1,
    changelog: hasVersion || RELEASE_WORDS.test(query) ? 1.1 : 0.5,
    types: asksTypes ? 0.6 : 0.5,
  };
}
