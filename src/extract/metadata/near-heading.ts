import { announcesAuthor, authorOnLine, nameAlone } from "./byline.js";
import { findDate } from "./iso-date.js";
import type { Line } from "./lines.js";

/** What the lines round a heading say of who wrote the page and when, the likeliest first. */
export interface NearHeading {
  readonly authors: readonly string[];
  readonly published: readonly string[];
  readonly modified: readonly string[];
}

const MODIFIED =
  /\b(?:updated?|modified|reviewed|revised|edited|aktualisiert|geändert|mise? à jour|modifié|actualizad[oa]|modificad[oa]|aggiornat[oa]|atualizad[oa]|bijgewerkt|uppdaterad|oppdatert|opdateret|päivitetty|zaktualizowano|обновлено)(?!\p{L})/iu;
const PUBLISHED =
  /\b(?:published?|posted|created|written|dated?|veröffentlicht|erstellt|publiée?|publicad[oa]|pubblicat[oa]|gepubliceerd|publicerad|publisert|julkaistu|opublikowano)(?!\p{L})|опубликовано|发布|公開日/iu;
/** Dates of something else. */
const OTHER =
  /\b(?:expires?|ends?|until|till|valid|deadline|offer|due|©|copyright|gültig|bis|jusqu|hasta|fino|scade|tot)(?!\p{L})|©/iu;
/** A line that says much more than the date is a sentence or another page's teaser. */
const MAX_OTHER_CHARS = 60;
const MAX_LINE_CHARS = 160;

export function readNearHeading(lines: readonly Line[], language: string): NearHeading {
  const authors: string[] = [];
  const modified: string[] = [];
  const labelled: string[] = [];
  const plain: string[] = [];
  for (const [number, line] of lines.entries()) {
    const { text } = line;
    if (text.length > MAX_LINE_CHARS) continue;
    const previous = lines[number - 1];
    const label =
      previous !== undefined && previous.index < line.index && previous.text.length < 40 ? previous.text : "";
    const author = authorOnLine(text) ?? (announcesAuthor(label) ? nameAlone(text) : undefined);
    if (author !== undefined) authors.push(author);
    for (const { iso, before } of datesOn(line, language)) {
      const said = before === "" ? label : before;
      if (OTHER.test(said)) continue;
      if (MODIFIED.test(said)) modified.push(iso);
      else if (PUBLISHED.test(said)) labelled.push(iso);
      else plain.push(iso);
    }
  }
  return { authors, published: [...labelled, ...plain], modified };
}

interface LabelledDate {
  readonly iso: string;
  readonly before: string;
}

function datesOn({ text, times }: Line, language: string): readonly LabelledDate[] {
  const dates: LabelledDate[] = [];
  let rest = text;
  let otherChars = text.length;
  if (!/\d/.test(text)) return dates;
  for (let found = findDate(rest, language); found !== undefined; found = findDate(rest, language)) {
    dates.push({ iso: times.get(found.iso) ?? found.iso, before: rest.slice(0, found.start).trim() });
    otherChars -= found.end - found.start;
    rest = rest.slice(found.end);
  }
  return otherChars > MAX_OTHER_CHARS ? [] : dates;
}
