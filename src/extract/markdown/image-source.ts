import { attribute, type Node } from "../tree.js";
import type { MarkdownWriter } from "./writer.js";

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
export function sourceOf(writer: MarkdownWriter, node: Node): string {
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
