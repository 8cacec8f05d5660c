import { classTokens } from "../class-names.js";
import { attribute, type Node, type Tree } from "../tree.js";
import { type Declarations, parseDeclarations } from "./declarations.js";
import { parseSelector, type Selector, STATE_CLASS, splitList } from "./selector.js";
import { SelectorMatcher } from "./selector-matcher.js";
import { parseStyleSheets, type StyleRule } from "./style-sheet.js";

/** The winning values an element itself declares, by property; nothing inherited. */
export type OwnStyle = ReadonlyMap<string, string>;

interface Rule {
  readonly selector: Selector;
  readonly isLayered: boolean;
  readonly order: number;
  readonly declarations: Declarations;
}

interface RuleIndex {
  readonly byClass: Map<string, Rule[]>;
  readonly byId: Map<string, Rule[]>;
  readonly byTag: Map<string, Rule[]>;
  readonly rest: Rule[];
  /** By class attribute, then by name and, where it matters, id. */
  readonly candidates: Map<string, Map<string, Candidates>>;
  size: number;
}

/** The rules that may reach elements of one name, class attribute and id. */
interface Candidates {
  /** Match every such element. */
  readonly fixed: readonly Rule[];
  /** Depend on its place or its other attributes. */
  readonly contextual: readonly Rule[];
  /** The cascade of `fixed` alone. */
  style: OwnStyle | undefined;
}

const NO_STYLE: OwnStyle = new Map();
const NAME = /([.#])((?:[\w-]|[^\0-\x7f])+)(?!\\)/g;
const MAX_VARIABLE_DEPTH = 4;

/** The style sheets in a page and its style attributes, cascaded (CSS Cascade 5, without inheritance). */
export class StyleRules {
  /** Last frame of each `@keyframes`, by name. */
  readonly lastFrames: ReadonlyMap<string, string>;

  private readonly tree: Tree;
  private readonly matcher: SelectorMatcher;
  private readonly plain = createIndex();
  private readonly revealing = createIndex();
  private readonly variables = new Map<string, string>();
  private readonly inline = new Map<string, OwnStyle>();

  constructor(tree: Tree) {
    this.tree = tree;
    this.matcher = new SelectorMatcher(tree);
    const { rules, lastFrames } = parseStyleSheets(tree.styles);
    this.lastFrames = lastFrames;
    if (rules.length > 0) this.addRules(rules);
  }

  /** The element's own style; empty when nothing that bears on visibility is declared for it. */
  of(node: Node): OwnStyle {
    const written = attribute(node, "style");
    if (this.plain.size === 0) return written === undefined ? NO_STYLE : this.inlineStyle(written);
    const candidates = this.candidatesFor(this.plain, node);
    if (candidates.contextual.length === 0) {
      if (written !== undefined)
        return candidates.fixed.length === 0 ? this.inlineStyle(written) : this.cascade(candidates.fixed, written);
      candidates.style ??= this.cascade(candidates.fixed, undefined);
      return candidates.style;
    }
    return this.cascade([...candidates.fixed, ...this.matching(candidates, node)], written);
  }

  /** True when some rule gives one of these properties another value after an interaction (hover, a state class). */
  isRevealed(node: Node, properties: readonly string[]): boolean {
    if (this.revealing.size === 0) return false;
    const candidates = this.candidatesFor(this.revealing, node);
    return [...candidates.fixed, ...this.matching(candidates, node)].some((rule) =>
      properties.some((property) => {
        const value = rule.declarations.get(property)?.value;
        return value !== undefined && !/^(?:none|hidden|0(?:px)?|collapse)$/.test(value);
      }),
    );
  }

  private inlineStyle(written: string): OwnStyle {
    let style = this.inline.get(written);
    if (style === undefined) {
      style = this.cascade([], written);
      this.inline.set(written, style);
    }
    return style;
  }

  private cascade(rules: readonly Rule[], written: string | undefined): OwnStyle {
    const winners = new Map<string, { readonly value: string; readonly priority: number }>();
    const apply = (declarations: Declarations, normal: number, important: number): void => {
      for (const [property, { value, isImportant }] of declarations) {
        const priority = isImportant ? important : normal;
        if (priority >= (winners.get(property)?.priority ?? -1)) winners.set(property, { value, priority });
      }
    };
    for (const { selector, order, isLayered, declarations } of rules) {
      const within = selector.specificity * 1e5 + order;
      // CSS Cascade 5, 6.1: layered normal < normal < style attribute; important turns the layers round.
      apply(declarations, (isLayered ? 0 : 1) * 1e13 + within, (isLayered ? 4 : 3) * 1e13 + within);
    }
    if (written !== undefined) apply(parseDeclarations(written), 2e13, 5e13);
    if (winners.size === 0) return NO_STYLE;
    const style = new Map<string, string>();
    for (const [property, { value }] of winners) style.set(property, this.substitute(value));
    return style;
  }

  private substitute(value: string): string {
    let result = value;
    for (let depth = 0; depth < MAX_VARIABLE_DEPTH && result.includes("var("); depth++) {
      result = result.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_all, name: string, fallback = "") =>
        (this.variables.get(name) ?? fallback).trim(),
      );
    }
    return result;
  }

  private matching(candidates: Candidates, node: Node): readonly Rule[] {
    if (this.matcher.isSpent) return [];
    return candidates.contextual.filter((rule) => this.matcher.matches(rule.selector, node));
  }

  private candidatesFor(index: RuleIndex, node: Node): Candidates {
    const id = index.byId.size === 0 ? "" : (attribute(node, "id") ?? "");
    const key = index.byId.has(id) ? `${node.tag.name}#${id}` : node.tag.name;
    let ofClass = index.candidates.get(node.className);
    if (ofClass === undefined) {
      ofClass = new Map();
      index.candidates.set(node.className, ofClass);
    }
    let found = ofClass.get(key);
    if (found === undefined) {
      const lists = [index.rest, index.byTag.get(node.tag.name), index.byId.get(id)];
      for (const token of new Set(classTokens(node.className))) lists.push(index.byClass.get(token));
      const rules = lists
        .flatMap((list) => list ?? [])
        .filter(
          ({ selector: { compounds } }) => compounds[0] !== undefined && this.matcher.namesMatch(compounds[0], node),
        );
      found = {
        fixed: rules.filter(({ selector }) => !isContextual(selector)),
        contextual: rules.filter(({ selector }) => isContextual(selector)),
        style: undefined,
      };
      ofClass.set(key, found);
    }
    return found;
  }

  private addRules(rules: readonly StyleRule[]): void {
    const names = documentNames(this.tree);
    rules.forEach((rule, order) => {
      let declarations: Declarations | undefined;
      for (const part of splitList(rule.selector)) {
        if (part.includes("::") || (!part.includes("\\") && isAbsent(part, names))) continue;
        declarations ??= parseDeclarations(rule.body);
        if (declarations.size === 0) return;
        const selector = parseSelector(part, false);
        if (selector !== undefined && isPossible(selector, names))
          this.add(this.plain, { selector, isLayered: rule.isLayered, order, declarations });
        const revealing = parseSelector(part, true);
        if (revealing?.isInteractive === true && isPossible(revealing, names)) {
          this.add(this.revealing, { selector: revealing, isLayered: rule.isLayered, order, declarations });
        }
      }
    });
  }

  private add(index: RuleIndex, rule: Rule): void {
    const subject = rule.selector.compounds[0];
    if (subject === undefined) return;
    const isGlobal = subject.isRoot || subject.tag === "html" || subject.tag === "body";
    if (isGlobal && index === this.plain) {
      for (const [name, { value }] of rule.declarations) if (name.startsWith("--")) this.variables.set(name, value);
    }
    index.size += 1;
    const [firstClass] = subject.classes;
    if (subject.id !== "") push(index.byId, subject.id, rule);
    else if (firstClass !== undefined) push(index.byClass, firstClass, rule);
    else if (subject.tag !== "") push(index.byTag, subject.tag, rule);
    else index.rest.push(rule);
  }
}

