/** Both hold: UTF-16 units and, `Infinity` when it does not matter, UTF-8 bytes. */
export interface Limits {
  readonly maxChars: number;
  readonly maxBytes: number;
}

export function fits(text: string, { maxChars, maxBytes }: Limits): boolean {
  return text.length <= maxChars && Buffer.byteLength(text) <= maxBytes;
}

/** What `text` leaves of the limits, at least 1 of each. */
export function without({ maxChars, maxBytes }: Limits, text: string): Limits {
  return {
    maxChars: Math.max(1, maxChars - text.length),
    maxBytes: Number.isFinite(maxBytes) ? Math.max(1, maxBytes - Buffer.byteLength(text)) : maxBytes,
  };
}

/** A part of the limits, at least 1 of each. */
export function shareOf({ maxChars, maxBytes }: Limits, share: number): Limits {
  return { maxChars: Math.max(1, Math.floor(maxChars * share)), maxBytes: Math.max(1, Math.floor(maxBytes * share)) };
}

/** The furthest offset after `start` that both limits allow, before any boundary is sought. */
export function furthestEnd(text: string, start: number, limit: number, { maxChars, maxBytes }: Limits): number {
  const end = Math.min(limit, start + maxChars);
  if ((end - start) * MAX_UNIT_BYTES <= maxBytes) return end;
  let bytes = 0;
  for (let index = start; index < end; index++) {
    bytes += utf8Bytes(text.charCodeAt(index));
    if (bytes > maxBytes) return index;
  }
  return end;
}

/** The furthest offset before `end` that both limits allow, before any boundary is sought. */
export function furthestStart(text: string, end: number, limit: number, { maxChars, maxBytes }: Limits): number {
  const start = Math.max(limit, end - maxChars);
  if ((end - start) * MAX_UNIT_BYTES <= maxBytes) return start;
  let bytes = 0;
  for (let index = end; index > start; index--) {
    bytes += utf8Bytes(text.charCodeAt(index - 1));
    if (bytes > maxBytes) return index;
  }
  return start;
}

const MAX_UNIT_BYTES = 3;

/** UTF-8 bytes of a UTF-16 unit; a surrogate is half of four. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : MAX_UNIT_BYTES;
}
