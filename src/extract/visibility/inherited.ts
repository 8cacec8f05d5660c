import { lengthPx } from "./box.js";
import { type Colour, contrast, parseColour } from "./colour.js";
import type { OwnStyle } from "./style-rules.js";

/** What text takes from the elements around it, and what that makes of it. */
export interface Inherited {
  readonly isInvisible: boolean;
  readonly fontPx: number;
  readonly colour: Colour | undefined;
  readonly isColourSure: boolean;
  /** `-webkit-text-fill-color`, which paints over `color`. */
  readonly fill: Colour | undefined;
  /** Undefined when an image or an unknown colour lies behind. */
  readonly background: Colour | undefined;
  readonly isMasked: boolean;
  /** Why text standing right here cannot be seen, "" when it can. */
  readonly textReason: string;
}

const UNREADABLE_FONT_PX = 2;
const UNREADABLE_CONTRAST = 1.15;
const UNREADABLE_ALPHA = 0.08;
const FONT_KEYWORDS: ReadonlyMap<string, number> = new Map([
  ["xx-small", 9],
  ["x-small", 10],
  ["small", 13],
  ["medium", 16],
  ["large", 18],
  ["x-large", 24],
  ["xx-large", 32],
  ["initial", 16],
]);

/** The page before any style. `background` is white only where no unread style sheet can have changed it. */
export function initialStyle(background: Colour | undefined): Inherited {
  return {
    isInvisible: false,
    fontPx: 16,
    colour: undefined,
    isColourSure: true,
    fill: undefined,
    background,
    isMasked: false,
    textReason: "",
  };
}

/** Remembers what came of a style inside another: most elements repeat a pair. */
export class StyleInheritance {
  private readonly certain = new Map<Inherited, Map<OwnStyle, Inherited>>();
  private readonly uncertain = new Map<Inherited, Map<OwnStyle, Inherited>>();

  /**
   * The element's style for its content. `mayBeRestyled` says that a style sheet we cannot read may reach the element
   * (it has a class): colours from further out are then no longer certain.
   */
  inherit(parent: Inherited, style: OwnStyle, mayBeRestyled: boolean): Inherited {
    if (style.size === 0 && (!mayBeRestyled || (!parent.isColourSure && parent.background === undefined)))
      return parent;
    const known = mayBeRestyled ? this.uncertain : this.certain;
    let inside = known.get(parent);
    if (inside === undefined) {
      inside = new Map();
      known.set(parent, inside);
    }
    let inherited = inside.get(style);
    if (inherited === undefined) {
      inherited = inherit(parent, style, mayBeRestyled);
      inside.set(style, inherited);
    }
    return inherited;
  }
}

function inherit(parent: Inherited, style: OwnStyle, mayBeRestyled: boolean): Inherited {
  const visibility = style.get("visibility");
  const security = style.get("-webkit-text-security");
  const ownColour = style.get("color");
  const ownFill = style.get("-webkit-text-fill-color");
  const inner = {
    isInvisible: visibility === undefined ? parent.isInvisible : visibility === "hidden" || visibility === "collapse",
    fontPx: fontSize(style.get("font-size"), parent.fontPx),
    colour: keepsParent(ownColour) ? parent.colour : parseColour(ownColour),
    isColourSure: keepsParent(ownColour) ? parent.isColourSure && !mayBeRestyled : true,
    fill: keepsParent(ownFill) ? parent.fill : ownFill === "currentcolor" ? undefined : parseColour(ownFill),
    background: backgroundOf(parent, style, mayBeRestyled),
    isMasked: security === undefined ? parent.isMasked : security !== "none",
  };
  return { ...inner, textReason: textReason(inner) };
}

function keepsParent(value: string | undefined): value is undefined | "inherit" {
  return value === undefined || value === "inherit";
}

function fontSize(value: string | undefined, parentPx: number): number {
  if (value === undefined) return parentPx;
  if (value.endsWith("%")) return (Number.parseFloat(value) / 100) * parentPx;
  const px = FONT_KEYWORDS.get(value) ?? lengthPx(value, parentPx);
  return Number.isNaN(px) ? Math.max(parentPx, 12) : px;
}

function backgroundOf(parent: Inherited, style: OwnStyle, mayBeRestyled: boolean): Colour | undefined {
  if (style.get("background-image") !== undefined && style.get("background-image") !== "none") return undefined;
  const declared = style.get("background-color");
  if (declared === undefined) return mayBeRestyled ? undefined : parent.background;
  const colour = parseColour(declared);
  if (colour === undefined) return undefined;
  if (colour[3] === 0) return parent.background;
  return colour[3] > 0.9 ? colour : undefined;
}

function textReason(style: Omit<Inherited, "textReason">): string {
  if (style.isInvisible) return "visibility_hidden";
  if (style.fontPx < UNREADABLE_FONT_PX) return "font_size";
  if (style.isMasked) return "text_security";
  const painted = style.fill ?? style.colour;
  if (painted === undefined) return "";
  if (painted[3] <= UNREADABLE_ALPHA) return "transparent";
  const isSure = style.isColourSure && style.background !== undefined;
  return isSure && contrast(painted, style.background ?? painted) < UNREADABLE_CONTRAST ? "same_colour" : "";
}
