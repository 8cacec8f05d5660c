import { classTokens } from "../class-names.js";
import { attribute, type Tree } from "../tree.js";
import { type Selector, STATE_CLASS } from "./selector.js";

const NAME = /([.#])((?:[\w-]|[^\0-\x7f])+)(?!\\)/g;

/** The classes and ids that stand on a page. */
export interface DocumentNames {
  /** With the number of class attributes that hold them. */
  readonly classes: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
}

export const NO_NAMES: DocumentNames = { classes: new Map(), ids: new Set() };

export function documentNames(tree: Tree): DocumentNames {
  const classNames = new Set<string>();
  const ids = new Set<string>();
  for (const node of tree.nodes) {
    if (node.attributes.length === 0) continue;
    if (node.className !== "") classNames.add(node.className);
    const id = attribute(node, "id");
    if (id !== undefined) ids.add(id);
  }
  const classes = new Map<string, number>();
  for (const className of classNames) {
    for (const token of classTokens(className)) classes.set(token, (classes.get(token) ?? 0) + 1);
  }
  return { classes, ids };
}

/** True when the selector names a class or id that no element has, states apart: most rules of a page's own sheet. */
export function isAbsent(selector: string, names: DocumentNames): boolean {
  // Inside parentheses a name may be negated or one of several, inside brackets a dot is text.
  const open = selector.search(/[([]/);
  for (const [, mark, name = ""] of (open < 0 ? selector : selector.slice(0, open)).matchAll(NAME)) {
    if (mark === "." ? !names.classes.has(name) && !STATE_CLASS.test(name) : !names.ids.has(name)) return true;
  }
  return false;
}

/** True when every class and id outside parentheses stands on some element. */
export function isPossible({ compounds }: Selector, names: DocumentNames): boolean {
  return compounds.every(
    ({ id, classes }) => (id === "" || names.ids.has(id)) && classes.every((name) => names.classes.has(name)),
  );
}
