import { attribute, type Node } from "../tree.js";
import { holdsOnlyCode } from "./code.js";
import type { ElementWriter, Enter, MarkdownWriter } from "./writer.js";

const MAX_HEADING_NODES = 200;
/** CommonMark 0.31, 5.2: an item's number has nine digits at most. */
const MAX_ITEM_NUMBER = 999_999_999;
const NOT_IN_HEADING = /^(?:h[1-6]|ul|ol|dl|table|pre|blockquote|article|section)$/;

export const heading: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (writer.heading !== undefined) return false;
    if (isUnclosed(writer, node)) {
      writer.headNextBlock(levelOf(node));
      return false;
    }
    writer.heading = node;
    writer.inline.muted = "**";
    const address = writer.headingAddress(node);
    if (address !== undefined) writer.inline.open("[", `](${address})`);
    return false;
  },
  leave(writer, node) {
    if (writer.heading !== node) {
      writer.endBlock();
      return;
    }
    if (writer.headingAddress(node) !== undefined) writer.inline.close();
    writer.heading = undefined;
    writer.inline.muted = "";
    writer.headNextBlock(levelOf(node));
    writer.block(writer.inline.flush(writer.isInCell ? "part" : "heading"));
  },
};

/** 1 to 6; what is a heading by its role is of level 2 when it says no other (ARIA 1.2, `heading`). */
function levelOf(node: Node): number {
  if (node.tag.headingLevel > 0) return node.tag.headingLevel;
  const level = Number.parseInt(attribute(node, "aria-level") ?? "2", 10);
  return Number.isNaN(level) ? 2 : Math.min(Math.max(level, 1), 6);
}

/** A heading whose end tag is missing holds the page behind it: only its first block is its text. */
function isUnclosed(writer: MarkdownWriter, node: Node): boolean {
  if (node.end - node.index > MAX_HEADING_NODES) return true;
  for (let at = node.index + 1; at < node.end; at++) {
    if (NOT_IN_HEADING.test(writer.request.tree.nodes[at]?.tag.name ?? "")) return true;
  }
  return false;
}

export function list(isOrdered: boolean): ElementWriter {
  return {
    enter(writer, node) {
      writer.endBlock();
      writer.output.openList(isOrdered);
      const start = Number.parseInt(writer.attribute(node, "start"), 10);
      writer.counters.push(isOrdered ? (Number.isNaN(start) ? 1 : start) : undefined);
      return false;
    },
    leave(writer) {
      writer.endBlock();
      writer.output.closeList();
      writer.counters.pop();
    },
  };
}

export const listItem: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    writer.output.openItem(nextMarker(writer, node));
    return false;
  },
  leave(writer) {
    writer.endBlock();
    writer.output.close();
  },
};

function nextMarker(writer: MarkdownWriter, node: Node): string {
  const { counters } = writer;
  const counter = counters[counters.length - 1];
  if (counter === undefined) return "- ";
  const written = Number.parseInt(writer.attribute(node, "value"), 10);
  const number = Number.isNaN(written) ? counter : written;
  counters[counters.length - 1] = number + 1;
  return `${Math.min(Math.max(0, number), MAX_ITEM_NUMBER)}. `;
}

/** Manuals indent their code with quotes: code alone stays free of quote marks, to be copied. */
export const quote: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (!holdsOnlyCode(writer.request.tree, writer.request.gone, node)) writer.output.openQuote();
    return false;
  },
  leave(writer, node) {
    writer.endBlock();
    if (!holdsOnlyCode(writer.request.tree, writer.request.gone, node)) writer.output.close();
  },
};

export const term: ElementWriter = {
  enter(writer) {
    writer.endBlock();
    writer.isInTerm = true;
    return false;
  },
  leave(writer) {
    writer.endBlock();
    writer.isInTerm = false;
  },
};

/** `: ` below its term, as PHP Markdown Extra and Pandoc write definition lists. */
export const definition: ElementWriter = {
  enter(writer) {
    writer.endBlock();
    writer.tighten();
    writer.output.openDefinition();
    return false;
  },
  leave(writer) {
    writer.endBlock();
    writer.output.close();
  },
};

export const summary: ElementWriter = {
  enter(writer) {
    writer.endBlock();
    writer.inline.open("**");
    return false;
  },
  leave(writer) {
    writer.inline.close();
    writer.endBlock();
  },
};

export const rule: Enter = (writer) => {
  writer.endBlock();
  if (!writer.isInCell) writer.block("---");
  return true;
};
