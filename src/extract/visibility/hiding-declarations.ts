import { lengthPx } from "./box.js";
import type { Declarations } from "./declarations.js";

type Test = (value: string) => boolean;

const is =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value);
const isTiny: Test = (value) => lengthPx(value) <= 1;
const isFar: Test = (value) => lengthPx(value) <= -100 || /^\d{3,}(?:v[hw]|%)$/.test(value);
const isTransparent: Test = is(/^transparent$|[,/]\s*0?\.?0*%?\s*\)$|^#(?:...0|.{6}00)$/);

/** Values that hide, or help to. */
const HIDING: ReadonlyMap<string, Test> = new Map([
  ["display", is(/^none$/)],
  ["visibility", is(/^(?:hidden|collapse)$/)],
  ["content-visibility", is(/^hidden$/)],
  ["opacity", is(/^(?:0|0?\.0[0-5]?\d*|[0-5]%|0\.0*)$/)],
  ["position", is(/^(?:absolute|fixed)$/)],
  ["overflow-x", is(/^(?:hidden|clip)$/)],
  ["overflow-y", is(/^(?:hidden|clip)$/)],
  ...["width", "height", "max-width", "max-height", "font-size"].map((name): [string, Test] => [name, isTiny]),
  ...["left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent"].map((name): [string, Test] => [
    name,
    isFar,
  ]),
  ["clip", is(/^rect\(/)],
  ["clip-path", is(/^(?:circle|ellipse|polygon)\(|^inset\((?!0(?:px|%)?\))/)],
  ["transform", is(/scale(?:x|y|3d)?\(\s*0|rotate[xy]\(|matrix\(|translate\w*\([^)]*-\d{3}/)],
  ["filter", is(/blur\(|opacity\(/)],
  ["-webkit-text-security", is(/^(?!none$)/)],
  ["scale", is(/^0/)],
  ["backface-visibility", is(/^hidden$/)],
  ["grid-template-rows", is(/^0/)],
  ["grid-template-columns", is(/^0/)],
  ["color", isTransparent],
  ["-webkit-text-fill-color", isTransparent],
]);

/**
 * The declarations of a rule of which nobody can tell whether it applies: those that hide. Text that a person might not
 * see must not be read; what such a rule shows may be hidden.
 */
export function hidingDeclarations(declarations: Declarations): Declarations {
  return new Map([...declarations].filter(([property, { value }]) => HIDING.get(property)?.(value) === true));
}
