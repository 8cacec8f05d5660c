/** Red, green and blue 0..255, alpha 0..1. */
export type Colour = readonly [number, number, number, number];

const NAMED: ReadonlyMap<string, Colour> = new Map([
  ["white", [255, 255, 255, 1]],
  ["black", [0, 0, 0, 1]],
  ["transparent", [0, 0, 0, 0]],
  ["red", [255, 0, 0, 1]],
  ["green", [0, 128, 0, 1]],
  ["blue", [0, 0, 255, 1]],
  ["yellow", [255, 255, 0, 1]],
  ["navy", [0, 0, 128, 1]],
  ["gray", [128, 128, 128, 1]],
  ["grey", [128, 128, 128, 1]],
  ["silver", [192, 192, 192, 1]],
  ["lightgray", [211, 211, 211, 1]],
  ["lightgrey", [211, 211, 211, 1]],
  ["whitesmoke", [245, 245, 245, 1]],
  ["snow", [255, 250, 250, 1]],
  ["ivory", [255, 255, 240, 1]],
  ["ghostwhite", [248, 248, 255, 1]],
  ["aliceblue", [240, 248, 255, 1]],
  ["floralwhite", [255, 250, 240, 1]],
  ["mintcream", [245, 255, 250, 1]],
  ["azure", [240, 255, 255, 1]],
  ["beige", [245, 245, 220, 1]],
  ["orange", [255, 165, 0, 1]],
  ["purple", [128, 0, 128, 1]],
  ["maroon", [128, 0, 0, 1]],
  ["teal", [0, 128, 128, 1]],
  ["olive", [128, 128, 0, 1]],
  ["lime", [0, 255, 0, 1]],
  ["aqua", [0, 255, 255, 1]],
  ["cyan", [0, 255, 255, 1]],
  ["fuchsia", [255, 0, 255, 1]],
  ["magenta", [255, 0, 255, 1]],
]);

/** A CSS colour (CSS Color 4: hex, rgb(), hsl(), common names); undefined when it cannot be told. */
export function parseColour(value: string): Colour | undefined {
  const named = NAMED.get(value);
  if (named !== undefined) return named;
  if (value.startsWith("#")) return parseHex(value.slice(1));
  const call = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(value);
  if (call === null) return undefined;
  const parts = (call[2] ?? "").split(/[\s,/]+/).filter((part) => part !== "");
  const [first, second, third, alpha = "1"] = parts;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const opacity = scaled(alpha, 1);
  const colour: Colour =
    call[1] === "rgb"
      ? [scaled(first, 255), scaled(second, 255), scaled(third, 255), opacity]
      : [...fromHsl(Number.parseFloat(first), scaled(second, 1), scaled(third, 1)), opacity];
  return colour.some(Number.isNaN) ? undefined : colour;
}

function scaled(part: string, whole: number): number {
  const number = Number.parseFloat(part);
  return part.endsWith("%") ? (number / 100) * whole : number;
}

function parseHex(digits: string): Colour | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined;
  const size = digits.length < 6 ? 1 : 2;
  const channel = (index: number): number => {
    const part = digits.slice(index * size, index * size + size);
    if (part === "") return 255;
    return Number.parseInt(size === 1 ? part + part : part, 16);
  };
  return [channel(0), channel(1), channel(2), channel(3) / 255];
}

function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const position = (offset + hue / 30) % 12;
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Contrast ratio 1..21 of opaque colours (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Colour, other: Colour): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
