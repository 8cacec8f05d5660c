import type { Node } from "../tree.js";
import { textOf } from "./text-of.js";
import type { MarkdownWriter } from "./writer.js";

/** File names, decoration, people's faces, and what cameras, shops and recognisers of images write. */
const NO_DESCRIPTION: readonly RegExp[] = [
  /^[\w%(). -]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i,
  /^(?:img|dsc|dscn|pxl|screen ?shot|image|photo|pic)?[\s_-]*[\d_-][\d\s_.x-]*$/i,
  /^(?:image|photo|picture|thumbnail|banner|avatar|icon|logo|placeholder|loading|hero|cover)s?\b.{0,20}$/i,
  /\b(?:logo|icon|avatar|gravatar|arrow|chevron|spinner|thumbnail|headshot|profile)$/i,
  /\b(?:profile|user|author) (?:image|photo|pic|picture)\b/i,
  /^(?:avatar|logo|icon|headshot|portrait) (?:of|for) /i,
  /^https?:/i,
  /^enter image description here$/i,
  /^(?:featured|cover|header|hero|main|post|article|blog|product|stock|default|background) (?:image|photo|picture)s?\b/i,
  /\b(?:stock photo|getty images|shutterstock|image may contain|no (?:photo )?description available|click to (?:enlarge|zoom|view)|opens? in (?:a )?new)\b/i,
];
const NO_DESCRIPTION_CLASS =
  /(?:^|[\s_-])(?:avatars?|gravatar|emoji|logo|icons?|userpic|profile-?(?:pic|picture|image|photo))(?:$|[\s_-])/i;
const WORD = /\p{L}{3,}/gu;
/** This much of a description in the text beside it makes it a repetition. */
const REPEATED_SHARE = 0.6;
const CARD = /^(?:a|li|article|figure|td|tr|div)$/;
/** Larger elements are no card; a `div` may be anything. */
const MAX_CARD_NODES = 150;
const MAX_DIV_NODES = 60;
const MAX_CARD_CHARS = 600;
const MAX_LEVELS = 10;
/** A caption stands this many nodes before its image at most, or twice as many behind it. */
const CAPTION_NODES = 12;
const MIN_CAPTION_CHARS = 9;
const MAX_CAPTION_CHARS = 1_000;

/** False for an alternative text that says nothing, or nothing that the text round the image does not say. */
export function describes(writer: MarkdownWriter, image: Node, alt: string): boolean {
  if (alt === "" || NO_DESCRIPTION.some((pattern) => pattern.test(alt)) || NO_DESCRIPTION_CLASS.test(image.className))
    return false;
  const wanted = alt.toLowerCase();
  return !isOnCard(writer, image, wanted) && !hasCaption(writer, image, wanted);
}

/** True in a link that has text of its own, and on a card whose text repeats most of the words. */
function isOnCard({ request: { tree, gone } }: MarkdownWriter, image: Node, wanted: string): boolean {
  let isOuter = false;
  let card = image.parent;
  for (let level = 0; card !== undefined && level < MAX_LEVELS; level++, card = card.parent) {
    const { name } = card.tag;
    if (card.end - card.index > (name === "div" ? MAX_DIV_NODES : MAX_CARD_NODES)) break;
    if (!CARD.test(name) || (isOuter && name !== "a")) continue;
    const text = textOf(tree, gone, card, MAX_CARD_CHARS).toLowerCase();
    if (text === "") continue;
    if (name === "a" || repeats(text, wanted)) return true;
    isOuter = true;
  }
  return false;
}

function repeats(text: string, wanted: string): boolean {
  const words = wanted.match(WORD) ?? [wanted];
  return words.filter((word) => text.includes(word)).length >= words.length * REPEATED_SHARE;
}

/** True when a text beside it is the description, or a part of it. */
function hasCaption({ request: { tree, gone } }: MarkdownWriter, image: Node, wanted: string): boolean {
  const last = Math.min(tree.nodes.length, image.index + CAPTION_NODES * 2);
  for (let at = Math.max(1, image.index - CAPTION_NODES); at < last; at++) {
    const node = tree.nodes[at];
    if (node === undefined || gone[at] === 1 || node.text.length > MAX_CAPTION_CHARS) continue;
    const text = node.text.trim().toLowerCase();
    if (text.length >= MIN_CAPTION_CHARS && (wanted.includes(text) || text.includes(wanted))) return true;
  }
  return false;
}
