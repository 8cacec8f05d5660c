import type { Node } from "../tree.js";
import { collapseSpace, escapeText } from "./escape.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_ALT_CHARS = 120;
/** Alternative texts that describe nothing: file names and decoration. */
const NO_DESCRIPTION =
  /^[\w%()-]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$|^(?:image|photo|picture|thumbnail|banner|avatar|icon|logo|placeholder|loading|hero|cover)s?\b.{0,20}$|\b(?:logo|icon|avatar|arrow|chevron|spinner|thumbnail|headshot)\b$/i;
/** How far round an image text that repeats its description makes it a label. */
const LABEL_NODES = 12;

/** `[image: description]`: an image's address is a way to leak what a model knows, its description is not. */
export const image: ElementWriter = {
  enter(writer, node) {
    const { images, links } = writer.request;
    const alt = collapseSpace(writer.attribute(node, "alt")).trim();
    const address = images === "link" ? links.resolve(sourceOf(writer, node)) : undefined;
    if (address !== undefined) {
      writer.inline.raw(`![${escapeText(shorten(alt), true)}](${address})`);
      return true;
    }
    if (alt === "" || NO_DESCRIPTION.test(alt) || writer.shared.images.has(alt) || isLabelled(writer, node, alt))
      return true;
    writer.shared.images.add(alt);
    const label = `image: ${escapeText(shorten(alt), true)}`;
    writer.inline.raw(writer.inline.isInLink ? label : `[${label}]`);
    return true;
  },
};

/** True when the text beside it already says what the alternative text says, as on cards and in captions. */
function isLabelled(writer: MarkdownWriter, node: Node, alt: string): boolean {
  const { nodes } = writer.request.tree;
  const wanted = alt.toLowerCase();
  const anchor = writer.inline.isInLink ? anchorOf(node) : undefined;
  const last = Math.min(nodes.length, node.index + LABEL_NODES * 2);
  for (let at = Math.max(1, node.index - LABEL_NODES); at < last; at++) {
    const text = nodes[at]?.text.trim().toLowerCase() ?? "";
    if (text.length < 3) continue;
    if (anchor !== undefined && at > anchor.index && at < anchor.end) return true;
    if (text.length > 8 && (wanted.includes(text) || text.includes(wanted))) return true;
  }
  return false;
}

function anchorOf(node: Node): Node | undefined {
  let anchor = node.parent;
  while (anchor !== undefined && anchor.tag.name !== "a") anchor = anchor.parent;
  return anchor;
}

function sourceOf(writer: MarkdownWriter, node: Node): string {
  const source = writer.attribute(node, "src");
  if (source !== "" && !source.startsWith("data:")) return source;
  return writer.attribute(node, "data-src") || writer.attribute(node, "data-original");
}

function shorten(text: string): string {
  return text.length <= MAX_ALT_CHARS ? text : `${text.slice(0, MAX_ALT_CHARS).trimEnd()}…`;
}
