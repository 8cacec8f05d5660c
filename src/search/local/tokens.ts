/**
 * Text to index terms, made for documentation of code: `maxSockets`, `max-sockets` and `MAX_SOCKETS` share the term
 * `maxsockets` and the words `max` and `socket`; `z.object` and `std::fs` stay findable as they are written.
 */

const MAX_WORD_LENGTH = 64;
/** A path longer than this is only found by its parts. */
const MAX_COMPOUND_PARTS = 3;

/** A run of name characters, joined by the separators that code puts inside names. Deterministic, hence linear. */
const RUN = /[\p{L}\p{M}\p{N}_$]+(?:(?:::|[-./:#'’])[\p{L}\p{M}\p{N}_$]+)*/gu;
const PART_SEPARATOR = /::|[./:#'’]/u;
const WORD_SEPARATOR = /[-_$]+/u;
/** `HTTPServer` is `HTTP` and `Server`; digits stay with the letters before them (`ipv4`, `http2`). */
const CAMEL = /\p{Lu}+(?![\p{Ll}])[\p{N}]*|\p{Lu}?[\p{Ll}\p{M}\p{N}]+|[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const PLAIN_WORD = /^[a-z]+$/u;
const NUMERIC = /^\p{N}+$/u;
const VERSION = /^v?\d+(?:\.\d+)+/u;

/** Words that carry no subject, in text and in questions alike. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about all also am an and any are as at be been being but by can cannot could did do does doing done each else etc " +
    "for from had has have having he her here him his how however i if in into is it its itself just let like may me " +
    "might more most must my no nor not of off on once only or other our out over own please shall she should so some " +
    "such than that the their them then there these they this those through to too under until up us very via was way we " +
    "were what when where whether which while who whom whose why will with without would you your want wants need needs " +
    "use uses used using make makes get gets don doesn isn won ll ve re"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** One written name with everything it is findable by. */
export interface Token {
  /** Lower case, separators of words dropped, of parts written `.`; stemmed when it is a plain word. */
  readonly whole: string;
  /** The words inside it when it is a compound; empty for a plain word. */
  readonly words: readonly string[];
  /** As written. */
  readonly source: string;
}

/** Reduces English inflection far enough that `retries`, `retrying` and `retry` meet (Porter's step 1, and the noun endings). */
export function stem(word: string): string {
  if (word.length < 4 || !PLAIN_WORD.test(word)) return word;
  let root = word;
  if (root.endsWith("sses")) root = root.slice(0, -2);
  else if (root.endsWith("ies")) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith("s") && !/(?:ss|us|is)$/u.test(root)) root = root.slice(0, -1);
  const verb = /^(.*[aeiouy].*?)(?:ing|ed)$/u.exec(root);
  if (verb?.[1] !== undefined && verb[1].length > 2) {
    root = verb[1];
    if (/([^aeiouylsz])\1$/u.test(root)) root = root.slice(0, -1);
  }
  for (const ending of NOUN_ENDINGS) {
    if (root.endsWith(ending) && root.length - ending.length > 3) {
      root = root.slice(0, -ending.length);
      break;
    }
  }
  if (root.endsWith("e") && root.length > 3) root = root.slice(0, -1);
  if (root.endsWith("y") && root.length > 2) root = `${root.slice(0, -1)}i`;
  return root;
}
const NOUN_ENDINGS: readonly string[] = ["ment", "ion", "or", "er", "ly"];

/** Every name of a text in order, stop words included. */
export function* tokens(text: string): Generator<Token> {
  for (const [run] of text.matchAll(RUN)) {
    if (UNSPACED_SCRIPT.test(run)) yield* bigrams(run);
    else yield* tokensOfRun(run);
  }
}

function* tokensOfRun(run: string): Generator<Token> {
  const parts = run.split(PART_SEPARATOR);
  if (parts.length === 1) {
    const token = tokenOfPart(run);
    if (token !== undefined) yield token;
    return;
  }
  if (VERSION.test(run)) {
    yield { whole: run.toLowerCase().replace(/^v/u, ""), words: [], source: run };
    return;
  }
  const inner = parts.map(tokenOfPart).filter((token) => token !== undefined);
  if (parts.length <= MAX_COMPOUND_PARTS && run.length <= MAX_WORD_LENGTH && !/['’]/u.test(run)) {
    const whole = parts
      .map((part) => part.replace(/[-_$]/gu, ""))
      .join(".")
      .toLowerCase();
    yield { whole, words: [], source: run };
  }
  yield* inner;
}

function tokenOfPart(part: string): Token | undefined {
  if (part.length > MAX_WORD_LENGTH) return undefined;
  const pieces = part.split(WORD_SEPARATOR).flatMap((word) => word.match(CAMEL) ?? []);
  const whole = pieces.join("").toLowerCase();
  if (whole.length < 2 && !NUMERIC.test(whole)) return undefined;
  const words =
    pieces.length < 2
      ? []
      : pieces
          .map((piece) => piece.toLowerCase())
          .filter((word) => word.length > 1)
          .map(stem);
  return { whole: stem(whole), words, source: part };
}

/** Scripts without spaces are found by pairs of characters. */
function* bigrams(run: string): Generator<Token> {
  const characters = [...run];
  if (characters.length === 1) yield { whole: run, words: [], source: run };
  for (let index = 0; index + 1 < characters.length; index += 1) {
    const pair = `${characters[index]}${characters[index + 1]}`;
    yield { whole: pair, words: [], source: pair };
  }
}

function termsOfRun(run: string): { readonly wholes: readonly string[]; readonly parts: readonly string[] } {
  const wholes: string[] = [];
  const parts: string[] = [];
  for (const token of tokens(run)) {
    if (token.words.length === 0 && STOP_WORDS.has(token.source.toLowerCase())) continue;
    wholes.push(token.whole);
    parts.push(...token.words);
  }
  return { wholes, parts };
}

/**
 * Gives each term of a text, with repetition, stop words left out. The words inside a name count once a text, however
 * often the name is repeated.
 */
export type TermReader<Term> = (text: string, take: (term: Term) => void) => void;

const MAX_REMEMBERED_RUNS = 100_000;

/** A reader that remembers what it has cut: texts repeat their words. `termOf` is asked once for each. */
export function createTermReader<Term>(termOf: (term: string) => Term): TermReader<Term> {
  interface Run {
    readonly wholes: readonly Term[];
    readonly parts: readonly Term[];
  }
  const remembered = new Map<string, Run>();
  const cut = (source: string): Run => {
    // A copy: a piece of a text would keep the whole text in memory.
    const run = Buffer.from(source).toString();
    const { wholes, parts } = termsOfRun(run);
    const found = { wholes: wholes.map(termOf), parts: parts.map(termOf) };
    if (remembered.size >= MAX_REMEMBERED_RUNS) remembered.clear();
    if (run.length <= MAX_WORD_LENGTH) remembered.set(run, found);
    return found;
  };
  return (text, take) => {
    const seen = new Set<Run>();
    for (const run of text.match(RUN) ?? []) {
      const found = remembered.get(run) ?? cut(run);
      for (const term of found.wholes) take(term);
      if (found.parts.length === 0 || seen.has(found)) continue;
      seen.add(found);
      for (const term of found.parts) take(term);
    }
  };
}
