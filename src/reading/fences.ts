/** UTF-16 offsets, end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const FENCE = /^[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/;
const BEFORE_OPENING = /(?:^|\n)[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?$/;
const BEFORE_CLOSING = /\n[ \t]*$/;
/** Indentation and list marker in front of a fence. */
const MAX_PREFIX_CHARS = 60;
const MAX_INFO_CHARS = 1_000;

/** The marker of the fence that `line` opens (CommonMark §4.5), at any depth of lists. */
export function openedFence(line: string): string | undefined {
  const match = FENCE.exec(line);
  const marker = match?.[1];
  if (match === null || marker === undefined) return undefined;
  // A backtick in the info string makes it inline code.
  return marker.startsWith("`") && line.includes("`", match[0].length) ? undefined : marker;
}

export function closesFence(line: string, marker: string): boolean {
  const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return closing?.startsWith(marker) === true;
}

/**
 * Fenced code blocks that begin between `from` and `to`, marker lines included, in order. `from` must be outside every
 * fence, as a heading is. Linear in the stretch and the last fence.
 */
export function fencesBetween(text: string, from: number, to: number): Range[] {
  const fences: Range[] = [];
  let at = from;
  let ticks = text.indexOf("```", at);
  let tildes = text.indexOf("~~~", at);
  for (;;) {
    // A marker that does not occur is not searched for again, or many of the other would make this quadratic.
    if (ticks !== -1 && ticks < at) ticks = text.indexOf("```", at);
    if (tildes !== -1 && tildes < at) tildes = text.indexOf("~~~", at);
    const candidate = ticks === -1 ? tildes : tildes === -1 ? ticks : Math.min(ticks, tildes);
    if (candidate === -1 || candidate >= to) return fences;
    const opening = openingAt(text, candidate);
    if (opening === undefined) {
      at = candidate + 3;
      continue;
    }
    const end = endOfFence(text, opening.end, opening.marker);
    fences.push({ start: opening.start, end });
    at = end;
  }
}

/** The fence that `position` stands inside, not at its edges. */
export function fenceAt(fences: readonly Range[], position: number): Range | undefined {
  let low = 0;
  let high = fences.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((fences[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  const fence = fences[low];
  return fence !== undefined && fence.start < position ? fence : undefined;
}

function openingAt(text: string, candidate: number): (Range & { readonly marker: string }) | undefined {
  const windowStart = Math.max(0, candidate - MAX_PREFIX_CHARS);
  const before = text.slice(windowStart, candidate);
  const match = BEFORE_OPENING.exec(before);
  if (match === null || (match[0] === before && windowStart > 0 && !before.startsWith("\n"))) return undefined;
  const start = windowStart + match.index + (match[0].startsWith("\n") ? 1 : 0);
  const newline = text.indexOf("\n", candidate);
  const end = newline === -1 ? text.length : newline;
  const marker = openedFence(text.slice(start, Math.min(end, start + MAX_INFO_CHARS)));
  return marker === undefined ? undefined : { start, end, marker };
}

/** The offset after the closing line, or of the text's end when the fence is never closed. */
function endOfFence(text: string, from: number, marker: string): number {
  for (let at = text.indexOf(marker, from); at !== -1; at = text.indexOf(marker, at)) {
    let end = at;
    while (text[end] === marker[0]) end++;
    const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end, end + MAX_PREFIX_CHARS))?.[0];
    const before = text.slice(Math.max(0, at - MAX_PREFIX_CHARS), at);
    if (rest !== undefined && BEFORE_CLOSING.test(before)) return end + rest.length;
    at = end;
  }
  return text.length;
}
