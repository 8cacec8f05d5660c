/** What GFM takes for a link without any markup (GFM 0.29, 6.9): a stretch of text where a backslash is a backslash. */
export interface Autolink {
  readonly start: number;
  /** Where the link ends and the punctuation behind it begins. */
  readonly end: number;
  /** Where that punctuation ends. */
  readonly wordEnd: number;
  /** Parsers differ over it. */
  readonly isDoubtful: boolean;
}

const WORD_END = /[\s<]/;
const TRAILING = new Set("?!.,:*_~'\"]");
const REFERENCE = /&[a-z\d]{1,31};$/i;
const MAX_REFERENCE_CHARS = 33;
const PLAIN_HOST = /^(?:[a-z\d-]+\.)*[a-z\d-]+(?:[:/?#]|$)/i;
const DOUBTFUL = /[[\]]|&[a-z\d]+;/i;

/** The link that begins with `opener`, a scheme or `www.`, at `start`. */
export function autolinkAt(source: string, start: number, opener: string): Autolink {
  const length = source.slice(start).search(WORD_END);
  const wordEnd = length < 0 ? source.length : start + length;
  const first = start + opener.length;
  const end = trimmedEnd(source, first, wordEnd);
  const before = source.charAt(start - 1);
  const address = source.slice(first, end);
  return {
    start,
    end,
    wordEnd,
    isDoubtful: !/^[ \n(*~]?$/.test(before) || !PLAIN_HOST.test(address) || DOUBTFUL.test(address),
  };
}

/** What a backslash stands before to make the opener at `start` text: the colon or the dot. */
export function breakingPointOf(start: number, opener: string): number {
  return start + opener.length - (opener.endsWith("/") ? 3 : 1);
}

function trimmedEnd(source: string, start: number, wordEnd: number): number {
  let excess = 0;
  for (let at = start; at < wordEnd; at++) {
    if (source[at] === ")") excess += 1;
    else if (source[at] === "(") excess -= 1;
  }
  let end = wordEnd;
  while (end > start) {
    const last = source.charAt(end - 1);
    if (last === ")" && excess > 0) excess -= 1;
    else if (last === ";") {
      const reference = REFERENCE.exec(source.slice(Math.max(start, end - MAX_REFERENCE_CHARS), end));
      end -= (reference?.[0].length ?? 1) - 1;
    } else if (!TRAILING.has(last)) break;
    end -= 1;
  }
  return end;
}
