import { classTokens } from "../class-names.js";
import { attribute, type Tree } from "../tree.js";
import { type Selector, STATE_CLASS } from "./selector.js";

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
    if (!node.hasAttributes) continue;
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

/**
 * True when the selector names a class or id that no element has, states apart: most rules of a page's own sheet. The
 * selector holds no escapes.
 */
export function isAbsent(selector: string, names: DocumentNames): boolean {
  for (let at = 0; at < selector.length; at++) {
    const code = selector.charCodeAt(at);
    // Inside parentheses a name may be negated or one of several, inside brackets a dot is text.
    if (code === 0x28 || code === 0x5b) return false;
    if (code !== 0x2e && code !== 0x23) continue;
    const start = at + 1;
    while (isNameCode(selector.charCodeAt(at + 1))) at += 1;
    if (at < start) continue;
    const name = selector.slice(start, at + 1);
    if (code === 0x23 ? !names.ids.has(name) : !names.classes.has(name) && !STATE_CLASS.test(name)) return true;
  }
  return false;
}

/** Letters, digits, `_`, `-` and all beyond ASCII (CSS Syntax 3, "ident code point"); not the end of the text. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code >= 0x80
  );
}

/** True when every class and id outside parentheses stands on some element. */
export function isPossible({ compounds }: Selector, names: DocumentNames): boolean {
  return compounds.every(
    ({ id, classes }) => (id === "" || names.ids.has(id)) && classes.every((name) => names.classes.has(name)),
  );
}
