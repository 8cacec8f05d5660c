import { attribute, type Node } from "../tree.js";
import { summary } from "./block-elements.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MIN_QUESTION_CHARS = 15;
const MAX_LABEL_CHARS = 80;
const TASK = /(?:^|\s)task-list-item-checkbox(?:\s|$)/;
const COPY = /^(?:copy(?: (?:code|link|to clipboard))?|copied!?)$/i;

export const input: ElementWriter = {
  enter(writer, node) {
    if (isTask(writer, node) && writer.output.isAtItemStart && writer.inline.isEmpty) {
      writer.inline.raw(attribute(node, "checked") === undefined ? "[ ]" : "[x]");
      writer.inline.space();
    }
    return true;
  },
};

/** A box to tick at an item's start; in the content alone one that only its author can tick, as filters are ticked by all. */
function isTask(writer: MarkdownWriter, node: Node): boolean {
  if (attribute(node, "type") !== "checkbox") return false;
  return writer.request.keepsControls || attribute(node, "disabled") !== undefined || TASK.test(node.className);
}

/** Controls are no text, except where a page makes its headings and questions of them. */
export const button: ElementWriter = {
  enter(writer, node) {
    if (COPY.test(textOf(writer.request.tree, writer.request.gone, node, MAX_LABEL_CHARS))) return true;
    if (isText(writer, node)) return false;
    return isQuestion(writer, node) ? summary.enter(writer, node) : true;
  },
  leave(writer, node) {
    if (isText(writer, node)) writer.inline.space();
    else summary.leave?.(writer, node);
  },
};

function isText(writer: MarkdownWriter, node: Node): boolean {
  if (writer.request.keepsControls || attribute(node, "role") === "tab") return true;
  const { tag } = node.parent ?? node;
  return tag.headingLevel > 0 || tag.name === "summary" || tag.name === "dt";
}

/** A question whose answer it opens. */
function isQuestion(writer: MarkdownWriter, node: Node): boolean {
  const discloses = attribute(node, "aria-expanded") !== undefined && attribute(node, "aria-haspopup") === undefined;
  return (
    discloses && textOf(writer.request.tree, writer.request.gone, node, MAX_LABEL_CHARS).length >= MIN_QUESTION_CHARS
  );
}

export const option: ElementWriter = {
  enter(writer, node) {
    if (!writer.request.keepsControls) return true;
    const label = writer.attribute(node, "label");
    if (label === "") return false;
    writer.text(label);
    writer.inline.space();
    return true;
  },
};
