import { classTokens } from "../class-names.js";
import { attribute, type Node } from "../tree.js";
import { ALL_MARKS, NameMarks } from "./name-marks.js";
import type { Compound, Selector } from "./selector.js";
import type { SelectorMatcher } from "./selector-matcher.js";
import { isExact, isKeyAlone, noteIds, type Scope, scopeOf } from "./selector-scope.js";
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
  /** Marks of the names that must stand on elements around the subject. */
  readonly outerMarks: number;
  readonly winners: Winners;
  readonly account: { spent: number };
}

/** The rules whose subject has one name, id, class or attribute. */
interface Bucket {
  /** Of rules that ask for nothing more: they apply untested. */
  readonly certain: Winners;
  /** Ask for more names, which all elements of a kind answer alike. */
  named: Rule[];
  /** Ask for names on the elements around it too, which all elements on a path answer alike. */
  pathwise: Rule[];
  /** Depend on the element's siblings, its content or its other attributes. */
  contextual: Rule[];
}

/** The elements of one name, class attribute and, where a rule asks for it, id: what may apply to them. */
interface Kind<Style> {
  readonly fixed: readonly Winners[];
  readonly pathwise: readonly Bucket[];
  readonly contextual: readonly Bucket[];
  /** Marks of its names. */
  readonly marks: number;
  /** The paths that end in this kind, by the path they continue. */
  readonly paths: Map<Path<Style> | undefined, Path<Style>>;
}

/**
 * The kinds of an element and of all around it. Pages repeat few of them thousands of times, and descendant and child
 * combinators ask for nothing else.
 */
