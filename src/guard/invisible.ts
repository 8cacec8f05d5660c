/** Why a character that nobody sees was removed; the keys of `sanitise(…).removed`. */
export type InvisibleKind =
  | "control"
  | "ansi_escape"
  | "soft_hyphen"
  | "zero_width"
  | "bidi_control"
  | "variation_selector"
  | "hangul_filler"
  | "invisible_operator"
  | "interlinear_annotation"
  | "tag_character"
  | "lone_surrogate"
  | "noncharacter"
  | "invisible";

/**
 * Sorted ranges of code points: controls, Unicode's `Default_Ignorable_Code_Point`, all of plane 14, annotation marks,
 * controls of single scripts and of musical notation. The format characters of Arabic and Kaithi numbers are visible.
 */
const RANGES: readonly (readonly [first: number, last: number, kind: InvisibleKind])[] = [
  [0x00, 0x08, "control"],
  [0x0b, 0x1f, "control"],
  [0x7f, 0x9f, "control"],
  [0xad, 0xad, "soft_hyphen"],
  [0x034f, 0x034f, "zero_width"],
  [0x061c, 0x061c, "bidi_control"],
  [0x070f, 0x070f, "invisible"],
  [0x115f, 0x1160, "hangul_filler"],
  [0x17b4, 0x17b5, "invisible"],
  [0x180b, 0x180d, "variation_selector"],
  [0x180e, 0x180e, "zero_width"],
  [0x180f, 0x180f, "variation_selector"],
  [0x200b, 0x200d, "zero_width"],
  [0x200e, 0x200f, "bidi_control"],
  [0x202a, 0x202e, "bidi_control"],
  [0x2060, 0x2060, "zero_width"],
  [0x2061, 0x2064, "invisible_operator"],
  [0x2065, 0x2065, "invisible"],
  [0x2066, 0x2069, "bidi_control"],
  [0x206a, 0x206f, "invisible"],
  [0x3164, 0x3164, "hangul_filler"],
  [0xd800, 0xdfff, "lone_surrogate"],
  [0xfdd0, 0xfdef, "noncharacter"],
  [0xfe00, 0xfe0f, "variation_selector"],
  [0xfeff, 0xfeff, "zero_width"],
  [0xffa0, 0xffa0, "hangul_filler"],
  [0xfff0, 0xfff8, "invisible"],
  [0xfff9, 0xfffb, "interlinear_annotation"],
  [0x13430, 0x13440, "invisible"],
  [0x16fe4, 0x16fe4, "invisible"],
  [0x1bca0, 0x1bca3, "invisible"],
  [0x1d159, 0x1d159, "invisible"],
  [0x1d173, 0x1d17a, "invisible"],
  [0xe0000, 0xe007f, "tag_character"],
  [0xe0080, 0xe00ff, "invisible"],
  [0xe0100, 0xe01ef, "variation_selector"],
  [0xe01f0, 0xeffff, "invisible"],
];

/** The kind of an invisible code point, `undefined` for one that a person can see (or a space, tab or line break). */
export function invisibleKind(codePoint: number): InvisibleKind | undefined {
  if ((codePoint & 0xfffe) === 0xfffe) return "noncharacter";
  let low = 0;
  let high = RANGES.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = RANGES[middle];
    if (range === undefined) return undefined;
    if (codePoint < range[0]) high = middle - 1;
    else if (codePoint > range[1]) low = middle + 1;
    else return range[2];
  }
  return undefined;
}
