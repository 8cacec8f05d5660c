import type { Signals } from "./extraction.js";
import { oneLine } from "./metadata/one-line.js";
import { attribute, type Tree } from "./tree.js";

const APP_ROOT =
  /^(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|svelte|q-app|application|mount|container-root)$/i;
const MAX_NOSCRIPT_CHARS = 500;

export function readSignals(tree: Tree, textChars: number, stylesIncomplete: boolean): Signals {
  const scriptBytes = tree.scripts.reduce((sum, { start, end }) => sum + end - start, 0);
  const noscriptText = oneLine(textOfNoscripts(tree), MAX_NOSCRIPT_CHARS);
  return {
    scriptBytes,
    textChars,
    ...(noscriptText === undefined ? {} : { noscriptText }),
    ...(hasEmptyRoot(tree) ? { emptyRoot: true } : {}),
    ...(tree.isTruncated ? { truncated: true } : {}),
    ...(stylesIncomplete ? { stylesIncomplete } : {}),
  };
}

function textOfNoscripts({ nodes }: Tree): string {
  let text = "";
  for (const node of nodes) {
    if (node.tag.name !== "noscript") continue;
    for (let at = node.index + 1; at < node.end && text.length < MAX_NOSCRIPT_CHARS; at++) {
      text += ` ${nodes[at]?.text ?? ""}`;
    }
  }
  return text;
}

/** From the end, so that the next text is known at each element. */
function hasEmptyRoot({ nodes }: Tree): boolean {
  let nextText = nodes.length;
  for (let at = nodes.length - 1; at > 0; at--) {
    const node = nodes[at];
    if (node === undefined) break;
    if (node.text !== "") {
      if (/\S/.test(node.text)) nextText = at;
    } else if (nextText >= node.end && node.tag.isBlock && APP_ROOT.test(attribute(node, "id") ?? "")) return true;
  }
  return false;
}
