import { attribute, type Node } from "../tree.js";
import { collapseSpace, escapeText } from "./escape.js";
import { describes } from "./image-description.js";
import { sourceOf } from "./image-source.js";
import { textOf } from "./text-of.js";
import type { ElementWriter } from "./writer.js";

const MAX_ALT_CHARS = 120;
/** A heading that has text needs no description of its icon. */
const MIN_HEADING_CHARS = 8;

/** `[image: description]`: an image's address is a way to leak what a model knows, its description is not. */
export const image: ElementWriter = {
  enter(writer, node) {
    const { tree, gone, images, links } = writer.request;
    const alt = collapseSpace(writer.attribute(node, "alt")).trim();
    const address = images === "link" ? links.resolve(sourceOf(writer, node)) : undefined;
    if (isTracker(node)) return true;
    if (address !== undefined) {
      writer.inline.raw(`![${escapeText(shorten(alt), true)}](${address})`);
      return true;
    }
    if (writer.heading !== undefined && textOf(tree, gone, writer.heading, MIN_HEADING_CHARS) !== "") return true;
    if (writer.shared.images.has(alt) || !describes(writer, node, alt)) return true;
    writer.shared.images.add(alt);
    const label = `image: ${escapeText(shorten(alt), true)}`;
    writer.inline.raw(writer.inline.isInLink ? label : `[${label}]`);
    return true;
  },
};

/** A counted visit, not a picture. */
function isTracker(node: Node): boolean {
  return attribute(node, "width") === "1" || attribute(node, "height") === "1";
}

function shorten(text: string): string {
  return text.length <= MAX_ALT_CHARS ? text : `${text.slice(0, MAX_ALT_CHARS).trimEnd()}…`;
}
