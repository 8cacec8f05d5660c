import { fencesBetween, type Range } from "./fences.js";
import { type FindMethod, findMatches } from "./find-matches.js";
import { passageAround, sectionAt } from "./passages.js";
import { type Limits, type PageText, sliceFrom } from "./slice.js";
import type { View, ViewPiece } from "./view.js";

const MAX_PASSAGES = 10;
const MIN_PASSAGE_CHARS = 200;
const MAX_PASSAGE_CHARS = 2_500;
/** A page of passages is divided among so many before each gets its share. */
const SHARED_BY = 5;
const MAX_LABEL_TITLE_CHARS = 80;
/** A number, a title, two offsets and the words between them. */
const MAX_LABEL_CHARS = 150;

const METHOD_NOTICES: Readonly<Record<FindMethod, string>> = {
  exact: "",
  case: " They differ in case from what was asked.",
  spacing: " They differ in case, spacing or emphasis from what was asked.",
  words: " The text does not stand there as asked; these places hold all its words near each other.",
};

/** Shows the surroundings of what matches `query` inside `scope`, each labelled with its section and offsets. */
export function viewMatches(
  page: PageText,
  query: string,
  scope: Range,
  limits: Limits,
  notices: readonly string[],
): View {
  const base = { totalChars: page.text.length };
  const result = findMatches(page.text, query, scope.start, scope.end);
  if (result === undefined) {
    const where = scope.start === 0 && scope.end === page.text.length ? "the text" : "this part of the text";
    return { ...base, text: "", pieces: [], found: 0, notices: [...notices, `Nothing in ${where} matches.`] };
  }
  const { passages, covered } = collect(page, result.matches, limits);
  const pieces = passages.map((range) => pieceOf(page, range));
  const text = pieces.map(render).join("\n\n");
  if (!fits(text, limits)) {
    const { start, end } = sliceFrom(page, result.matches[0]?.start ?? scope.start, scope.end, limits);
    pieces.splice(0, pieces.length, { text: page.text.slice(start, end), start, end });
  }
  const more = covered < result.total;
  const lastEnd = pieces.at(-1)?.end ?? scope.start;
  const shown = more ? `${covered} of ${result.total} matches are shown` : `${count(result.total)} shown`;
  const further = more ? `; for more, the same find with offset=${lastEnd}` : "";
  return {
    ...base,
    text: pieces.map(render).join("\n\n"),
    pieces,
    found: result.total,
    ...(more ? { next: { offset: lastEnd } } : {}),
    notices: [...notices, `${shown}${further}.${METHOD_NOTICES[result.method]}`],
  };
}

function count(total: number): string {
  return total === 1 ? "The only match is" : `All ${total} matches are`;
}

/** Passages in text order as far as the limits allow, and how many matches they cover; the first is always there. */
function collect(
  page: PageText,
  matches: readonly Range[],
  limits: Limits,
): { readonly passages: readonly Range[]; readonly covered: number } {
  const { maxChars, maxBytes } = limits;
  const share = Math.floor(maxChars / Math.min(matches.length, SHARED_BY));
  const wanted = Math.max(MIN_PASSAGE_CHARS, Math.min(MAX_PASSAGE_CHARS, share - MAX_LABEL_CHARS));
  const passageChars = Math.floor(
    Math.max(1, Math.min(wanted, maxChars - MAX_LABEL_CHARS, maxBytes / 3 - MAX_LABEL_CHARS)),
  );
  const fences = page.format === "markdown" ? fencesBetween(page.text, 0, page.text.length) : [];
  const passages: Range[] = [];
  let covered = 0;
  for (const match of matches) {
    const last = passages.at(-1);
    if (last !== undefined && match.end <= last.end) {
      covered++;
      continue;
    }
    const passage = passageAround(page, fences, match, passageChars);
    const merges = last !== undefined && passage.start <= last.end;
    const next = merges
      ? [...passages.slice(0, -1), { start: last.start, end: Math.max(last.end, passage.end) }]
      : [...passages, passage];
    const text = next.map((range) => render(pieceOf(page, range))).join("\n\n");
    if (covered > 0 && (next.length > MAX_PASSAGES || !fits(text, limits))) break;
    passages.splice(0, passages.length, ...next);
    covered++;
  }
  return { passages, covered };
}

function pieceOf(page: PageText, { start, end }: Range): ViewPiece {
  const section = sectionAt(page.outline, start);
  const title = section?.title.slice(0, MAX_LABEL_TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const place = `characters ${start}-${end}`;
  return {
    text: page.text.slice(start, end),
    start,
    end,
    label: section === undefined ? place : `${section.number} ${title}, ${place}`,
  };
}

function render({ label, text }: ViewPiece): string {
  return label === undefined ? text : `[${label}]\n${text.trimEnd()}`;
}

function fits(text: string, { maxChars, maxBytes }: Limits): boolean {
  return text.length <= maxChars && Buffer.byteLength(text) <= maxBytes;
}
