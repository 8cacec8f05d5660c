import { attribute, type Node, type StyleSource, type Tree } from "../tree.js";
import { type Declarations, parseDeclarations } from "./declarations.js";
import { type DocumentNames, documentNames, isAbsent, isPossible, NO_NAMES } from "./document-names.js";
import { hidingDeclarations } from "./hiding-declarations.js";
import { type Path, RuleIndex, type Winner, type Winners } from "./rule-index.js";
import { type Selector, splitList } from "./selector.js";
import { SelectorMatcher } from "./selector-matcher.js";
import { parseSelector } from "./selector-parser.js";
import { StepBudget } from "./step-budget.js";
import { parseStyleSheets, type StyleRule } from "./style-sheet.js";

/** The winning values an element itself declares, by property; nothing inherited. */
export type OwnStyle = ReadonlyMap<string, string>;

const NO_STYLE: OwnStyle = new Map();
const NO_DECLARATIONS: Declarations = new Map();
const MAX_VARIABLE_DEPTH = 4;
const MAX_VARIABLE_CHARS = 256;
/** Priorities: a band for each origin and layer, in it specificity before order. */
const BAND = 1e15;
const INLINE = 2 * BAND;
const IMPORTANT_INLINE = 5 * BAND;

/** The style sheets in a page and its style attributes, cascaded (CSS Cascade 5, without inheritance). */
export class StyleRules {
  /** Last frame of each `@keyframes`, by name. */
  readonly lastFrames: ReadonlyMap<string, string>;

  private readonly names: DocumentNames;
  private readonly budget = new StepBudget();
  private readonly plain: RuleIndex<OwnStyle>;
  private readonly revealing: RuleIndex<OwnStyle>;
  private readonly variables = new Map<string, string>();
  private readonly substituted = new Map<string, string>();
  /** By style attribute: what it declares, and the style of elements for which nothing else is declared. */
  private readonly declared = new Map<string, Declarations>();
  private readonly inline = new Map<string, OwnStyle>();
  private readonly isCut: boolean;

  constructor(tree: Tree, styles: readonly StyleSource[]) {
    const { rules, lastFrames, isIncomplete } = parseStyleSheets(styles);
    const matcher = new SelectorMatcher(tree);
    this.names = rules.length === 0 ? NO_NAMES : documentNames(tree);
    this.plain = new RuleIndex(matcher, this.budget, this.names.classes);
    this.revealing = new RuleIndex(matcher, this.budget, this.names.classes);
    this.lastFrames = lastFrames;
    this.isCut = isIncomplete;
    rules.forEach((rule, order) => {
      this.addRule(rule, order);
    });
  }

  /** True when a limit was reached: some rule may hide what is not known to be hidden. */
  get isIncomplete(): boolean {
    return this.isCut || this.budget.isExceeded;
  }

  /** The element's own style; empty when nothing that bears on visibility is declared for it. */
  of(node: Node): OwnStyle {
    const written = attribute(node, "style");
    const inline = written === undefined ? NO_DECLARATIONS : this.inlineDeclarations(written);
    if (this.plain.isEmpty) return inline.size === 0 ? NO_STYLE : this.inlineStyle(written ?? "", inline, undefined);
    const path = this.plain.pathOf(node);
    const contextual = this.plain.contextual(node, path.kind, path.outerMarks);
    if (contextual.length > 0) return this.cascade([...path.fixed, ...contextual], inline);
    if (inline.size > 0) {
      return this.inlineStyle(written ?? "", inline, path);
    }
    path.style ??= this.cascade(path.fixed, NO_DECLARATIONS);
    return path.style;
  }

  /** True when some rule gives one of these properties another value after an interaction (hover, a state class). */
  isRevealed(node: Node, properties: readonly string[]): boolean {
    if (this.revealing.isEmpty) return false;
    return this.revealing.winnersFor(node).some((winners) =>
      properties.some((property) => {
        const value = winners.get(property)?.value;
        return value !== undefined && !/^(?:none|hidden|0(?:px)?|collapse)$/.test(value);
      }),
    );
  }

