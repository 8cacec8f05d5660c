import { classTokens } from "../class-names.js";
import { attribute, type Node } from "../tree.js";
import type { Compound, Selector } from "./selector.js";
import type { SelectorMatcher } from "./selector-matcher.js";
import type { StepBudget } from "./step-budget.js";

export interface Winner {
  readonly value: string;
  readonly priority: number;
}

/** The declarations that win among some rules, by property. */
export type Winners = Map<string, Winner>;

/** A rule that must be tested, with all that is declared for its selector. */
interface Rule {
  readonly selector: Selector;
  readonly winners: Winners;
  readonly account: { spent: number };
}

/** The rules whose subject has one name, id, class or attribute. */
interface Bucket {
  /** Of rules that ask for nothing more: they apply untested. */
  readonly certain: Winners;
  /** Ask for more names, which all elements of a kind answer alike. */
  named: Rule[];
  /** Depend on the element's place or its other attributes. */
  contextual: Rule[];
}

/** What may apply to the elements of one name, class attribute and, where a rule asks for it, id. */
export interface Candidates<Style> {
  readonly fixed: readonly Winners[];
  readonly contextual: readonly Bucket[];
  /** The cascade of `fixed` alone, once it is known. */
  style: Style | undefined;
}

const NONE: readonly Winners[] = [];

/** Finds the rules for an element by its name, id, classes and attributes. */
export class RuleIndex<Style> {
  isEmpty = true;
  private readonly matcher: SelectorMatcher;
  private readonly budget: StepBudget;
  private readonly classCounts: ReadonlyMap<string, number>;
  private readonly buckets = new Map<string, Bucket>();
  private readonly attributes = new Set<string>();
  private readonly rules = new Map<string, Rule>();
  private readonly candidates = new Map<string, Map<string, Candidates<Style>>>();
  private hasIds = false;

  constructor(matcher: SelectorMatcher, budget: StepBudget, classCounts: ReadonlyMap<string, number>) {
    this.matcher = matcher;
    this.budget = budget;
    this.classCounts = classCounts;
  }

  /** The winners to which the declarations of this selector are added; `source` is the selector as written. */
  winnersOf(selector: Selector, source: string): Winners | undefined {
    const subject = selector.compounds[0];
    if (subject === undefined) return undefined;
    const key = this.keyOf(subject);
    if (isKeyAlone(selector)) return this.bucket(key).certain;
    let rule = this.rules.get(source);
    if (rule === undefined) {
      rule = { selector, winners: new Map(), account: this.budget.open() };
      this.rules.set(source, rule);
      this.bucket(key)[isNamed(selector) ? "named" : "contextual"].push(rule);
    }
    return rule.winners;
  }

  candidatesFor(node: Node): Candidates<Style> {
    const { name } = node.tag;
    const id = this.hasIds ? (attribute(node, "id") ?? "") : "";
    const isKnown = id !== "" && (this.buckets.has(`#${id}`) || this.buckets.has(`${name}#${id}`));
    const key = isKnown ? `${name}#${id}` : name;
    let ofClass = this.candidates.get(node.className);
    if (ofClass === undefined) {
      ofClass = new Map();
      this.candidates.set(node.className, ofClass);
    }
    let found = ofClass.get(key);
    if (found === undefined) {
      const keys = ["", name];
      if (isKnown) keys.push(`#${id}`, `${name}#${id}`);
      for (const token of new Set(classTokens(node.className))) keys.push(`.${token}`, `${name}.${token}`);
      found = this.collect(keys, node);
      ofClass.set(key, found);
    }
    return found;
  }

  /** The winners of rules that apply to this very element, and not to all of its kind. */
  contextual(candidates: Candidates<Style>, node: Node): readonly Winners[] {
    const matching = this.matching(candidates.contextual, "contextual", node);
    if (this.attributes.size === 0 || node.attributes.length === 0) return matching;
    const keys: string[] = [];
    for (let at = 0; at < node.attributes.length; at += 2) {
      const name = node.attributes[at] ?? "";
      if (!this.attributes.has(name)) continue;
      const exact = `[${name}=${node.attributes[at + 1] ?? ""}`;
      keys.push(`[${name}`, exact, `${node.tag.name}[${name}`, node.tag.name + exact);
    }
    if (keys.length === 0) return matching;
    const { fixed, contextual } = this.collect(keys, node);
    return [...matching, ...fixed, ...this.matching(contextual, "contextual", node)];
  }

  private collect(keys: readonly string[], node: Node): Candidates<Style> {
    const reached = keys.flatMap((key) => this.buckets.get(key) ?? []);
    const certain = reached.map((bucket) => bucket.certain).filter((winners) => winners.size > 0);
    const contextual = reached.filter((bucket) => bucket.contextual.length > 0);
    return { fixed: [...certain, ...this.matching(reached, "named", node)], contextual, style: undefined };
  }

  private matching(buckets: readonly Bucket[], kind: "named" | "contextual", node: Node): readonly Winners[] {
    if (buckets.length === 0) return NONE;
    const found: Winners[] = [];
    for (const bucket of buckets) {
      let hasSpent = false;
      for (const { selector, winners, account } of bucket[kind]) {
        const matches = this.matcher.matches(selector, node, this.budget.left(account));
        // What matches is cascaded too.
        this.budget.spend(account, this.matcher.steps + (matches === true ? winners.size : 0));
        if (matches === true) found.push(winners);
        hasSpent ||= matches === undefined;
      }
      if (hasSpent) bucket[kind] = bucket[kind].filter(({ account }) => this.budget.left(account) > 0);
    }
    return found.length === 0 ? NONE : found;
  }

  private bucket(key: string): Bucket {
    this.isEmpty = false;
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = { certain: new Map(), named: [], contextual: [] };
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  /** The rarest thing that the subject names. */
  private keyOf({ tag, id, classes, attributes }: Compound): string {
    if (id !== "") {
      this.hasIds = true;
      return `${tag}#${id}`;
    }
    let rarest = classes[0];
    for (const name of classes) if (this.countOf(name) < this.countOf(rarest ?? "")) rarest = name;
    if (rarest !== undefined) return `${tag}.${rarest}`;
    const test = attributes.find(isExact) ?? attributes[0];
    if (test === undefined) return tag;
    this.attributes.add(test.name);
    return isExact(test) ? `${tag}[${test.name}=${test.value}` : `${tag}[${test.name}`;
  }

  private countOf(className: string): number {
    return this.classCounts.get(className) ?? 0;
  }
}

const isExact = ({ operator, ignoresCase }: Compound["attributes"][number]): boolean =>
  operator === "=" && !ignoresCase;

/** True when the key of the subject is all that the selector asks for. */
function isKeyAlone(selector: Selector): boolean {
  const subject = selector.compounds[0];
  if (subject === undefined || !hasOneCompound(selector, subject)) return false;
  const { id, classes, attributes, isRoot } = subject;
  const [test, ...others] = attributes;
  if (isRoot || others.length > 0 || (test !== undefined && test.operator !== "" && !isExact(test))) return false;
  return (id === "" ? 0 : 1) + new Set(classes).size + attributes.length <= 1;
}

function isNamed(selector: Selector): boolean {
  const subject = selector.compounds[0];
  return subject !== undefined && hasOneCompound(selector, subject) && subject.attributes.length === 0;
}

function hasOneCompound({ compounds }: Selector, { positions, anyOf, noneOf, holds, isEmpty }: Compound): boolean {
  return compounds.length === 1 && !isEmpty && positions.length + anyOf.length + noneOf.length + holds.length === 0;
}
