import type { Node } from "../tree.js";
import { beginsWithCode, holdsOnlyCode } from "./code.js";
import type { ElementWriter, Enter, MarkdownWriter } from "./writer.js";

const MAX_HEADING_NODES = 200;
const NOT_IN_HEADING = /^(?:h[1-6]|ul|ol|dl|table|pre|blockquote|article|section)$/;

export const heading: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (writer.heading !== undefined) return false;
    if (isUnclosed(writer, node)) {
      writer.headNextBlock(node.tag.headingLevel);
      return false;
    }
    writer.heading = node;
    writer.inline.muted = "**";
    return false;
  },
  leave(writer, node) {
    if (writer.heading !== node) {
      writer.endBlock();
      return;
    }
    writer.heading = undefined;
    writer.inline.muted = "";
    const text = writer.inline.flush().replace(/\s*\n\s*/g, " ");
    writer.headNextBlock(node.tag.headingLevel);
    writer.block(text);
  },
};

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
      writer.output.openList();
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
    const label = writer.shared.footnotes.get(writer.attribute(node, "id"));
    writer.output.openItem(label === undefined ? nextMarker(writer, node) : `[^${label}]: `);
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
  return `${Math.max(0, number)}. `;
}

/** Old pages indent code with a quote: one that holds nothing else is none. */
export const quote: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (!holdsOnlyCode(writer.request.tree, node)) writer.output.openQuote();
    return false;
  },
  leave(writer, node) {
    writer.endBlock();
    if (!holdsOnlyCode(writer.request.tree, node)) writer.output.close();
  },
};

/** `: ` below its term, as PHP Markdown Extra and Pandoc write definition lists; code stands as it is, to be copied. */
export const definition: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (beginsWithCode(writer.request.tree, node)) return false;
    writer.tighten();
    writer.output.open(": ", "  ");
    return false;
  },
  leave(writer, node) {
    writer.endBlock();
    if (!beginsWithCode(writer.request.tree, node)) writer.output.close();
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
