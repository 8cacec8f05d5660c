import type { Node, Tree } from "../tree.js";
import { titleWords } from "./language-names.js";

const CONTROLS: ReadonlySet<string> = new Set(["button", "select", "textarea", "script", "style", "svg"]);

/** A stretch of nodes, as indexes of the tree: `from` is the first, `to` the one after the last. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What stands over a block of code, on one line and without its buttons; undefined when it is longer than a title. */
export function titleText(tree: Tree, gone: Uint8Array, { from, to }: Stretch, maxChars: number): string | undefined {
  let text = "";
  let last: Node | undefined;
  for (let at = from; at < to; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1 || CONTROLS.has(node.tag.name)) {
      at = node.end;
      continue;
    }
    if (node.text !== "") {
      // Boxes beside each other are words apart.
      const isApart = last?.parent !== node.parent && (last?.parent?.tag.isBlock || node.parent?.tag.isBlock);
      text += isApart === true ? ` ${node.text}` : node.text;
      if (text.length > maxChars) return undefined;
      last = node;
    }
    at += 1;
  }
  return titleWords(text);
}