function createIndex(): RuleIndex {
  return { byClass: new Map(), byId: new Map(), byTag: new Map(), rest: [], candidates: new Map(), size: 0 };
}

function isContextual({ compounds }: Selector): boolean {
  const [subject, ...others] = compounds;
  if (subject === undefined || others.length > 0) return true;
  return subject.attributes.length + subject.positions.length + subject.anyOf.length + subject.noneOf.length > 0;
}

function push(lists: Map<string, Rule[]>, key: string, rule: Rule): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [rule]);
  else list.push(rule);
}

interface DocumentNames {
  readonly classes: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

function documentNames(tree: Tree): DocumentNames {
  const classNames = new Set<string>();
  const ids = new Set<string>();
  for (const node of tree.nodes) {
    if (node.attributes.length === 0) continue;
    if (node.className !== "") classNames.add(node.className);
    const id = attribute(node, "id");
    if (id !== undefined) ids.add(id);
  }
  const classes = new Set<string>();
  for (const className of classNames) for (const token of classTokens(className)) classes.add(token);
  return { classes, ids };
}

/** True when the selector names a class or id that no element has, states apart: most rules of a page's own sheet. */
function isAbsent(selector: string, names: DocumentNames): boolean {
  // Inside parentheses a name may be negated or one of several, inside brackets a dot is text.
  const open = selector.search(/[([]/);
  for (const [, mark, name = ""] of (open < 0 ? selector : selector.slice(0, open)).matchAll(NAME)) {
    if (mark === "." ? !names.classes.has(name) && !STATE_CLASS.test(name) : !names.ids.has(name)) return true;
  }
  return false;
}

/** True when every class and id outside parentheses stands on some element. */
function isPossible({ compounds }: Selector, names: DocumentNames): boolean {
  return compounds.every(
    ({ id, classes }) => (id === "" || names.ids.has(id)) && classes.every((name) => names.classes.has(name)),
  );
}
