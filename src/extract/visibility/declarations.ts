import { unescapeCss } from "./css-escape.js";

/** A property's value as declared, `!important` apart. */
interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
}

export type Declarations = ReadonlyMap<string, Declared>;

/** The properties that decide whether text can be seen; everything else is skipped unread. */
const RELEVANT: ReadonlySet<string> = new Set(
  `display visibility opacity content-visibility position left top right bottom inset width height max-width max-height
  overflow overflow-x overflow-y clip clip-path text-indent margin margin-left margin-top font font-size color background
  background-color background-image transform scale rotate backface-visibility filter animation animation-name
  animation-fill-mode grid-template-rows grid-template-columns -webkit-text-fill-color -webkit-text-security
  fill stroke transition`.split(/\s+/),
);
const QUICK_TEST =
  /display|visib|opacity|position|left|right|top|width|height|overflow|clip|indent|margin|font|color|background|transform|scale|rotate|filter|animation|grid-template|security|fill|stroke|inset|--/i;

const MAX_VALUE_CHARS = 1_000;
const NONE: Declarations = new Map();

/** The declarations of a rule's or a style attribute's body that bear on visibility, custom properties included. */
export function parseDeclarations(body: string): Declarations {
  if (!QUICK_TEST.test(body) && !body.includes("\\")) return NONE;
  const found = new Map<string, Declared>();
  for (let at = 0; at < body.length; ) {
    const end = declarationEnd(body, at);
    const colon = body.indexOf(":", at);
    if (colon < 0) break;
    if (colon < end) {
      const name = unescapeCss(body.slice(at, colon)).trim().toLowerCase();
      if (RELEVANT.has(name) || name.startsWith("--")) declare(found, name, body.slice(colon + 1, end));
    }
    at = end + 1;
  }
  return found;
}

function declare(found: Map<string, Declared>, name: string, written: string): void {
  let value = unescapeCss(written).trim().toLowerCase();
  const mark = value.lastIndexOf("!");
  const isImportant = mark >= 0 && value.slice(mark + 1).trim() === "important";
  if (isImportant) value = value.slice(0, mark).trim();
  if (value === "" || (found.get(name)?.isImportant === true && !isImportant)) return;
  for (const [longhand, part] of expand(name, value)) {
    // A later declaration wins by standing later in the map too: `left` behind `inset` overrides it.
    found.delete(longhand);
    // A judge reads the value once for every element.
    found.set(longhand, { value: part.slice(0, MAX_VALUE_CHARS), isImportant });
  }
}

/** The next `;` outside quotes and parentheses. */
function declarationEnd(body: string, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === 0x3b && depth === 0) return at;
    if (code === 0x28) depth += 1;
    else if (code === 0x29) depth = Math.max(0, depth - 1);
    else if (code === 0x22 || code === 0x27) {
      const close = body.indexOf(body.charAt(at), at + 1);
      if (close > 0) at = close;
    }
  }
  return body.length;
}

const FONT_SIZE =
  /(?:^|\s)((?:calc\([^)]*\)|[\d.]+(?:px|pt|em|rem|%|vw|vh|ex|ch)?|xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger))(?:\s*\/|\s|$)/;
const COLOUR_WORD = /#[0-9a-f]{3,8}\b|(?:rgba?|hsla?|var)\([^)]*\)|\b[a-z]+\b/;

/** Shorthands to the longhands the judges read. */
function expand(name: string, value: string): readonly (readonly [string, string])[] {
  if (name === "font") {
    const size = FONT_SIZE.exec(value.replace(/\b[1-9]00\b|\b(?:normal|bold|italic)\b/g, ""))?.[1];
    return size === undefined ? [] : [["font-size", size]];
  }
  if (name === "background") {
    const hasImage = /url\(|gradient\(|image-set\(/.test(value);
    const colour = COLOUR_WORD.exec(value.replace(/(?:url|[a-z-]*gradient)\([^)]*\)/g, ""))?.[0];
    return [
      ["background-image", hasImage ? "image" : "none"],
      ["background-color", colour ?? "transparent"],
    ];
  }
  if (name === "margin" || name === "inset") {
    const [top = "0", right = top, bottom = top, left = right] = value.split(/\s+/);
    if (name === "margin")
      return [
        ["margin-top", top],
        ["margin-left", left],
      ];
    return [
      ["top", top],
      ["right", right],
      ["bottom", bottom],
      ["left", left],
    ];
  }
  if (name === "overflow") {
    const [x = "", y = x] = value.split(/\s+/);
    return [
      ["overflow-x", x],
      ["overflow-y", y],
    ];
  }
  return [[name, value]];
}
