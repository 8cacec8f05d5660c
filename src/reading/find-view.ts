import { fencesBetween, type Range } from "./fences.js";
import { type FindMethod, findMatches } from "./find-matches.js";
import { fits, type Limits, shareOf, without } from "./limits.js";
import { passageAround, sectionAt } from "./passages.js";
import { type PageText, sliceFrom } from "./slice.js";
import type { View, ViewPiece } from "./view.js";

const MAX_PASSAGES = 10;
/** Label included. */
const MIN_PASSAGE_CHARS = 200;
const MAX_PASSAGE_CHARS = 2_500;
/** A page of passages is divided among so many before each gets its share. */
const SHARED_BY = 5;
/** What a match longer than its share gets around it, where the limits allow. */
const SURROUNDING_CHARS = 100;
const MAX_LABEL_TITLE_CHARS = 80;
/** A section's name in a label may take so much of a passage. */
const NAME_SHARE = 0.25;

const METHOD_NOTICES: Readonly<Record<FindMethod, string>> = {
  exact: "",
  case: " They differ in case from what was asked.",
  spacing: " They differ in case, spacing or emphasis from what was asked.",
  words: " The text does not stand there as asked; these places hold all its words near each other.",
};

interface Passages {
  readonly pieces: readonly ViewPiece[];
  /** Matches that stand in the pieces. */
  readonly covered: number;
  /** The first match alone is longer than the limits. */
  readonly isCut: boolean;
}

/** Shows the surroundings of what matches `query` inside `scope`, each labelled with its section and offsets. */
export function viewMatches(
  page: PageText,
  query: string,
  scope: Range,
  limits: Limits,
  notices: readonly string[],
): View {
  const base = { totalChars: page.text.length };
  const isWhole = scope.start === 0 && scope.end === page.text.length;
  const result = findMatches(page.text, query, scope.start, scope.end);
  if (result === undefined) {
    const where = isWhole ? "the text" : "this part of the text";
    return { ...base, text: "", pieces: [], found: 0, notices: [...notices, `Nothing in ${where} matches.`] };
  }
  const { matches, total } = result;
  const { pieces, covered, isCut } = collect(page, matches, limits);
  const counted = count(covered, total, isWhole ? "" : " in this part of the text");
  const cut = isCut ? ", cut short by the limit" : "";
  const further = matches[covered]?.start ?? matches.at(-1)?.end ?? scope.end;
  return {
    ...base,
    text: pieces.map(render).join("\n\n"),
    pieces,
    found: total,
    ...(covered < total ? { next: { offset: further } } : {}),
    notices: [...notices, `${counted} shown${cut}.${METHOD_NOTICES[result.method]}`],
  };
}

function count(covered: number, total: number, where: string): string {
  if (total === 1) return `The only match${where} is`;
  if (covered === total) return `All ${total} matches${where} are`;
  return `${covered} of ${total} matches${where} ${covered === 1 ? "is" : "are"}`;
}

/** Passages in text order as far as the limits allow; the first match is always there. */
function collect(page: PageText, matches: readonly Range[], limits: Limits): Passages {
  const share = passageShare(limits, matches.length);
  const fences = page.format === "markdown" ? fencesBetween(page.text, 0, page.text.length) : [];
  const pieces: ViewPiece[] = [];
  /** The passages before the last, as they are shown: the last may still grow. */
  let before = "";
  /** The last passage is named after the section of its first match. */
  let named = 0;
  let covered = 0;
  for (const match of matches) {
    const last = pieces.at(-1);
    if (last === undefined || match.end > last.end) {
      const passage = passageAround(page, fences, match, roomFor(page, match, share, limits));
      const merges = last !== undefined && passage.start <= last.end;
      const range = merges ? { start: last.start, end: Math.max(last.end, passage.end) } : passage;
      if (!merges) named = match.start;
      const piece = { ...textOf(page, range), label: labelOf(page, named, range, share) };
      const closed = merges || last === undefined ? before : `${before}${render(last)}\n\n`;
      if (!fits(closed + render(piece), limits) || (!merges && pieces.length === MAX_PASSAGES)) break;
      pieces.splice(merges ? -1 : pieces.length, 1, piece);
      before = closed;
    }
    covered++;
  }
  const [first] = matches;
  if (covered > 0 || first === undefined) return { pieces, covered, isCut: false };
  const alone = aloneIn(page, fences, first, limits);
  return { pieces: [alone], covered: 1, isCut: alone.end < first.end };
}

/** Where a label leaves no room for the match: the match without one, cut if need be. */
function aloneIn(page: PageText, fences: readonly Range[], match: Range, limits: Limits): ViewPiece {
  const piece = textOf(page, passageAround(page, fences, match, limits));
  return fits(piece.text, limits) ? piece : textOf(page, sliceFrom(page, match.start, match.end, limits));
}

/** What a passage and its label may take: few passages that say something rather than many that do not. */
function passageShare(limits: Limits, matchCount: number): Limits {
  const most = Math.floor(Math.min(limits.maxChars, limits.maxBytes) / MIN_PASSAGE_CHARS);
  const { maxChars, maxBytes } = shareOf(limits, 1 / Math.max(1, Math.min(matchCount, SHARED_BY, most)));
  return { maxChars: Math.min(MAX_PASSAGE_CHARS, maxChars), maxBytes };
}

/** What the label leaves to the text of a passage. */
function roomFor(page: PageText, match: Range, share: Limits, limits: Limits): Limits {
  const end = page.text.length;
  const widest = render({ ...match, text: "", label: labelOf(page, match.start, { start: end, end }, share) });
  const needed = widest + page.text.slice(match.start, match.end);
  const room = {
    maxChars: Math.max(share.maxChars, Math.min(limits.maxChars, needed.length + SURROUNDING_CHARS)),
    maxBytes: Math.max(share.maxBytes, Math.min(limits.maxBytes, Buffer.byteLength(needed) + SURROUNDING_CHARS)),
  };
  return without(room, widest);
}

function labelOf(page: PageText, position: number, { start, end }: Range, share: Limits): string {
  const place = `characters ${start}-${end}`;
  const section = sectionAt(page.outline, position);
  if (section === undefined) return place;
  const title = section.title.slice(0, MAX_LABEL_TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const names = [`${section.number} ${title}, `, `${section.number}, `];
  const name = names.find((candidate) => fits(candidate, shareOf(share, NAME_SHARE))) ?? "";
  return `${name}${place}`;
}

function textOf({ text }: PageText, { start, end }: Range): ViewPiece {
  return { text: text.slice(start, end), start, end };
}

function render({ label, text }: ViewPiece): string {
  return label === undefined ? text : `[${label}]\n${text.trimEnd()}`;
}
