import { evaluateCondition, type Verdict } from "./condition.js";
import { splitList } from "./selector.js";

/** The range a measure lies in, or the one keyword that holds. */
type Feature = readonly [low: number, high: number] | string;

const exactly = (value: number): Feature => [value, value];

/**
 * The one reader that conditions are judged for: a desktop screen of 1280 x 800 CSS pixels, landscape, with a mouse, a
 * light colour scheme, scripts, and no wish for less motion, more contrast or fewer bytes.
 */
const DESKTOP: ReadonlyMap<string, Feature> = new Map([
  ["width", exactly(1280)],
  ["height", exactly(800)],
  ["device-width", exactly(1280)],
  ["device-height", exactly(800)],
  ["aspect-ratio", exactly(1.6)],
  ["device-aspect-ratio", exactly(1.6)],
  ["resolution", exactly(1)],
  ["-webkit-device-pixel-ratio", exactly(1)],
  ["color", exactly(8)],
  ["color-index", exactly(0)],
  ["monochrome", exactly(0)],
  ["grid", exactly(0)],
  ["orientation", "landscape"],
  ["hover", "hover"],
  ["any-hover", "hover"],
  ["pointer", "fine"],
  ["any-pointer", "fine"],
  ["prefers-color-scheme", "light"],
  ["prefers-reduced-motion", "no-preference"],
  ["prefers-reduced-transparency", "no-preference"],
  ["prefers-reduced-data", "no-preference"],
  ["prefers-contrast", "no-preference"],
  ["forced-colors", "none"],
  ["inverted-colors", "none"],
  ["color-gamut", "srgb"],
  ["dynamic-range", "standard"],
  ["scripting", "enabled"],
  ["update", "fast"],
  ["display-mode", "browser"],
]);
/** A container is at most as wide as the screen; more cannot be told without laying the page out. */
const CONTAINER: ReadonlyMap<string, Feature> = new Map([
  ["width", [0, 1280]],
  ["inline-size", [0, 1280]],
  ["height", [0, Number.POSITIVE_INFINITY]],
  ["block-size", [0, Number.POSITIVE_INFINITY]],
]);
/** What every current browser supports, by property and value; the rest cannot be told. */
const SUPPORTED =
  /^(?:--[\w-]+:|color:var\(|display:(?:inline-)?(?:block|flex|grid)$|display:(?:contents|flow-root|none)$|position:sticky$|(?:row-|column-)?gap:[\d.]+(?:px|r?em)?$|aspect-ratio:[\d./]+$|object-fit:(?:cover|contain)$|(?:-webkit-)?background-clip:text$|-webkit-text-fill-color:|inset:0$|overflow:clip$|(?:min-|max-)?height:\d+[dls]vh$|width:(?:min|max|fit)-content$|(?:-webkit-)?mask-image:|grid-template-columns:subgrid$)/;

const MAX_FEATURE_CHARS = 200;
const COMPARISON = /^([^<>=]+)([<>]=?|=)([^<>=]+)(?:([<>]=?|=)([^<>=]+))?$/;
const MIRRORED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };
/** CSS pixels or dots per pixel in a unit. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["px", 1],
  ["em", 16],
  ["rem", 16],
  ["pt", 4 / 3],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
  ["dppx", 1],
  ["x", 1],
  ["dpi", 1 / 96],
]);

/** True when one of the comma-separated media queries holds on the desktop screen (Media Queries 4 and 5). */
export function mediaHolds(queries: string): Verdict {
  const verdicts = splitList(queries.toLowerCase()).map((query) =>
    evaluateCondition(query, (text, isBare) => {
      if (!isBare) return featureHolds(text, DESKTOP);
      if (text.includes("(")) return undefined;
      return text === "all" || text === "screen";
    }),
  );
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

/** The condition of an `@container` rule; mostly it cannot be told. */
export function containerHolds(condition: string): Verdict {
  return evaluateCondition(condition.toLowerCase(), (text, isBare) =>
    isBare ? undefined : featureHolds(text, CONTAINER),
  );
}

/** The condition of an `@supports` rule. */
export function supportsHolds(condition: string): Verdict {
  return evaluateCondition(condition.toLowerCase(), (text, isBare) => {
    if (isBare || text.length > MAX_FEATURE_CHARS) return undefined;
    return SUPPORTED.test(text.replace(/\s+/g, "")) ? true : undefined;
  });
}

function featureHolds(written: string, features: ReadonlyMap<string, Feature>): Verdict {
  if (written.length > MAX_FEATURE_CHARS) return undefined;
  const text = written.replace(/\s+/g, "");
  const comparison = COMPARISON.exec(text);
  if (comparison !== null) {
    const [, first = "", operator = "", second = "", outer = "", third = ""] = comparison;
    if (features.has(first)) return outer === "" ? compare(features.get(first), operator, second) : undefined;
    const feature = features.get(second);
    const lower = compare(feature, MIRRORED[operator] ?? "", first);
    if (outer === "" || lower === false) return lower;
    const upper = compare(feature, outer, third);
    return upper === false ? false : lower === undefined ? undefined : upper;
  }
  const [name = "", value] = text.split(":");
  const [, prefix = "", bound, bare = ""] = /^(-webkit-)?(min|max)-(.+)$/.exec(name) ?? [];
  const feature = features.get(bound === undefined ? name : prefix + bare);
  if (feature === undefined) return undefined;
  if (value !== undefined) return compare(feature, bound === undefined ? "=" : bound === "min" ? ">=" : "<=", value);
  if (typeof feature === "string") return feature !== "none" && feature !== "no-preference";
  return feature[0] > 0 ? true : feature[1] > 0 ? undefined : false;
}

function compare(feature: Feature | undefined, operator: string, value: string): Verdict {
  if (feature === undefined) return undefined;
  if (typeof feature === "string") return feature === value;
  const wanted = measure(value);
  if (wanted === undefined) return undefined;
  const [low, high] = feature;
  if (operator === "=") return wanted < low || wanted > high ? false : low === high ? true : undefined;
  if (operator === ">=") return low >= wanted ? true : high < wanted ? false : undefined;
  if (operator === ">") return low > wanted ? true : high <= wanted ? false : undefined;
  if (operator === "<=") return high <= wanted ? true : low > wanted ? false : undefined;
  return high < wanted ? true : low >= wanted ? false : undefined;
}

function measure(value: string): number | undefined {
  const [, number = "", unit = "", divisor] =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)(?:\/(\d+\.?\d*))?$/.exec(value) ?? [];
  const factor = UNITS.get(unit);
  if (number === "" || factor === undefined) return undefined;
  return (Number(number) * factor) / (divisor === undefined ? 1 : Number(divisor));
}
