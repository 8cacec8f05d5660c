import { attribute, type Node, type Tree } from "../tree.js";

/** Values of `meta` elements by their lower-case name, property or `http-equiv`, in the page's order. */
export interface MetaTags {
  /** The first value. */
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  names(): Iterable<string>;
}

const MAX_NAMES = 500;
const MAX_VALUES = 50;

export function readMeta(tree: Tree): MetaTags {
  const values = new Map<string, string[]>();
  for (const node of tree.nodes) {
    if (node.tag.name !== "meta") continue;
    const content = attribute(node, "content")?.trim();
    if (content === undefined || content === "") continue;
    for (const name of namesOf(node)) {
      const known = values.get(name);
      if (known === undefined) {
        if (values.size < MAX_NAMES) values.set(name, [content]);
      } else if (known.length < MAX_VALUES) known.push(content);
    }
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    names: () => values.keys(),
  };
}

/** One element may speak to several readers, and RDFa allows several properties. */
function namesOf(node: Node): readonly string[] {
  const property = attribute(node, "property");
  const name = attribute(node, "name") ?? attribute(node, "http-equiv");
  const names = `${property ?? ""} ${name ?? (property === undefined ? (attribute(node, "itemprop") ?? "") : "")}`;
  const lower = names.trim().toLowerCase();
  return lower.includes(" ") ? lower.split(/\s+/, 4) : lower === "" ? [] : [lower];
}
