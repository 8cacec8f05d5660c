import { FOREIGN_INTEGRATION, IMPLIED_ENDS, TABLE_PARTS, type Tag } from "./tags.js";
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
  private readonly closedForms = new Set<Node>();
  private paragraphs = 0;

  /** `nodes` are the tree's, in order: popping an element sets its end to their number. */
  constructor(nodes: readonly Node[], root: Node) {
    this.nodes = nodes;
    this.open = [root];
    this.top = root;
  }

  get depth(): number {
    return this.open.length;
  }

  get isInSvg(): boolean {
    return this.isForeign && this.contexts[this.contexts.length - 1]?.tag.name === "svg";
  }

  push(node: Node): void {
    const { name } = node.tag;
    this.open.push(node);
    this.top = node;
    if (name === "p") this.paragraphs += 1;
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
    const implied = IMPLIED_ENDS.get(tag.name);
    if (implied === undefined) return;
    let found = -1;
    for (let at = this.open.length - 1; at > 0; at--) {
      const name = this.open[at]?.tag.name ?? "";
      if (implied.ends.has(name)) found = at;
      else if (implied.within.has(name) || name === "table" || name === "template") break;
      else if ((name === "td" || name === "th" || name === "caption") && !TABLE_PARTS.has(tag.name)) break;
    }
    if (found > 0) this.popTo(found);
  }

  /** Ends the innermost such element and all inside it; an end tag without one in scope is nothing. */
  end(tag: Tag): void {
    const isTablePart = TABLE_PARTS.has(tag.name);
    for (let at = this.open.length - 1; at > 0; at--) {
      const node = this.open[at];
      if (node === undefined) return;
      if (node.tag === tag || (tag.headingLevel > 0 && node.tag.headingLevel > 0)) {
        // A form ends with the elements that are open in it, not before them.
        if (tag.name === "form") this.closedForms.add(node);
        else this.popTo(at);
        return;
      }
      if (isTablePart ? node.tag.name === "table" || node.tag.name === "template" : node.tag.isScope) return;
    }
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