export interface Path<Style> {
  readonly kind: Kind<Style>;
  /** Marks of the names of all elements on it, the last apart. */
  readonly outerMarks: number;
  /** What applies to every element on this path. */
  readonly fixed: readonly Winners[];
  /** The cascade of `fixed` alone, once it is known. */
  style: Style | undefined;
  /** The cascade of `fixed` and a style attribute, by what is written there. */
  inline: Map<string, Style> | undefined;
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
  private readonly kinds = new Map<string, Map<string, Kind<Style>>>();
  /** All that some selector names, of the subject or of an element around it. */
  private readonly ids = new Set<string>();
  private readonly marks = new NameMarks();
  private hasOuterNames = false;
  /** The paths of the last element and those around it, by depth. */
  private readonly open: Path<Style>[] = [];

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
      rule = { selector, outerMarks: this.marks.around(selector), winners: new Map(), account: this.budget.open() };
      this.rules.set(source, rule);
      noteIds(selector, this.ids);
      const scope = scopeOf(selector);
      this.hasOuterNames ||= selector.compounds.length > 1 || scope === "pathwise";
      this.bucket(key)[scope].push(rule);
    }
    return rule.winners;
  }

  /** Must be asked for in document order, and for an element before those inside it. */
  pathOf(node: Node): Path<Style> {
    const kind = this.kindOf(node);
    const outer = this.hasOuterNames ? this.open[node.depth - 1] : undefined;
    let path = kind.paths.get(outer);
    if (path === undefined) {
      const outerMarks = outer === undefined ? 0 : outer.outerMarks | outer.kind.marks;
      const matching = this.matching(kind.pathwise, "pathwise", node, outerMarks);
      const fixed = matching.length === 0 ? kind.fixed : [...kind.fixed, ...matching];
      path = { kind, outerMarks, fixed, style: undefined, inline: undefined };
      kind.paths.set(outer, path);
    }
    this.open[node.depth] = path;
    return path;
  }

  /** The winners of rules that apply to this very element, and not to all of its path. */
  contextual(node: Node, { contextual }: Kind<Style>, outerMarks: number): readonly Winners[] {
    const matching = this.matching(contextual, "contextual", node, outerMarks);
    if (this.attributes.size === 0 || !node.hasAttributes) return matching;
    const keys: string[] = [];
    for (const name of node.attributeNames) {
      if (!this.attributes.has(name)) continue;
      keys.push(`[${name}`, `[${name}=${attribute(node, name) ?? ""}`);
    }
    if (keys.length === 0) return matching;
    const named = this.collect(keys, node);
    return [
      ...matching,
      ...named.fixed,
      ...this.matching(named.pathwise, "pathwise", node, outerMarks),
      ...this.matching(named.contextual, "contextual", node, outerMarks),
    ];
  }

  /** The winners of all rules that apply to the element. */
  winnersFor(node: Node): readonly Winners[] {
    const kind = this.kindOf(node);
    const pathwise = this.matching(kind.pathwise, "pathwise", node, ALL_MARKS);
    return [...kind.fixed, ...pathwise, ...this.contextual(node, kind, ALL_MARKS)];
  }

  private kindOf(node: Node): Kind<Style> {
    const { name } = node.tag;
    const id = this.ids.size > 0 ? (attribute(node, "id") ?? "") : "";
    const isKnown = id !== "" && this.ids.has(id);
    const key = isKnown ? `${name}#${id}` : name;
    let ofClass = this.kinds.get(node.className);
    if (ofClass === undefined) {
      ofClass = new Map();
      this.kinds.set(node.className, ofClass);
    }
    let found = ofClass.get(key);
    if (found === undefined) {
      const keys = ["", name];
      if (isKnown) keys.push(`#${id}`);
      for (const token of new Set(classTokens(node.className))) keys.push(`.${token}`);
      found = this.collect(keys, node);
      ofClass.set(key, found);
    }
    return found;
  }

  private collect(keys: readonly string[], node: Node): Kind<Style> {
    const reached: Bucket[] = [];
    for (const key of keys) {
      const bucket = this.buckets.get(key);
      if (bucket !== undefined) reached.push(bucket);
    }
    const certain = reached.map((bucket) => bucket.certain).filter((winners) => winners.size > 0);
    return {
      fixed: [...certain, ...this.matching(reached, "named", node, ALL_MARKS)],
      marks: this.marks.of(keys),
      pathwise: reached.filter((bucket) => bucket.pathwise.length > 0),
      contextual: reached.filter((bucket) => bucket.contextual.length > 0),
      paths: new Map(),
    };
  }

  private matching(buckets: readonly Bucket[], scope: Scope, node: Node, outerMarks: number): readonly Winners[] {
    if (buckets.length === 0) return NONE;
    let found: Winners[] | undefined;
    for (const bucket of buckets) {
      let hasSpent = false;
      for (const rule of bucket[scope]) {
        const { winners, account } = rule;
        const left = this.budget.left(account);
        let matches: boolean | undefined = false;
        if ((rule.outerMarks & ~outerMarks) !== 0) this.budget.spend(account, 1);
        else {
          matches = this.matcher.matches(rule.selector, node, left);
          // What matches is cascaded too.
          this.budget.spend(account, this.matcher.steps + (matches === true ? winners.size : 0));
        }
        if (matches === true) {
          found ??= [];
          found.push(winners);
        }
        hasSpent ||= matches === undefined || left <= 0;
      }
      if (hasSpent) bucket[scope] = bucket[scope].filter(({ account }) => this.budget.left(account) > 0);
    }
    return found ?? NONE;
  }

  private bucket(key: string): Bucket {
    this.isEmpty = false;
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = { certain: new Map(), named: [], pathwise: [], contextual: [] };
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  /** The rarest thing that the subject names. */
  private keyOf({ tag, id, classes, attributes }: Compound): string {
    if (id !== "") {
      this.ids.add(id);
      return `#${id}`;
    }
    let rarest = classes[0];
    for (const name of classes) if (this.countOf(name) < this.countOf(rarest ?? "")) rarest = name;
    if (rarest !== undefined) return `.${rarest}`;
    const test = attributes.find(isExact) ?? attributes[0];
    if (test === undefined) return tag;
    this.attributes.add(test.name);
    return isExact(test) ? `[${test.name}=${test.value}` : `[${test.name}`;
  }

  private countOf(className: string): number {
    return this.classCounts.get(className) ?? 0;
  }
}
