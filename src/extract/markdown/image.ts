import { attribute, type Node } from "../tree.js";
import { collapseSpace, escapeText } from "./escape.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_ALT_CHARS = 120;
/** Alternative texts that describe nothing: file names and decoration. */
const NO_DESCRIPTION =
  /^[\w%()-]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$|^(?:image|photo|picture|thumbnail|banner|avatar|icon|logo|placeholder|loading|hero|cover)s?\b.{0,20}$|\b(?:logo|icon|avatar|arrow|chevron|spinner|thumbnail|headshot)\b$/i;
/** How far round an image text that repeats its description makes it a label. */
const LABEL_NODES = 12;
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
    if (alt === "" || NO_DESCRIPTION.test(alt) || writer.shared.images.has(alt) || isLabelled(writer, node, alt))
      return true;
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

/** True when the text beside it already says what the alternative text says, as on cards and in captions. */
function isLabelled(writer: MarkdownWriter, node: Node, alt: string): boolean {
  const { nodes } = writer.request.tree;
  const wanted = alt.toLowerCase();
  const anchor = anchorOf(node);
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

/** Scripts put the address into `src` when the image comes into view; until then it waits elsewhere. */
const SOURCES = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-lazy",
  "data-srcset",
  "data-lazy-srcset",
  "srcset",
];

/** The image's own address, never the inlined stand-in for it. */
function sourceOf(writer: MarkdownWriter, node: Node): string {
  const source = writer.attribute(node, "src");
  const isStandIn = source === "" || source.startsWith("data:");
  if (!isStandIn && attribute(node, "data-src") === undefined) return source;
  const waiting = SOURCES.map((name) => firstCandidate(writer.attribute(node, name))).find(isAddress);
  if (waiting !== undefined) return waiting;
  return isStandIn ? pictureSource(writer, node) : source;
}

const isAddress = (address: string): boolean => address !== "" && !address.startsWith("data:");

/** The first of a `srcset`'s candidates, without its descriptor (HTML 4.8.4.2). */
const firstCandidate = (set: string): string => /^[\s,]*(\S*[^\s,])/.exec(set)?.[1] ?? "";

function pictureSource(writer: MarkdownWriter, node: Node): string {
  const picture = node.parent;
  if (picture?.tag.name !== "picture") return "";
  for (let at = picture.index + 1; at < node.index; at++) {
    const source = writer.request.tree.nodes[at];
    if (source?.tag.name !== "source") continue;
    const address = firstCandidate(writer.attribute(source, "srcset") || writer.attribute(source, "data-srcset"));
    if (isAddress(address)) return address;
  }
  return "";
}

function shorten(text: string): string {
  return text.length <= MAX_ALT_CHARS ? text : `${text.slice(0, MAX_ALT_CHARS).trimEnd()}…`;
}
