import type { Node, Tree } from "../tree.js";
import { panelKey } from "./language.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_TABS = 30;
const MAX_LABEL_CHARS = 80;
const MAX_WRAPPERS = 4;
const STRIP = /(?:^|\s)(?:tabbed-labels|CodeTabs-toolbar)(?:\s|$)/;
const GROUP = /(?:^|\s)[\w-]*code-?(?:group|tabs)[\w-]*(?:\s|$)/i;
const PANEL = /(?:^|\s)tabbed-block(?:\s|$)/;

/** Labels that stand together before their panels, in the same order (VitePress, MkDocs, ReadMe): each goes to its own. */
export const tabStrip: ElementWriter = {
  enter(writer, node) {
    if (!STRIP.test(node.className) && !GROUP.test(node.parent?.className ?? "")) return false;
    const { tree, gone } = writer.request;
    const labels = elementsIn(tree, node)
      .map((label) => textOf(tree, gone, label, MAX_LABEL_CHARS))
      .filter((label) => label !== "");
    const panels = panelsBehind(tree, node);
    if (labels.length === 0 || labels.length !== panels.length) return false;
    for (const [index, panel] of panels.entries()) {
      writer.shared.tabLabels.set(panelKey(panel), labels[index] ?? "");
    }
    return true;
  },
};

/** A panel that may hold more than code. */
export const labelledPanel: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    const label = writer.shared.tabLabels.get(panelKey(node));
    if (label !== undefined) writer.block(`**${label}**`);
    return false;
  },
  leave(writer) {
    writer.endBlock();
  },
};

/** The label that a block of code is written under, "" for none. */
export function codeTabLabel(writer: MarkdownWriter, block: Node): string {
  const { tabLabels } = writer.shared;
  let node: Node | undefined = block;
  for (let steps = 0; node !== undefined && tabLabels.size > 0 && steps < MAX_WRAPPERS; steps++, node = node.parent) {
    if (PANEL.test(node.className)) return "";
    const label = tabLabels.get(panelKey(node));
    if (label !== undefined) return label;
  }
  return "";
}

function panelsBehind(tree: Tree, strip: Node): readonly Node[] {
  const next = tree.nodes[strip.end];
  const box = next?.tag.name === "#text" && next.text.trim() === "" ? tree.nodes[next.end] : next;
  return box === undefined || box.parent !== strip.parent ? [] : elementsIn(tree, box);
}

function elementsIn(tree: Tree, root: Node): readonly Node[] {
  const elements: Node[] = [];
  for (let at = root.index + 1; at < root.end && elements.length <= MAX_TABS; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (node.tag.name !== "#text" && node.tag.name !== "input") elements.push(node);
    at = node.end;
  }
  return elements;
}
