const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const PREFIX = "xn--";
/** DNS allows 63; nothing longer can be a label. */
const MAX_LABEL_CHARS = 63;

/** A label of a host in Unicode (RFC 3492, section 6.2). One that is not punycode, or not valid, comes back as it is. */
export function decodePunycodeLabel(label: string): string {
  if (!label.startsWith(PREFIX) || label.length > MAX_LABEL_CHARS) return label;
  const encoded = label.slice(PREFIX.length);
  const lastHyphen = encoded.lastIndexOf("-");
  const output = Array.from(encoded.slice(0, Math.max(0, lastHyphen)), (c) => c.charCodeAt(0));
  const digits = Array.from(encoded.slice(lastHyphen + 1), digitValue);
  let codePoint = INITIAL_CODE_POINT;
  let bias = INITIAL_BIAS;
  let index = 0;
  let next = 0;
  while (next < digits.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digits[next];
      next += 1;
      if (digit === undefined || digit < 0) return label;
      index += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = output.length + 1;
    bias = adapt(index - before, count, before === 0);
    codePoint += Math.floor(index / count);
    index %= count;
    if (codePoint > 0x10ffff) return label;
    output.splice(index, 0, codePoint);
    index += 1;
  }
  return String.fromCodePoint(...output);
}

function digitValue(character: string): number {
  return "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(character.toLowerCase());
}

function adapt(delta: number, count: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
