import type { Source } from "./source.js";
import { type Tag, TEXT } from "./tags.js";

/**
 * An element or a run of text. Nodes stand in one array in document order, so a subtree is the half-open range
 * `index + 1 .. end`: every pass is a loop, and skipping a subtree is an assignment.
 */
export class Node {
  readonly tag: Tag;
  readonly parent: Node | undefined;
  /** Place in the tree's nodes; only the parser sets it, and the end. */
  index: number;
  readonly depth: number;
  /** Index after the last descendant. */
  end: number;
  /** One string for all elements of the same class attribute. */
  readonly className: string;
  readonly source: Source;
  /** Of an element, where its attributes stand in the source's list; of text, its place in the document. */
  readonly from: number;
  readonly to: number;
  private ownText: string | undefined;

  constructor(
    tag: Tag,
    parent: Node | undefined,
    index: number,
    className: string,
    source: Source,
    from: number,
    to: number,
    text: string | undefined,
  ) {
    this.tag = tag;
    this.parent = parent;
    this.index = index;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.end = index + 1;
    this.className = className;
    this.source = source;
    this.from = from;
    this.to = to;
    this.ownText = text;
  }

  /** Of text nodes only, else "". */
  get text(): string {
    if (this.tag !== TEXT) return "";
    this.ownText ??= this.source.html.slice(this.from, this.to);
    return this.ownText;
  }

  /** Length of the text without white space at its ends. */
  get inkChars(): number {
    if (this.tag !== TEXT) return 0;
    const isCut = this.ownText === undefined;
    const text = this.ownText ?? this.source.html;
    let start = isCut ? this.from : 0;
    let end = isCut ? this.to : text.length;
    while (start < end && text.charCodeAt(start) <= 0x20) start += 1;
    while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
    return end - start;
  }

  /** Names and values in turn, as written, the name in lower case. Made anew each time: `attribute` asks for one. */
  get attributes(): readonly string[] {
    return this.tag === TEXT ? [] : this.source.attributes(this.from, this.to);
  }

  get attributeNames(): readonly string[] {
    return this.tag === TEXT ? [] : this.source.attributeNames(this.from, this.to);
  }

  get hasAttributes(): boolean {
    return this.from < this.to && this.tag !== TEXT;
  }
}

/** A script's place in the source; its body is cut out only when a pass asks for it. */
export interface Script {
  readonly type: string;
  readonly id: string;
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** The text of a `style` element. */
export interface StyleSource {
  readonly css: string;
  readonly media: string;
  /** Applies only where no script runs. */
  readonly isInNoscript: boolean;
}

export interface Tree {
  readonly html: string;
  /** Never empty: the first is the document. */
  readonly nodes: readonly Node[];
  readonly root: Node;
  readonly styles: readonly StyleSource[];
  readonly scripts: readonly Script[];
  /** The scripts that hold formulas (MathJax 2), by the index of their node. */
  readonly texScripts: ReadonlyMap<number, Script>;
  readonly comments: readonly string[];
  readonly commentCount: number;
  /** True when the document was cut at the node limit. */
  readonly isTruncated: boolean;
}

/** The attribute's value, "" when it has none, undefined when it is absent. */
export function attribute(node: Node, name: string): string | undefined {
  return node.from < node.to && node.tag !== TEXT ? node.source.attribute(node.from, node.to, name) : undefined;
}
