import { attribute, type Node } from "../tree.js";
import { lengthPx } from "./box.js";
import type { OwnStyle } from "./style-rules.js";

/** Why an `svg`, `foreignObject` or `text` element paints nothing. */
export function svgReason(node: Node, style: OwnStyle): string | undefined {
  const { name } = node.tag;
  const size = (side: string): number => lengthPx(style.get(side) ?? attribute(node, side));
  if (name !== "text") return size("width") === 0 || size("height") === 0 ? "zero_size" : undefined;
  const paint = (property: string): string | undefined => style.get(property) ?? attribute(node, property);
  if (paint("fill") === "none" && (paint("stroke") ?? "none") === "none") return "transparent";
  let svg = node.parent;
  while (svg !== undefined && svg.tag.name !== "svg") svg = svg.parent;
  const [left = 0, top = 0, width = Number.NaN, height = Number.NaN] = (
    svg === undefined ? "" : (attribute(svg, "viewbox") ?? "")
  )
    .split(/[\s,]+/)
    .map(Number.parseFloat);
  const x = lengthPx(attribute(node, "x"));
  const y = lengthPx(attribute(node, "y"));
  return x > left + width || y > top + height * 2 || x < left - width * 5 ? "off_screen" : undefined;
}
