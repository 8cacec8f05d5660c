/** Undefined when it cannot be told. */
export type Verdict = boolean | undefined;

const MAX_DEPTH = 8;

/**
 * Evaluates the boolean grammar that media queries, `@container` and `@supports` share (CSS Conditional 3, Media
 * Queries 4): `not`, `only`, `and`, `or` and parentheses. `leaf` judges a bare word, a function or what stands in
 * innermost parentheses; an unknown operand leaves the whole unknown unless the others decide it.
 */
export function evaluateCondition(
  source: string,
  leaf: (text: string, isBare: boolean) => Verdict,
  depth = 0,
): Verdict {
  let verdict: Verdict = true;
  let isNegated = false;
  let isAlternative = false;
  for (const part of operands(source)) {
    if (part === "not") isNegated = true;
    else if (part === "or") isAlternative = true;
    else if (part !== "and" && part !== "only") {
      const inner = part.startsWith("(") ? part.replace(/^\(|\)$/g, "").trim() : undefined;
      const isNested = inner !== undefined && /^(?:\(|not\s|[\w-]+\()/.test(inner);
      let value: Verdict;
      if (!isNested) value = leaf(inner ?? part, inner === undefined);
      else if (depth < MAX_DEPTH) value = evaluateCondition(inner, leaf, depth + 1);
      verdict = isAlternative ? either(verdict, value) : both(verdict, value);
    }
  }
  return isNegated && verdict !== undefined ? !verdict : verdict;
}

/** Words, functions and groups at the outermost level. */
function operands(source: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  const close = (end: number): void => {
    if (end > start) found.push(source.slice(start, end));
    start = end;
  };
  for (let at = 0; at < source.length; at++) {
    const char = source.charCodeAt(at);
    if (char === 0x28) depth += 1;
    else if (char === 0x29) {
      depth = Math.max(0, depth - 1);
      if (depth === 0) close(at + 1);
    } else if (depth === 0 && (char === 0x20 || (char >= 0x09 && char <= 0x0d))) {
      close(at);
      start = at + 1;
    }
  }
  close(source.length);
  return found;
}

function both(one: Verdict, other: Verdict): Verdict {
  if (one === false || other === false) return false;
  return one === true && other === true ? true : undefined;
}

function either(one: Verdict, other: Verdict): Verdict {
  if (one === true || other === true) return true;
  return one === false && other === false ? false : undefined;
}
