import type { OwnStyle } from "./style-rules.js";

/** What a judge needs to know beside the style. */
export interface Box {
  readonly style: OwnStyle;
  /** A non-replaced inline box: transforms and sizes do not apply. */
  readonly isInline: boolean;
  readonly isPositioned: boolean;
  readonly isFixed: boolean;
  readonly clipsOverflow: boolean;
  /** Stands in a grid track without height or width. */
  readonly isInZeroTrack: boolean;
  readonly lastFrames: ReadonlyMap<string, string>;
}

interface Judge {
  readonly reason: string;
  /** What a revealing rule must change. */
  readonly properties: readonly string[];
  readonly hides: (box: Box) => boolean;
}

const FAR_PX = 500;
const VIEWPORT_PX = { vh: 7.2, vw: 12.8, "%": 10 } as const;

/** A length in pixels, NaN when it cannot be told. Percentages and viewport units are taken of a desktop screen. */
export function lengthPx(value: string | undefined, fontPx = 16): number {
  if (value === undefined) return Number.NaN;
  const [, number = "", unit = ""] = /^(-?[\d.]+(?:e-?\d+)?)(px|pt|r?em|ex|ch|vh|vw|%|cm|mm|in)?$/.exec(value) ?? [];
  if (number === "") return /\*\s*0\s*\)$|^calc\(\s*0[a-z%]*\s*\*/.test(value) ? 0 : Number.NaN;
  const amount = Number.parseFloat(number);
  if (unit === "" || unit === "px") return amount;
  if (unit === "vh" || unit === "vw" || unit === "%") return amount * VIEWPORT_PX[unit];
  if (unit === "pt") return amount * 1.333;
  if (unit === "in") return amount * 96;
  if (unit === "cm") return amount * 37.8;
  if (unit === "mm") return amount * 3.78;
  return amount * (unit === "rem" ? 16 : fontPx);
}

const isFarOff = (value: string | undefined): boolean => lengthPx(value) <= -FAR_PX;
const isTiny = (value: string | undefined): boolean => Math.abs(lengthPx(value)) <= 1 && !value?.endsWith("%");

/** Why a subtree cannot be seen, most certain first. */
const JUDGES: readonly Judge[] = [
  { reason: "display_none", properties: ["display"], hides: ({ style }) => style.get("display") === "none" },
  {
    reason: "content_visibility",
    properties: ["content-visibility"],
    hides: ({ style }) => style.get("content-visibility") === "hidden",
  },
  {
    reason: "opacity",
    properties: ["opacity", "animation", "animation-name"],
    hides: ({ style }) =>
      Number.parseFloat(style.get("opacity") ?? "1") * (style.get("opacity")?.endsWith("%") ? 0.01 : 1) <= 0.05,
  },
  { reason: "animation", properties: ["animation"], hides: endsHidden },
  {
    reason: "clip",
    properties: ["clip", "clip-path", "position"],
    hides: ({ style, isPositioned }) =>
      (isPositioned && clipsAll(style.get("clip"))) || clipsAll(style.get("clip-path")),
  },
  {
    reason: "off_screen",
    properties: ["left", "right", "top", "bottom", "margin-left", "margin-top", "position", "transform", "text-indent"],
    hides: isOffScreen,
  },
  {
    reason: "zero_size",
    properties: ["width", "height", "max-width", "max-height", "overflow-x", "overflow-y"],
    hides: ({ style, isInline, clipsOverflow, isInZeroTrack }) =>
      !isInline &&
      clipsOverflow &&
      (isInZeroTrack || ["width", "height", "max-width", "max-height"].some((property) => isTiny(style.get(property)))),
  },
  { reason: "transform", properties: ["transform", "scale", "rotate"], hides: isTransformedAway },
  { reason: "filter", properties: ["filter"], hides: ({ style }) => isFilteredAway(style.get("filter") ?? "") },
];

export interface Verdict {
  readonly reason: string;
  /** What would have to change. */
  readonly properties: readonly string[];
}

/** The first judge that finds the box hidden. */
export function judgeBox(box: Box): Verdict | undefined {
  return JUDGES.find((judge) => judge.hides(box));
}

function animationNames(style: OwnStyle): readonly string[] {
  return `${style.get("animation") ?? ""} ${style.get("animation-name") ?? ""}`.split(/[\s,]+/);
}

