import { unescapeCss } from "./css-escape.js";
import { positionTests } from "./position-tests.js";
import {
  type AttributeTest,
  type Compound,
  type PositionTest,
  type RelativeSelector,
  type Selector,
  STATE_CLASS,
  splitList,
} from "./selector.js";

const MAX_COMPOUNDS = 64;
const MAX_NESTING = 4;
const STATE_ATTRIBUTE =
  /^(?:open|aria-expanded|aria-selected|aria-hidden|data-(?:state|open|active|visible|expanded|show))$/;
const STATE_PSEUDO: ReadonlySet<string> = new Set(
  "hover focus focus-within focus-visible active target target-within checked open popover-open modal".split(" "),
);
/** States that the markup itself can declare. */
const STATE_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["checked", "checked"],
  ["open", "open"],
  ["disabled", "disabled"],
  ["required", "required"],
]);
const LISTS: ReadonlySet<string> = new Set("not is where matches -webkit-any has".split(" "));
/** May hold or not; `nth-child` with `of` among them. */
const UNTOLD: ReadonlySet<string> = new Set(
  "lang dir optional read-only read-write nth-child nth-last-child".split(" "),
);
const ALWAYS_TRUE: ReadonlySet<string> = new Set("link any-link enabled scope defined".split(" "));

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
  isEmpty: boolean;
  isNamesOnly: boolean;
  readonly classes: string[];
  readonly attributes: AttributeTest[];
  readonly positions: PositionTest[];
  readonly anyOf: (readonly Selector[])[];
  readonly noneOf: Selector[];
  readonly holds: (readonly RelativeSelector[])[];
}

const IDENT = /(?:\\[\da-f]{1,6}\s?|\\.|[\w-]|[^\0-\x7f])+/iy;
const ATTRIBUTE = /\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]*))\s*([is])?\s*)?\]/iy;
const COMBINATOR = /\s*([>+~])\s*|\s+/y;

class SelectorParser {
  private readonly source: string;
  private readonly reveal: boolean;
  private readonly nesting: number;
  private at = 0;
  private specificity = 0;
  private isInteractive = false;
  private isUncertain = false;

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
      if (compound === undefined) return undefined;
      compounds.unshift(compound);
      if (compounds.length > MAX_COMPOUNDS) {
        this.isUncertain = true;
        compounds.pop();
        combinators.pop();
      }
      if (this.at >= this.source.length) break;
      const combinator = this.match(COMBINATOR);
      if (combinator === null) return undefined;
      combinators.unshift(combinator[1] ?? " ");
    }
    if (compounds.length !== combinators.length + 1) return undefined;
    const { specificity, isInteractive, isUncertain } = this;
    return { compounds, combinators, specificity, isInteractive, isUncertain };
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private ident(): string | undefined {
    const written = this.match(IDENT)?.[0];
    return written === undefined ? undefined : unescapeCss(written);
  }

  private compound(): Compound | undefined {
    const draft: Draft = {
      tag: "",
      id: "",
      isRoot: false,
      isEmpty: false,
      isNamesOnly: true,
      classes: [],
      attributes: [],
      positions: [],
      anyOf: [],
      noneOf: [],
      holds: [],
    };
    const start = this.at;
    for (;;) {
      const char = this.source[this.at];
      if (char === undefined || char === " " || char === ">" || char === "+" || char === "~" || char === "\n") break;
      if (!this.simple(char, draft)) return undefined;
    }
    draft.isNamesOnly = asksForNamesOnly(draft);
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
    else {
      const value = unescapeCss(found[3] ?? found[4] ?? found[5] ?? "");
      const ignoresCase = found[6]?.toLowerCase() === "i";
      const operator = found[2] ?? "";
      draft.attributes.push({ name, operator, value: ignoresCase ? value.toLowerCase() : value, ignoresCase });
    }
    this.specificity += 1 << 8;
    return true;
  }

  private pseudo(draft: Draft): boolean {
    this.at += 1;
    const name = this.ident()?.toLowerCase();
    if (name === undefined) return false;
    const argument = this.argument();
    const written = STATE_ATTRIBUTES.get(name);
    if (STATE_PSEUDO.has(name) && (this.reveal || written === undefined)) {
      this.isInteractive = true;
      return this.reveal;
    }
    if (name === "root") draft.isRoot = true;
    else if (name === "empty") draft.isEmpty = true;
    else if (LISTS.has(name)) return this.selectorList(name, argument, draft);
    else if (written !== undefined) {
      draft.attributes.push({ name: written, operator: "", value: "", ignoresCase: false });
    } else {
      const positions = positionTests(name, argument.trim().toLowerCase());
      draft.positions.push(...positions);
      if (positions.length === 0 && UNTOLD.has(name)) this.isUncertain = true;
      else if (positions.length === 0 && !ALWAYS_TRUE.has(name)) return false;
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
    if (this.nesting >= MAX_NESTING) {
      this.isUncertain = true;
      return true;
    }
    const selectors: Selector[] = [];
    const relatives: RelativeSelector[] = [];
    for (const part of splitList(argument)) {
      const [, combinator = "", rest = ""] = /^\s*([>+~]?)([\s\S]*)$/.exec(part) ?? [];
      const selector = parseSelector(name === "has" ? rest : part, false, this.nesting + 1);
      if (selector === undefined) {
        // Lists forgive, and `:not(:hover)` holds while nothing is hovered.
        if (name !== "not" || namesState(part)) continue;
        return false;
      }
      this.isUncertain ||= selector.isUncertain || (name === "has" && selector.compounds.length > 1);
      if (name === "not" && selector.isUncertain) continue;
      selectors.push(selector);
      relatives.push({ combinator, selector });
    }
    if (name !== "where")
      this.specificity += selectors.reduce((most, { specificity }) => Math.max(most, specificity), 0);
    if (name === "not") for (const selector of selectors) draft.noneOf.push(selector);
    else if (name !== "has") draft.anyOf.push(selectors);
    else if (!selectors.some(({ compounds }) => compounds.length > 1)) draft.holds.push(relatives);
    return true;
  }
}

function asksForNamesOnly({ attributes, positions, anyOf, noneOf, holds, isEmpty }: Draft): boolean {
  return attributes.length + positions.length + anyOf.length + noneOf.length + holds.length === 0 && !isEmpty;
}

function namesState(source: string): boolean {
  for (const [, name = ""] of source.matchAll(/:([\w-]+)/g)) if (STATE_PSEUDO.has(name.toLowerCase())) return true;
  return false;
}
