import type { Node, Tree } from "../tree.js";

const SECTION = /^(?:h[1-6]|ul|dl|blockquote|section|article|main|nav|footer|form|figure)$/;

/** Finds headings, lists and the like inside elements; elements that hold each other are searched once. */
export class SectionFinder {
  private readonly nodes: Tree["nodes"];
  /** The first part from index `from` on stands at `next`. */
  private from = 0;
  private next = -1;

  constructor({ nodes }: Tree) {
    this.nodes = nodes;
  }

  /** True for an element that holds a part of a page: it lost its end tag, or is a card in the dress of code. */
  isIn(root: Node): boolean {
    const first = root.index + 1;
    if (first < this.from || first > this.next) {
      this.from = first;
      this.next = first;
      while (this.next < this.nodes.length && !SECTION.test(this.nodes[this.next]?.tag.name ?? "")) this.next += 1;
    }
    return this.next < root.end;
  }
}
