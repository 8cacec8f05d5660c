const SPACE_RUN = /[ \t\n\r\f\u00a0]+/g;
const NEEDS_COLLAPSE = /[\t\n\r\f\u00a0]| {2}/;
const SUSPECT = /[\\*_`[\]<&~!]/;
const SPECIAL = /\\(?=[!-/:-@[-`{-~])|[*_`[\]<&]|~~/g;
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|\d{1,9}(?=[.)](?:\s|$))|={2,}\s*$|(?:-\s*){3,}$|~{3})/;
const WORD = /[\p{L}\p{N}]/u;
const LONG_DATA_URI = /data:[\w/+.;=-]{3,80}base64,[A-Za-z0-9+/=\s]{100,}/g;

/** White space as HTML renders it: every run is one space. */
export function collapseSpace(text: string): string {
  return NEEDS_COLLAPSE.test(text) ? text.replace(SPACE_RUN, " ") : text;
}

/** Backslashes before what Markdown (CommonMark 0.31, GFM) would read as syntax, and nowhere else. */
export function escapeText(text: string, isInLink: boolean): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SPECIAL, (found, offset: number) => {
    const before = text[offset - 1] ?? " ";
    const after = text[offset + found.length] ?? " ";
    return needsEscape(found, before, after, text, offset, isInLink) ? escaped(found) : found;
  });
}

const escaped = (syntax: string): string => (syntax === "~~" ? "\\~~" : `\\${syntax}`);

function needsEscape(
  found: string,
  before: string,
  after: string,
  text: string,
  offset: number,
  isInLink: boolean,
): boolean {
  switch (found) {
    case "*":
      return before !== " " || after !== " ";
    case "_":
      return !(WORD.test(before) && WORD.test(after)) && (before !== " " || after !== " ");
    case "[":
      return isInLink;
    case "]":
      return isInLink || after === "(" || after === "[" || (after === ":" && text.lastIndexOf("[", offset) <= 0);
    case "<":
      return /[a-z/!?]/i.test(after);
    case "&":
      return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i.test(text.slice(offset, offset + 34));
    default:
      return true;
  }
}

/** What starts a block at the start of a line is written as text. */
export function escapeLineStart(text: string): string {
  const found = LINE_START.exec(text)?.[0];
  if (found === undefined) return text;
  return /^\d/.test(found) ? `${found}\\${text.slice(found.length)}` : `\\${text}`;
}

/** Inlined files in text are named, not repeated. */
export function shortenDataUris(text: string): string {
  return text.includes("base64,")
    ? text.replace(LONG_DATA_URI, (uri) => `${uri.slice(0, uri.indexOf(",") + 1)}…`)
    : text;
}
