import { attribute, type Node, type Tree } from "../tree.js";
import { isoDate } from "./iso-date.js";

/** What stands on one visible line. */
export interface Line {
  readonly text: string;
  /** Of its first text node. */
  readonly index: number;
  /** Dates that `time` elements on it give for machines, by the day that stands in `text` for them. */
  readonly times: ReadonlyMap<string, string>;
}

/** Bylines stand near the heading: so many nodes are looked at, and so many lines before and after it. */
const NODES_BEFORE = 150;
const NODES_AFTER = 300;
const LINES_BEFORE = 10;
const LINES_AFTER = 20;
const MAX_LINE_CHARS = 200;

/** The lines round `heading`, without its own, those after it first; elements beside each other are words apart. */
export function linesRound(tree: Tree, gone: Uint8Array, heading: Node, language: string): readonly Line[] {
  const before = linesBetween(tree, gone, Math.max(1, heading.index - NODES_BEFORE), heading.index, language);
  const end = Math.min(tree.nodes.length, heading.end + NODES_AFTER);
  const after = linesBetween(tree, gone, heading.end, end, language);
  return [...after.slice(0, LINES_AFTER), ...before.slice(-LINES_BEFORE).reverse()];
}

function linesBetween(tree: Tree, gone: Uint8Array, start: number, end: number, language: string): readonly Line[] {
  const lines: Line[] = [];
  let block: Node | undefined;
  let text = "";
  let index = start;
  let times = new Map<string, string>();
  const flush = (): void => {
    const line = text.replace(/\s+/g, " ").trim();
    if (line !== "") lines.push({ text: line, index, times });
    text = "";
    times = new Map();
  };
  for (let at = start; at < end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    const own = blockRound(node);
    if (own !== block || node.tag.name === "br") flush();
    block = own;
    if (text === "") index = at;
    if (node.text === "" && node.tag.name !== "time") {
      at += 1;
      continue;
    }
    const time = node.tag.name === "time" ? isoDate(attribute(node, "datetime") ?? "", language) : undefined;
    const day = time?.slice(0, 10) ?? "";
    if (text.length < MAX_LINE_CHARS) text += day.length === 10 ? ` ${day} ` : ` ${node.text.slice(0, MAX_LINE_CHARS)}`;
    if (time !== undefined && day.length === 10) {
      times.set(day, time);
      at = node.end;
    } else at += 1;
  }
  flush();
  return lines;
}

function blockRound(node: Node): Node {
  let block = node;
  while (!block.tag.isBlock && block.parent !== undefined) block = block.parent;
  return block;
}
