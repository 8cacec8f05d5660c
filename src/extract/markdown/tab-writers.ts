import { escapeText } from "./escape.js";
import type { ElementWriter } from "./writer.js";

/** A panel that other panels are shown instead of: its tab's label, then what its element is. */
export const tabPanel: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    const label = writer.parts.tabs.labels.get(node);
    if (label !== undefined) writer.block(`**${escapeText(label, false)}**`);
    return writer.usualWriter(node)?.enter(writer, node) ?? false;
  },
  leave(writer, node) {
    writer.usualWriter(node)?.leave?.(writer, node);
    writer.endBlock();
  },
};

/** A tab's label is written before its panel. */
export const tab: ElementWriter = { enter: () => true };
