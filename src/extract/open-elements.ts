import { FOREIGN_INTEGRATION, NARROW_SCOPES, type Tag } from "./tags.js";
import type { Node } from "./tree.js";

/** The stack of open elements (HTML 13.2.4.2), outermost first; the document stays at its bottom. */
export class OpenElements {
  /** The innermost open element. */
  top: Node;
  /** In SVG or MathML, and not in a place where HTML stands inside them. */
  isForeign = false;

  private readonly nodes: readonly Node[];
  private readonly open: Node[];
  private readonly contexts: Node[] = [];
  /** A form that was begun and not ended: another one in it is ignored (HTML 13.2.4.4). */
  hasForm = false;

  private readonly closedForms = new Set<Node>();
  private paragraphs = 0;
  private tables = 0;

  /** `nodes` are the tree's, in order: popping an element sets its end to their number. */
  constructor(nodes: readonly Node[], root: Node) {
    this.nodes = nodes;
    this.open = [root];
    this.top = root;
  }

  get depth(): number {
    return this.open.length;
  }

  get isInTable(): boolean {
    return this.tables > 0;
  }

  get isInSvg(): boolean {
    return this.isForeign && this.contexts[this.contexts.length - 1]?.tag.name === "svg";
  }

  push(node: Node): void {
    const { name } = node.tag;
    this.open.push(node);
    this.top = node;
    if (name === "p") this.paragraphs += 1;
    else if (name === "table") this.tables += 1;
    else if (name === "form") this.hasForm = true;
    if (name === "svg" || name === "math" || (this.contexts.length > 0 && FOREIGN_INTEGRATION.has(name))) {
      this.contexts.push(node);
      this.isForeign = !FOREIGN_INTEGRATION.has(name);
    }
  }

  pop(): void {
    this.popTo(this.open.length - 1);
  }

  popAll(): void {
    for (const node of this.open) node.end = this.nodes.length;
  }

  popForeign(): void {
    while (this.isForeign && this.open.length > 1) this.pop();
  }

  /** Ends `head` with everything that is open in it. */
  popHead(): void {
    const head = this.open.findIndex((node) => node.tag.name === "head");
    if (head > 0) this.popTo(head);
  }

  /** What a start tag ends before it begins (HTML 13.1.2.4, optional tags). */
  endImplied(tag: Tag): void {
    if (tag.endsParagraph && this.paragraphs > 0) this.endParagraph();
    if (tag.headingLevel > 0 && this.top.tag.headingLevel > 0) this.pop();
    // A table stands in another only in a cell.
    if (tag.name === "table" && this.tableAround() !== undefined) this.end(tag);
    const { impliedEnds } = tag;
    if (impliedEnds === undefined) {
      if (tag.contexts !== undefined) this.clearTo(tag.contexts);
      return;
    }
    let found = -1;
    for (let at = this.open.length - 1; at > 0; at--) {
      const name = this.open[at]?.tag.name ?? "";
      if (impliedEnds.ends.has(name)) found = at;
      else if (impliedEnds.within.has(name) || name === "table" || name === "template") break;
      else if ((name === "td" || name === "th" || name === "caption") && !tag.isTablePart) break;
    }
    if (found > 0) this.popTo(found);
    if (tag.contexts !== undefined) this.clearTo(tag.contexts);
  }

  /** The innermost table when what comes next stands in it but in none of its cells. */
  tableAround(): Node | undefined {
    if (!this.top.tag.isTableFrame) return undefined;
    for (let at = this.open.length - 1; at > 0; at--) {
      const node = this.open[at];
      if (node?.tag.name === "table") return node;
      if (node === undefined || !node.tag.isTableFrame) return undefined;
    }
    return undefined;
  }

  /** Ends the innermost such element and all inside it; false when there is none in scope. */
  end(tag: Tag): boolean {
    const { isTablePart } = tag;
    const narrow = NARROW_SCOPES.get(tag.name);
    if (tag.name === "form") this.hasForm = false;
    for (let at = this.open.length - 1; at > 0; at--) {
      const node = this.open[at];
      if (node === undefined) return false;
      if (node.tag === tag || (tag.headingLevel > 0 && node.tag.headingLevel > 0)) {
        // A form ends with the elements that are open in it, not before them.
        if (tag.name === "form" && node !== this.top) this.closedForms.add(node);
        else this.popTo(at);
        return true;
      }
      const { name } = node.tag;
      if (isTablePart ? name === "table" || name === "template" : node.tag.isScope || narrow?.has(name)) return false;
    }
    return false;
  }

  /** Ends a formatting element; returns the blocks in it, which stay open behind it (HTML 13.2.6.4.7). */
  endFormatting(tag: Tag): readonly Node[] {
    for (let at = this.open.length - 1; at > 0; at--) {
      const node = this.open[at];
      if (node === undefined || node.tag.isScope) break;
      if (node.tag !== tag) continue;
      const kept = this.open.slice(at + 1).filter((inner) => inner.tag.isBlock);
      this.popTo(at);
      return kept;
    }
    return [];
  }

  private clearTo(contexts: ReadonlySet<string>): void {
    for (let at = this.open.length - 1; at > 0; at--) {
      const inner = this.open[at]?.tag;
      if (inner === undefined) return;
      if (contexts.has(inner.name)) {
        this.popTo(at + 1);
        return;
      }
      if (inner.isScope) return;
    }
  }

  private endParagraph(): void {
    for (let at = this.open.length - 1; at > 0; at--) {
      const tag = this.open[at]?.tag;
      if (tag === undefined || tag.isScope || tag.name === "button") return;
      if (tag.name === "p") {
        this.popTo(at);
        return;
      }
    }
  }

  private popTo(position: number): void {
    while (this.open.length > position && this.open.length > 1) {
      const node = this.open.pop();
      if (node === undefined) break;
      node.end = this.nodes.length;
      if (node.tag.name === "p") this.paragraphs -= 1;
      else if (node.tag.name === "table") this.tables -= 1;
      if (this.contexts.length > 0 && this.contexts[this.contexts.length - 1] === node) {
        this.contexts.pop();
        const context = this.contexts[this.contexts.length - 1];
        this.isForeign = context !== undefined && !FOREIGN_INTEGRATION.has(context.tag.name);
      }
    }
    this.top = this.open[this.open.length - 1] ?? this.top;
    if (this.closedForms.size > 0 && this.closedForms.has(this.top)) this.pop();
  }
}