function lastFrameOf({ style, lastFrames }: Box): string | undefined {
  for (const name of animationNames(style)) {
    const frame = lastFrames.get(name);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

const HIDING_FRAME = /opacity\s*:\s*0?\.?0*\s*(?:;|$|!)|visibility\s*:\s*hidden|display\s*:\s*none/i;

function endsHidden(box: Box): boolean {
  const fill = `${box.style.get("animation") ?? ""} ${box.style.get("animation-fill-mode") ?? ""}`;
  const frame = /forwards|both/.test(fill) ? lastFrameOf(box) : undefined;
  return frame !== undefined && HIDING_FRAME.test(frame);
}

/** True when an animation shows what the style hides: known to end visible, or declared elsewhere. */
export function isAnimatedIn(box: Box): boolean {
  if (!box.style.has("animation") && !box.style.has("animation-name")) return false;
  if (animationNames(box.style).includes("none")) return false;
  const frame = lastFrameOf(box);
  return frame === undefined || !HIDING_FRAME.test(frame);
}

function clipsAll(value: string | undefined): boolean {
  if (value === undefined) return false;
  const [, shape, argument = ""] = /^(rect|inset|circle|ellipse|polygon)\(([^)]*)\)/.exec(value) ?? [];
  const numbers = (argument.match(/-?[\d.]+/g) ?? []).map(Number);
  if (shape === "rect") {
    const [top = 0, right = 0, bottom = 0, left = 0] = numbers;
    return numbers.length === 4 && (right - left <= 1 || bottom - top <= 1);
  }
  if (shape === "inset") return /^\s*(?:[5-9]\d|\d{3,})(?:\.\d+)?%/.test(argument);
  if (shape === "circle" || shape === "ellipse") return /^\s*0(?:px|%)?(?:\s|$)/.test(argument);
  return shape === "polygon" && polygonArea(numbers) < 1;
}

function polygonArea(numbers: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const next = (at + 2) % numbers.length;
    twice += (numbers[at] ?? 0) * (numbers[next + 1] ?? 0) - (numbers[next] ?? 0) * (numbers[at + 1] ?? 0);
  }
  return Math.abs(twice) / 2;
}

function isOffScreen({ style, isPositioned, isFixed, isInline }: Box): boolean {
  if (isFarOff(style.get("margin-left")) || isFarOff(style.get("margin-top"))) return !isInline;
  if (isFarOff(style.get("text-indent"))) return !isInline;
  const shift = /translate(?:3d|x|y)?\(([^)]*)\)/.exec(style.get("transform") ?? "")?.[1] ?? "";
  if (!isInline && shift.split(",").some((part) => !part.includes("%") && isFarOff(part.trim()))) return true;
  if (!isPositioned) return false;
  // Drawers: fixed and moved out by their own size.
  if (isFixed && shift.split(",").some((part) => /^\s*-?1[0-9]{2}%/.test(part))) return true;
  return ["left", "top", "right", "bottom"].some((side) => {
    const value = style.get(side);
    if (value === undefined) return false;
    const px = lengthPx(value);
    if (px <= -FAR_PX) return true;
    return isFixed && /v[hw]$|%$/.test(value) && Number.parseFloat(value) >= 100;
  });
}

function isTransformedAway({ style, isInline }: Box): boolean {
  if (isInline) return false;
  if (/^0(?:\.0\d*)?(?:\s|$)/.test(style.get("scale") ?? "")) return true;
  const transform = style.get("transform") ?? "";
  if (
    /scale(?:x|y|3d)?\(\s*0(?:\.0\d*)?\s*[,)]|rotate[xy]\(\s*-?(?:90|270)deg|matrix\(\s*0\s*,\s*0\s*,/.test(transform)
  )
    return true;
  return style.get("backface-visibility") === "hidden" && /rotate[xy]\(\s*-?180deg/.test(transform);
}

function isFilteredAway(filter: string): boolean {
  const blur = /blur\(\s*([\d.]+)(?:px|r?em)/.exec(filter)?.[1];
  return (blur !== undefined && Number(blur) >= 10) || /opacity\(\s*0(?:\.0\d*)?%?\s*\)/.test(filter);
}
