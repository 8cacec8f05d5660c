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

const CONTROL_ATTRIBUTES: ReadonlySet<string> = new Set([
  "aria-controls",
  "popovertarget",
  "commandfor",
  "data-target",
  "data-bs-target",
  "data-toggle",
]);
const MAX_HANDLER_CHARS = 20_000;
const MAX_SCRIPT_CHARS = 500_000;

export function openers(tree: Tree): Openers {
  const controlled = new Set<string>();
  const slots = new Set<string>();
  let handlers = "";
  let hasTabs = false;
  for (const node of tree.nodes) {
    const list = node.attributes;
    if (node.tag.name === "template") slots.add(attribute(node, "id") ?? "");
    for (let at = 0; at < list.length; at += 2) {
      const name = list[at] ?? "";
      const value = list[at + 1] ?? "";
      if (name === "role" && value === "tab") hasTabs = true;
      else if (name === "onclick" && handlers.length < MAX_HANDLER_CHARS) handlers += `${value}\n`;
      else if (CONTROL_ATTRIBUTES.has(name)) for (const id of value.split(/\s+/)) controlled.add(id.replace(/^#/, ""));
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
