import { attribute, type Node } from "../tree.js";
import { heading } from "./block-elements.js";
import { type Footnotes, note, readFootnotes } from "./footnotes.js";
import { rendersTex } from "./math.js";
import { SectionFinder } from "./section-finder.js";
import { tab, tabPanel } from "./tab-writers.js";
import { TabReader, type TabSets } from "./tabs.js";
import type { WriteRequest } from "./write-request.js";
import type { ElementWriter } from "./writer.js";

/** What stands in several places of a document and is read before it is written. */
export interface DocumentParts {
  readonly footnotes: Footnotes;
  readonly tabs: TabSets;
  readonly sections: SectionFinder;
  readonly rendersTex: boolean;
  /** Writers of single elements, before those of their classes and names. */
  readonly writers: ReadonlyMap<Node, ElementWriter>;
}

export function readParts({ tree, gone, hidden }: WriteRequest, root: Node): DocumentParts {
  const footnotes = readFootnotes(tree, gone, root);
  const tabs = new TabReader(tree, { gone, hidden });
  const writers = new Map<Node, ElementWriter>();
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined || !node.hasAttributes || hidden[at] === 1) continue;
    const role = attribute(node, "role");
    if (role === "heading") writers.set(node, heading);
    tabs.read(node, role);
  }
  for (const node of tabs.tabs) writers.set(node, tab);
  for (const node of tabs.labels.keys()) writers.set(node, tabPanel);
  for (const node of footnotes.labels.keys()) writers.set(node, note);
  let hasRenderer: boolean | undefined;
  return {
    footnotes,
    tabs,
    sections: new SectionFinder(tree),
    // Looked for when a text may hold TeX: most hold none, and the page is long.
    get rendersTex() {
      hasRenderer ??= rendersTex(tree.html);
      return hasRenderer;
    },
    writers,
  };
}
