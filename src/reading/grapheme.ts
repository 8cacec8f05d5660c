/** Longer clusters exist only to break programs; they are cut between code points. */
const MAX_CLUSTER_CHARS = 64;

/** `index` moved back, if need be, to where a user-perceived character (UAX #29 extended grapheme cluster) begins. */
export function graphemeStart(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return Math.max(0, Math.min(index, text.length));
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  if (before < FIRST_COMBINING && after < FIRST_COMBINING) {
    return before === CARRIAGE_RETURN && after === LINE_FEED ? index - 1 : index;
  }
  const from = codePointStart(text, Math.max(0, index - MAX_CLUSTER_CHARS));
  const window = text.slice(from, index + MAX_CLUSTER_CHARS);
  const cluster = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(window).containing(index - from);
  if (cluster === undefined || (cluster.index === 0 && from > 0)) return codePointStart(text, index);
  return from + cluster.index;
}

/** `index` moved on, if need be, to where the next user-perceived character begins. */
export function graphemeEnd(text: string, index: number): number {
  const start = graphemeStart(text, index);
  if (start === index) return index;
  const window = text.slice(start, start + 2 * MAX_CLUSTER_CHARS);
  const [cluster] = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(window);
  return Math.max(codePointEnd(text, start), codePointStart(text, start + (cluster?.segment.length ?? 0)));
}

/** The offset after the code point that begins at `index`. */
export function codePointEnd(text: string, index: number): number {
  return Math.min(text.length, index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1));
}

const FIRST_COMBINING = 0x300;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** `index`, or one less when it would split a surrogate pair. */
export function codePointStart(text: string, index: number): number {
  return index > 0 && isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1)) ? index - 1 : index;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