  private inlineDeclarations(written: string): Declarations {
    let declarations = this.declared.get(written);
    if (declarations === undefined) {
      declarations = parseDeclarations(written);
      this.declared.set(written, declarations);
    }
    return declarations;
  }

  private inlineStyle(written: string, declarations: Declarations, path: Path<OwnStyle> | undefined): OwnStyle {
    let known = this.inline;
    if (path !== undefined && path.fixed.length > 0) {
      path.inline ??= new Map();
      known = path.inline;
    }
    let style = known.get(written);
    if (style === undefined) {
      style = this.cascade(path?.fixed ?? [], declarations);
      known.set(written, style);
    }
    return style;
  }

  private cascade(rules: readonly Winners[], inline: Declarations): OwnStyle {
    const winners: Winners = new Map();
    for (const declared of rules) for (const [property, winner] of declared) contend(winners, property, winner);
    declare(winners, inline, INLINE, IMPORTANT_INLINE);
    if (winners.size === 0) return NO_STYLE;
    const style = new Map<string, string>();
    for (const [property, { value }] of winners) style.set(property, this.substitute(value));
    return style;
  }

  private substitute(value: string): string {
    if (!value.includes("var(")) return value;
    let result = this.substituted.get(value) ?? value;
    for (let depth = 0; depth < MAX_VARIABLE_DEPTH && result.includes("var("); depth++) {
      // Variables that name variables may grow without end.
      if (depth > 0 && result.length > MAX_VARIABLE_CHARS) break;
      result = result.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_all, name: string, fallback = "") =>
        (this.variables.get(name) ?? fallback).trim(),
      );
    }
    this.substituted.set(value, result);
    return result;
  }

  private addRule(rule: StyleRule, order: number): void {
    let declarations: Declarations | undefined;
    for (const part of splitList(rule.selector)) {
      if (part.includes("::") || (!part.includes("\\") && isAbsent(part, this.names))) continue;
      declarations ??= parseDeclarations(rule.body);
      if (declarations.size === 0) return;
      const source = part.trim();
      const selector = parseSelector(source, false);
      if (selector !== undefined && isPossible(selector, this.names)) {
        if (!rule.isUncertain && !selector.isUncertain) this.noteVariables(selector, declarations);
        this.add(this.plain, selector, source, rule, order, declarations);
      }
      const revealing = parseSelector(source, true);
      if (revealing?.isInteractive !== true || revealing.isUncertain || rule.isUncertain) continue;
      if (isPossible(revealing, this.names)) this.add(this.revealing, revealing, source, rule, order, declarations);
    }
  }

  private add(
    index: RuleIndex<OwnStyle>,
    selector: Selector,
    source: string,
    { isLayered, isUncertain }: StyleRule,
    order: number,
    all: Declarations,
  ): void {
    const declarations = isUncertain || selector.isUncertain ? hidingDeclarations(all) : all;
    if (![...declarations.keys()].some((name) => !name.startsWith("--"))) return;
    const winners = index.winnersOf(selector, source);
    if (winners === undefined) return;
    const within = Math.min(selector.specificity, 0xffffff) * 1e7 + Math.min(order, 1e7 - 1);
    // CSS Cascade 5, 6.1: layered normal < normal < style attribute; important turns the layers round.
    declare(winners, declarations, (isLayered ? 0 : 1) * BAND + within, (isLayered ? 4 : 3) * BAND + within);
  }

  /** Custom properties are known only where they are declared for the whole page. */
  private noteVariables({ compounds }: Selector, declarations: Declarations): void {
    const [subject] = compounds;
    if (subject?.isRoot !== true && subject?.tag !== "html" && subject?.tag !== "body") return;
    for (const [name, { value }] of declarations) {
      if (name.startsWith("--") && value.length <= MAX_VARIABLE_CHARS) this.variables.set(name, value);
    }
  }
}

function declare(winners: Winners, declarations: Declarations, normal: number, important: number): void {
  for (const [property, { value, isImportant }] of declarations) {
    if (property.startsWith("--")) continue;
    contend(winners, property, { value, priority: isImportant ? important : normal });
  }
}

function contend(winners: Winners, property: string, winner: Winner): void {
  if (winner.priority >= (winners.get(property)?.priority ?? -1)) winners.set(property, winner);
}
