/** One compound selector, such as `p.note[hidden]:first-child`. */
export interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  readonly positions: readonly PositionTest[];
  readonly anyOf: readonly (readonly Selector[])[];
  readonly noneOf: readonly Selector[];
  readonly isRoot: boolean;
}

export interface AttributeTest {
  readonly name: string;
  /** "" tests for presence. */
  readonly operator: string;
  readonly value: string;
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
}

const MAX_COMPOUNDS = 8;
const MAX_NESTING = 3;
/** Classes that scripts set when something is opened, shown or reached. */
export const STATE_CLASS: RegExp =
  /^(?:(?:is|has|js|was)-?)?(?:active|open|opened|show|shown|showing|visible|expanded|selected|current|in|on|reveal|revealed|loaded|ready|toggled|animated|in-?view|entered)$|[-_](?:active|open|opened|expanded|visible|selected|revealed|shown)$/i;
const STATE_ATTRIBUTE =
  /^(?:open|aria-expanded|aria-selected|aria-hidden|data-(?:state|open|active|visible|expanded|show))$/;
const STATE_PSEUDO: ReadonlySet<string> = new Set(
  "hover focus focus-within focus-visible active target target-within checked open popover-open modal".split(" "),
);
const ALWAYS_TRUE: ReadonlySet<string> = new Set("link any-link enabled scope defined".split(" "));

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

/**
 * Parses one complex selector (Selectors 4, without pseudo-elements and namespaces); undefined when it holds something
 * else. With `reveal`, states that an interaction brings are left out and the selector is marked interactive.
 */
export function parseSelector(source: string, reveal: boolean, nesting = 0): Selector | undefined {
  const parser = new SelectorParser(source.trim(), reveal, nesting);
  return parser.parse();
}

interface Draft {
  tag: string;
  id: string;
  isRoot: boolean;
  readonly classes: string[];
  readonly attributes: AttributeTest[];
  readonly positions: PositionTest[];
  readonly anyOf: (readonly Selector[])[];
  readonly noneOf: Selector[];
}

const IDENT = /(?:\\.|[\w-]|[^\0-\x7f])+/y;
const ATTRIBUTE = /\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]*))\s*[is]?\s*)?\]/y;
const COMBINATOR = /\s*([>+~])\s*|\s+/y;

class SelectorParser {
  private readonly source: string;
  private readonly reveal: boolean;
  private readonly nesting: number;
  private at = 0;
  private specificity = 0;
  private isInteractive = false;

  constructor(source: string, reveal: boolean, nesting: number) {
    this.source = source;
    this.reveal = reveal;
    this.nesting = nesting;
  }

