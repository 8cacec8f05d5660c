import { attribute, type Node, type Tree } from "../tree.js";
import { textOf } from "./text-of.js";

/** Panels of a document that are shown one at a time, and the labels that choose them. */
export interface TabSets {
  /** Panels with what stands on their tabs. */
  readonly labels: ReadonlyMap<Node, string>;
  /** Tabs whose labels their panels repeat. */
  readonly tabs: ReadonlySet<Node>;
}

const MAX_LABEL_CHARS = 80;
/** How far above a panel its list of tabs may stand. */
const MAX_LEVELS = 5;
const TOGGLES: ReadonlySet<string> = new Set(["tab", "pill"]);
const PANE = /(?:^|\s)tab-pane(?:\s|$)/;
/** Labels that stand together before their panels and say nothing of them. */
const STRIP = /(?:^|\s)(?:tabbed-labels|CodeTabs-toolbar)(?:\s|$)/;
const STRIP_IN_GROUP = /(?:^|\s)tabs(?:\s|$)/;
const CODE_GROUP = /(?:^|\s)[\w-]*code-?(?:group|tabs)[\w-]*(?:\s|$)/i;
const MAX_TABS = 30;
const PANEL_ELEMENT = /^(?:div|section|article|pre|figure)$/;

/** What of the document is written, and what a reader of the page sees: 1 for nodes that are not. */
interface Shown {
  readonly gone: Uint8Array;
  readonly hidden: Uint8Array;
}

/**
 * ARIA tabs, Bootstrap's, sets of radio buttons with labels (MkDocs, Sphinx, VitePress), and strips of labels before
 * as many panels (ReadMe). A label that is not written itself is written with its panel.
 */
export class TabReader implements TabSets {
  readonly labels: Map<Node, string> = new Map();
  readonly tabs: Set<Node> = new Set();
  private readonly tree: Tree;
  private readonly shown: Shown;
  /** Tabs by the id of their panel or their own. */
  private readonly tabsById = new Map<string, Node>();
  /** Tabs without ids, by the elements round their list. */
  private readonly queues = new Map<Node, Node[]>();
  private readonly radios = new Set<string>();

  constructor(tree: Tree, shown: Shown) {
    this.tree = tree;
    this.shown = shown;
  }

  /** Takes the document's shown elements in their order. */
  read(node: Node, role: string | undefined): void {
    const { name } = node.tag;
    if (isStrip(node)) this.pairInOrder(this.children(node), node);
    if (name === "input") {
      if (attribute(node, "type") === "radio") this.radios.add(attribute(node, "id") ?? "");
    } else if (name === "label") this.readLabel(node);
    else if (role === "tab" || ((name === "a" || name === "button") && TOGGLES.has(toggleOf(node)))) this.readTab(node);
    else if (role === "tabpanel" || (node.className.includes("tab-pane") && PANE.test(node.className)))
      this.readPanel(node);
  }

  private readTab(tab: Node): void {
    if (this.tabs.has(tab)) return;
    const target =
      attribute(tab, "aria-controls") ??
      attribute(tab, "data-bs-target") ??
      attribute(tab, "data-target") ??
      attribute(tab, "href") ??
      "";
    const id = attribute(tab, "id") ?? "";
    if (target !== "") this.tabsById.set(target.slice(target.indexOf("#") + 1), tab);
    if (id !== "") this.tabsById.set(id, tab);
    if (target !== "" || id !== "") return;
    const list = tab.parent;
    const queue = (list === undefined ? undefined : this.queues.get(list)) ?? [];
    queue.push(tab);
    for (const around of [list, list?.parent, list?.parent?.parent]) {
      if (around !== undefined) this.queues.set(around, queue);
    }
  }

  private readPanel(panel: Node): void {
    if (this.labels.has(panel)) return;
    const tab =
      this.tabsById.get(attribute(panel, "id") ?? "") ??
      this.tabsById.get(attribute(panel, "aria-labelledby") ?? "") ??
      this.nextTab(panel);
    if (tab !== undefined) this.pair(tab, panel);
  }

  private nextTab(panel: Node): Node | undefined {
    let around = panel.parent;
    for (let level = 0; around !== undefined && level < MAX_LEVELS; level++) {
      const queue = this.queues.get(around);
      if (queue !== undefined) return queue.shift();
      around = around.parent;
    }
    return undefined;
  }

  /** The label of a radio button: its panel follows, or all panels follow all labels. */
  private readLabel(label: Node): void {
    if (!this.radios.has(attribute(label, "for") ?? "") || this.tabs.has(label)) return;
    const next = this.tree.nodes[this.afterSpace(label.end)];
    if (next !== undefined && next.parent === label.parent && PANEL_ELEMENT.test(next.tag.name)) {
      this.pair(label, next);
      return;
    }
    const list = label.parent;
    if (list === undefined) return;
    const labels = this.children(list).filter(({ tag }) => tag.name === "label");
    if (labels.length > 1) this.pairInOrder(labels, list);
  }

  /** Pairs labels with the children of the element behind their list, when there are as many. */
  private pairInOrder(labels: readonly Node[], list: Node): void {
    const box = this.tree.nodes[this.afterSpace(list.end)];
    if (box === undefined || box.parent !== list.parent) return;
    const panels = this.children(box).filter(({ tag }) => PANEL_ELEMENT.test(tag.name));
    if (panels.length !== labels.length) return;
    for (const [index, panel] of panels.entries()) {
      const label = labels[index];
      if (label !== undefined) this.pair(label, panel);
    }
  }

  private pair(tab: Node, panel: Node): void {
    if (this.shown.gone[panel.index] === 1) return;
    const label = textOf(this.tree, this.shown.hidden, tab, MAX_LABEL_CHARS);
    if (label === "") return;
    this.labels.set(panel, label);
    this.tabs.add(tab);
  }

  private afterSpace(at: number): number {
    let index = at;
    while (this.tree.nodes[index]?.tag.name === "#text" && this.tree.nodes[index]?.text.trim() === "") index += 1;
    return index;
  }

  private children(root: Node): readonly Node[] {
    const found: Node[] = [];
    for (let at = root.index + 1; at < root.end && found.length <= MAX_TABS; ) {
      const node = this.tree.nodes[at];
      if (node === undefined) break;
      if (node.tag.name !== "#text" && node.tag.name !== "input") found.push(node);
      at = node.end;
    }
    return found;
  }
}

const toggleOf = (node: Node): string => attribute(node, "data-bs-toggle") ?? attribute(node, "data-toggle") ?? "";

function isStrip({ className, parent }: Node): boolean {
  if (!className.includes("ab")) return false;
  return STRIP.test(className) || (STRIP_IN_GROUP.test(className) && CODE_GROUP.test(parent?.className ?? ""));
}
