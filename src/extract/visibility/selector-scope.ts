import type { Compound, Selector } from "./selector.js";

/**
 * What must be known of an element to test a rule: its own names; the names around it too; or its siblings, its
 * content or its other attributes.
 */
export type Scope = "named" | "pathwise" | "contextual";

export const isExact = ({ operator, ignoresCase }: Compound["attributes"][number]): boolean =>
  operator === "=" && !ignoresCase;

/** True when the one name by which the rule is found is all that the selector asks for. */
export function isKeyAlone(selector: Selector): boolean {
  const subject = selector.compounds[0];
  if (subject === undefined || !hasOneCompound(selector, subject)) return false;
  const { tag, id, classes, attributes, isRoot } = subject;
  const [test, ...others] = attributes;
  if (isRoot || others.length > 0 || (test !== undefined && test.operator !== "" && !isExact(test))) return false;
  return (tag === "" ? 0 : 1) + (id === "" ? 0 : 1) + new Set(classes).size + attributes.length <= 1;
}

export function scopeOf(selector: Selector): Scope {
  const [subject, ...others] = selector.compounds;
  if (others.length === 0 && subject?.isNamesOnly === true) return "named";
  return isPathwise(selector) ? "pathwise" : "contextual";
}

function isPathwise({ compounds, combinators }: Selector): boolean {
  return combinators.every((combinator) => combinator !== "+" && combinator !== "~") && compounds.every(isOfKind);
}

/** True when elements of one name, class attribute and id cannot differ. */
function isOfKind({ attributes, positions, holds, isEmpty, anyOf, noneOf }: Compound): boolean {
  return (
    attributes.every(({ name }) => name === "class") &&
    positions.length + holds.length === 0 &&
    !isEmpty &&
    anyOf.every((list) => list.every(isPathwise)) &&
    noneOf.every(isPathwise)
  );
}

/** Adds every id the selector asks for, of whatever element. */
export function noteIds({ compounds }: Selector, ids: Set<string>): void {
  for (const { id, anyOf, noneOf } of compounds) {
    if (id !== "") ids.add(id);
    for (const list of anyOf) for (const selector of list) noteIds(selector, ids);
    for (const selector of noneOf) noteIds(selector, ids);
  }
}

function hasOneCompound({ compounds }: Selector, { positions, anyOf, noneOf, holds, isEmpty }: Compound): boolean {
  return compounds.length === 1 && !isEmpty && positions.length + anyOf.length + noneOf.length + holds.length === 0;
}