  parse(): Selector | undefined {
    const compounds: Compound[] = [];
    const combinators: string[] = [];
    if (this.source === "") return undefined;
    while (this.at < this.source.length) {
      const compound = this.compound();
      if (compound === undefined || compounds.length >= MAX_COMPOUNDS) return undefined;
      compounds.unshift(compound);
      if (this.at >= this.source.length) break;
      const combinator = this.match(COMBINATOR);
      if (combinator === null) return undefined;
      combinators.unshift(combinator[1] ?? " ");
    }
    if (compounds.length !== combinators.length + 1) return undefined;
    return { compounds, combinators, specificity: this.specificity, isInteractive: this.isInteractive };
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private ident(): string | undefined {
    return this.match(IDENT)?.[0].replace(/\\(.)/g, "$1");
  }

  private compound(): Compound | undefined {
    const draft: Draft = {
      tag: "",
      id: "",
      isRoot: false,
      classes: [],
      attributes: [],
      positions: [],
      anyOf: [],
      noneOf: [],
    };
    const start = this.at;
    for (;;) {
      const char = this.source[this.at];
      if (char === undefined || char === " " || char === ">" || char === "+" || char === "~" || char === "\n") break;
      if (!this.simple(char, draft)) return undefined;
    }
    return this.at > start ? draft : undefined;
  }

  private simple(char: string, draft: Draft): boolean {
    if (char === "*") {
      this.at += 1;
      return true;
    }
    if (char === "[") return this.attributeTest(draft);
    if (char === ":") return this.pseudo(draft);
    if (char === "." || char === "#") this.at += 1;
    const name = this.ident();
    if (name === undefined) return false;
    if (char === ".") {
      if (this.reveal && STATE_CLASS.test(name)) this.isInteractive = true;
      else draft.classes.push(name);
      this.specificity += 1 << 8;
    } else if (char === "#") {
      draft.id = name;
      this.specificity += 1 << 16;
    } else {
      draft.tag = name.toLowerCase();
      this.specificity += 1;
    }
    return true;
  }

  private attributeTest(draft: Draft): boolean {
    const found = this.match(ATTRIBUTE);
    if (found === null) return false;
    const name = (found[1] ?? "").toLowerCase();
    if (this.reveal && STATE_ATTRIBUTE.test(name)) this.isInteractive = true;
    else draft.attributes.push({ name, operator: found[2] ?? "", value: found[3] ?? found[4] ?? found[5] ?? "" });
    this.specificity += 1 << 8;
    return true;
  }

  private pseudo(draft: Draft): boolean {
    this.at += 1;
    const name = this.ident()?.toLowerCase();
    if (name === undefined) return false;
    const argument = this.argument();
    if (STATE_PSEUDO.has(name)) {
      if (!this.reveal) return false;
      this.isInteractive = true;
      return true;
    }
    if (name === "root") draft.isRoot = true;
    else if (name === "not" || name === "is" || name === "where" || name === "matches") {
      return this.selectorList(name, argument, draft);
    } else {
      const position = positionTest(name, argument.trim().toLowerCase());
      if (position !== undefined) draft.positions.push(position);
      else if (!ALWAYS_TRUE.has(name)) return false;
    }
    this.specificity += 1 << 8;
    return true;
  }

  private argument(): string {
    if (this.source[this.at] !== "(") return "";
    const start = this.at + 1;
    let depth = 0;
    for (; this.at < this.source.length; this.at++) {
      if (this.source[this.at] === "(") depth += 1;
      else if (this.source[this.at] === ")" && --depth === 0) {
        this.at += 1;
        return this.source.slice(start, this.at - 1);
      }
    }
    return this.source.slice(start);
  }

  private selectorList(name: string, argument: string, draft: Draft): boolean {
    if (this.nesting >= MAX_NESTING) return false;
    const selectors: Selector[] = [];
    for (const part of splitList(argument)) {
      const selector = parseSelector(part, false, this.nesting + 1);
      if (selector === undefined) {
        // `:not(:hover)` holds while nothing is hovered.
        if (name === "not" && isStateOnly(part)) continue;
        return false;
      }
      selectors.push(selector);
    }
    if (name === "not") draft.noneOf.push(...selectors);
    else draft.anyOf.push(selectors);
    if (name !== "where") this.specificity += Math.max(0, ...selectors.map((selector) => selector.specificity));
    return true;
  }
}

function isStateOnly(source: string): boolean {
  const name = /^\s*:([\w-]+)\s*$/.exec(source)?.[1];
  return name !== undefined && STATE_PSEUDO.has(name);
}

function positionTest(name: string, argument: string): PositionTest | undefined {
  const ofType = name.endsWith("-of-type");
  const fixed = (offset: number, fromEnd: boolean): PositionTest => ({ step: 0, offset, fromEnd, ofType });
  if (name === "first-child" || name === "first-of-type") return fixed(1, false);
  if (name === "last-child" || name === "last-of-type") return fixed(1, true);
  if (!/^nth-(?:last-)?(?:child|of-type)$/.test(name)) return undefined;
  const fromEnd = name.includes("last");
  if (argument === "odd") return { step: 2, offset: 1, fromEnd, ofType };
  if (argument === "even") return { step: 2, offset: 0, fromEnd, ofType };
  const linear = /^([+-]?\d*)n\s*(?:([+-])\s*(\d+))?$/.exec(argument);
  if (linear !== null) {
    const step = linear[1] === "" || linear[1] === "+" ? 1 : linear[1] === "-" ? -1 : Number(linear[1]);
    const offset = linear[3] === undefined ? 0 : Number(`${linear[2]}${linear[3]}`);
    return { step, offset, fromEnd, ofType };
  }
  return /^\d+$/.test(argument) ? fixed(Number(argument), fromEnd) : undefined;
}
