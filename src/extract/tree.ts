import type { Tag } from "./tags.js";

/**
 * An element or a run of text. Nodes stand in one array in document order, so a subtree is the half-open range
 * `index + 1 .. end`: every pass is a loop, and skipping a subtree is an assignment.
 */
export interface Node {
  readonly tag: Tag;
  readonly parent: Node | undefined;
  readonly index: number;
  readonly depth: number;
  /** Index after the last descendant. */
  end: number;
  /** Of text nodes only, else "". */
  readonly text: string;
  readonly className: string;
  /** Names and values in turn, as written, the name in lower case. */
  readonly attributes: readonly string[];
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

export const NO_ATTRIBUTES: readonly string[] = [];

/** The attribute's value, "" when it has none, undefined when it is absent. */
export function attribute(node: Node, name: string): string | undefined {
  const list = node.attributes;
  for (let at = 0; at < list.length; at += 2) if (list[at] === name) return list[at + 1];
  return undefined;
}
