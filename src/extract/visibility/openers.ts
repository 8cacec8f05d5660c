import { classTokens } from "../class-names.js";
import { attribute, type Node, type Tree } from "../tree.js";

/** What on the page can show a closed element. */
export interface Openers {
  /** A control names it, or it is a tab's panel: a person sees it after one click. */
  canOpen(node: Node): boolean;
  /** A template of this id marks a place in the page. */
  isSlot(id: string): boolean;
  /** An inline script names its class or id. */
  isScripted(node: Node): boolean;
}

const CONTROL_ATTRIBUTES: readonly string[] = [
  "aria-controls",
  "popovertarget",
  "commandfor",
  "data-target",
  "data-bs-target",
  "data-toggle",
];
const MAX_HANDLER_CHARS = 20_000;
const MAX_SCRIPT_CHARS = 500_000;

export function openers(tree: Tree): Openers {
  const controlled = new Set<string>();
  const slots = new Set<string>();
  let handlers = "";
  let hasTabs = false;
  for (const node of tree.nodes) {
    if (node.tag.name === "template") slots.add(attribute(node, "id") ?? "");
    if (!node.hasAttributes) continue;
    if (attribute(node, "role") === "tab") hasTabs = true;
    const handler = attribute(node, "onclick");
    if (handler !== undefined && handlers.length < MAX_HANDLER_CHARS) handlers += `${handler}\n`;
    for (const name of CONTROL_ATTRIBUTES) {
      const value = attribute(node, name);
      if (value !== undefined) for (const id of value.split(/\s+/)) controlled.add(id.replace(/^#/, ""));
    }
  }
  let script: string | undefined;
  const mentioned = new Map<string, boolean>();
  const mentions = (name: string): boolean => {
    script ??= inlineScripts(tree);
    let found = mentioned.get(name);
    if (found === undefined) {
      found = name.length > 1 && mentioned.size < 64 && script.includes(name);
      mentioned.set(name, found);
    }
    return found;
  };
  return {
    canOpen(node) {
      if (hasTabs && attribute(node, "role") === "tabpanel") return true;
      const id = attribute(node, "id") ?? "";
      return (
        id !== "" && (controlled.has(id) || [`"${id}"`, `'${id}'`, `#${id}`].some((name) => handlers.includes(name)))
      );
    },
    isSlot(id) {
      return slots.has(id);
    },
    isScripted(node) {
      const id = attribute(node, "id") ?? "";
      return (id !== "" && mentions(id)) || classTokens(node.className).some(mentions);
    },
  };
}

function inlineScripts(tree: Tree): string {
  let text = "";
  for (const { type, start, end } of tree.scripts) {
    if (text.length > MAX_SCRIPT_CHARS) break;
    if (type === "" || type.includes("javascript") || type === "module") text += tree.html.slice(start, end);
  }
  return text;
}
