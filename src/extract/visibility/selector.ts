/** One compound selector, such as `p.note[hidden]:first-child`. */
export interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  readonly positions: readonly PositionTest[];
  readonly anyOf: readonly (readonly Selector[])[];
  readonly noneOf: readonly Selector[];
  /** `:has()`: for each, one of these elements must stand in that relation. */
  readonly holds: readonly (readonly RelativeSelector[])[];
  readonly isRoot: boolean;
  /** `:empty`. */
  readonly isEmpty: boolean;
  /** Nothing but a tag, an id, classes and `:root` is asked for. */
  readonly isNamesOnly: boolean;
}

export interface AttributeTest {
  readonly name: string;
  /** "" tests for presence. */
  readonly operator: string;
  /** In lower case when case makes no difference. */
  readonly value: string;
  readonly ignoresCase: boolean;
}

/** A compound that stands to the element as the combinator says. */
export interface RelativeSelector {
  readonly combinator: string;
  readonly selector: Selector;
}

/** `step * n + offset` counted among siblings, from the end for `:last-child`. */
export interface PositionTest {
  readonly step: number;
  readonly offset: number;
  readonly fromEnd: boolean;
  readonly ofType: boolean;
}

export interface Selector {
  /** The subject first, then outwards. */
  readonly compounds: readonly Compound[];
  /** How each compound stands to the one before it: " ", ">", "+" or "~". */
  readonly combinators: readonly string[];
  /** Identifiers, classes and tags in 8 bits each. */
  readonly specificity: number;
  /** Holds only after an interaction: a state class or pseudo-class (`.is-open`, `:hover`) was left out. */
  readonly isInteractive: boolean;
  /** A part that cannot be told was left out: what fails does not match, what matches may not. */
  readonly isUncertain: boolean;
}

/** Classes that scripts set when something is opened, shown or reached. */
export const STATE_CLASS: RegExp =
  /^(?:(?:is|has|js|was)-?)?(?:active|open|opened|show|shown|showing|visible|expanded|selected|current|in|on|reveal|revealed|loaded|ready|toggled|animated|in-?view|entered)$|[-_](?:active|open|opened|expanded|visible|selected|revealed|shown)$/i;
/** Splits at commas outside parentheses and brackets. */
export function splitList(list: string): readonly string[] {
  if (!list.includes(",")) return [list];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const char = list[at];
    if (char === "(" || char === "[") depth += 1;
    else if (char === ")" || char === "]") depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(list.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(list.slice(start));
  return parts;
}
