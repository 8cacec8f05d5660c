const STEP_BYTES = 1_024;

/**
 * Translates byte offsets of UTF-8 text into UTF-16 units. The text is walked once, whatever the number of offsets, and
 * each costs at most one step more.
 */
export function utf16Offsets(bytes: Uint8Array): (at: number) => number {
  const steps: number[] = [0];
  return (at) => {
    const step = Math.floor(Math.min(at, bytes.length) / STEP_BYTES);
    for (let i = steps.length; i <= step; i += 1) {
      steps.push((steps[i - 1] ?? 0) + utf16Length(bytes, (i - 1) * STEP_BYTES, i * STEP_BYTES));
    }
    return (steps[step] ?? 0) + utf16Length(bytes, step * STEP_BYTES, at);
  };
}

/** A lead byte stands for its whole character: two units where it takes four bytes (RFC 3629 section 3). */
function utf16Length(bytes: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let i = from; i < to && i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
