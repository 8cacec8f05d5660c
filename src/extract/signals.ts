import type { Signals } from "./extraction.js";
import { attribute, type Tree } from "./tree.js";

const APP_ROOT =
  /^(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|svelte|q-app|application|mount|container-root)$/i;
const MAX_NOSCRIPT_CHARS = 500;

export function readSignals(tree: Tree, textChars: number, stylesIncomplete: boolean): Signals {
  const scriptBytes = tree.scripts.reduce((sum, { start, end }) => sum + end - start, 0);
  let noscript = "";
  let emptyRoot = false;
  for (const node of tree.nodes) {
    if (node.tag.name === "noscript") {
      for (let at = node.index + 1; at < node.end && noscript.length < MAX_NOSCRIPT_CHARS; at++) {
        noscript += ` ${tree.nodes[at]?.text ?? ""}`;
      }
    } else if (node.tag.isBlock && APP_ROOT.test(attribute(node, "id") ?? ""))
      emptyRoot ||= isEmpty(tree, node.index, node.end);
  }
  const noscriptText = noscript.replace(/\s+/g, " ").trim().slice(0, MAX_NOSCRIPT_CHARS);
  return {
    scriptBytes,
    textChars,
    ...(noscriptText === "" ? {} : { noscriptText }),
    ...(emptyRoot ? { emptyRoot } : {}),
    ...(tree.isTruncated ? { truncated: true } : {}),
    ...(stylesIncomplete ? { stylesIncomplete } : {}),
  };
}

function isEmpty(tree: Tree, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (/\S/.test(tree.nodes[at]?.text ?? "")) return false;
  return true;
}
