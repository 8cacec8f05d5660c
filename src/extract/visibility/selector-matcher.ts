import { classTokens } from "../class-names.js";
import { attribute, type Node, type Tree } from "../tree.js";
import type { AttributeTest, Compound, PositionTest, Selector } from "./selector.js";

/** Steps of backtracking over ancestors and siblings one document may cost; past it no further rule matches. */
const MAX_STEPS = 1_000_000;

/** Tests selectors against the nodes of one tree. */
export class SelectorMatcher {
  private readonly tree: Tree;
  private readonly tokens = new Map<string, readonly string[]>();
  private steps = 0;
  private siblings: Siblings | undefined;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** True when the budget is used up: nothing matches any more. */
  get isSpent(): boolean {
    return this.steps > MAX_STEPS;
  }

  /** The part of a compound that all elements of one name, id and class attribute decide alike. */
  namesMatch(compound: Compound, node: Node): boolean {
    const { name } = node.tag;
    if (compound.tag !== "" && compound.tag !== name) return false;
    if (name.charCodeAt(0) === 0x23 || (compound.isRoot && name !== "html")) return false;
    if (compound.id !== "" && attribute(node, "id") !== compound.id) return false;
    if (compound.classes.length === 0) return true;
    if (node.className === "") return false;
    const tokens = this.tokensOf(node.className);
    return compound.classes.every((wanted) => tokens.includes(wanted));
  }

  matches(selector: Selector, node: Node): boolean {
    return this.from(selector, 0, node);
  }

  private from(selector: Selector, position: number, node: Node): boolean {
    this.steps += 1;
    const compound = selector.compounds[position];
    if (compound === undefined || this.steps > MAX_STEPS || !this.compoundMatches(compound, node)) return false;
    const combinator = selector.combinators[position];
    if (combinator === undefined) return true;
    if (combinator === ">" || combinator === " ") {
      for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
        if (this.from(selector, position + 1, outer)) return true;
        if (combinator === ">" || this.steps > MAX_STEPS) return false;
      }
      return false;
    }
    const siblings = this.siblingTable();
    for (let at = siblings.previous[node.index] ?? -1; at >= 0; at = siblings.previous[at] ?? -1) {
      const before = this.tree.nodes[at];
      if (before !== undefined && this.from(selector, position + 1, before)) return true;
      if (combinator === "+" || this.steps > MAX_STEPS) return false;
    }
    return false;
  }

  private compoundMatches(compound: Compound, node: Node): boolean {
    return (
      this.namesMatch(compound, node) &&
      compound.attributes.every((test) => attributeMatches(test, node)) &&
      compound.positions.every((test) => this.positionMatches(test, node)) &&
      compound.anyOf.every((list) => list.some((selector) => this.from(selector, 0, node))) &&
      !compound.noneOf.some((selector) => this.from(selector, 0, node))
    );
  }

  private tokensOf(className: string): readonly string[] {
    let tokens = this.tokens.get(className);
    if (tokens === undefined) {
      tokens = classTokens(className);
      this.tokens.set(className, tokens);
    }
    return tokens;
  }

  private positionMatches(test: PositionTest, node: Node): boolean {
    const table = this.siblingTable();
    const counts = test.ofType ? table.ofType : table.position;
    const totals = test.ofType ? table.totalOfType : table.total;
    const fromStart = counts[node.index] ?? 0;
    const at = test.fromEnd ? (totals[node.index] ?? 0) - fromStart + 1 : fromStart;
    if (test.step === 0) return at === test.offset;
    return (at - test.offset) % test.step === 0 && (at - test.offset) / test.step >= 0;
  }

  private siblingTable(): Siblings {
    this.siblings ??= countSiblings(this.tree);
    return this.siblings;
  }
}

interface Siblings {
  /** Index of the element before it under the same parent, -1 for the first. */
  readonly previous: Int32Array;
  /** 1-based among all element siblings, and among those of its name. */
  readonly position: Int32Array;
  readonly ofType: Int32Array;
  readonly total: Int32Array;
  readonly totalOfType: Int32Array;
}

function countSiblings(tree: Tree): Siblings {
  const size = tree.nodes.length;
  const table: Siblings = {
    previous: new Int32Array(size).fill(-1),
    position: new Int32Array(size),
    ofType: new Int32Array(size),
    total: new Int32Array(size),
    totalOfType: new Int32Array(size),
  };
  const last = new Int32Array(size).fill(-1);
  const counts = new Map<string, number>();
  const key = (node: Node): string => `${node.parent?.index ?? -1} ${node.tag.name}`;
  const elements = tree.nodes.filter((node) => node.tag.name !== "#text" && node.parent !== undefined);
  for (const node of elements) {
    const parent = node.parent?.index ?? 0;
    const before = last[parent] ?? -1;
    const sameName = (counts.get(key(node)) ?? 0) + 1;
    table.previous[node.index] = before;
    table.position[node.index] = before < 0 ? 1 : (table.position[before] ?? 0) + 1;
    table.ofType[node.index] = sameName;
    counts.set(key(node), sameName);
    last[parent] = node.index;
  }
  for (const node of elements) {
    table.total[node.index] = table.position[last[node.parent?.index ?? 0] ?? 0] ?? 0;
    table.totalOfType[node.index] = counts.get(key(node)) ?? 0;
  }
  return table;
}

function attributeMatches(test: AttributeTest, node: Node): boolean {
  const actual = attribute(node, test.name);
  if (actual === undefined) return false;
  const { operator, value } = test;
  if (operator === "") return true;
  if (operator === "=") return actual === value;
  if (operator === "~=") return actual.split(/\s+/).includes(value);
  if (operator === "|=") return actual === value || actual.startsWith(`${value}-`);
  if (value === "") return false;
  if (operator === "^=") return actual.startsWith(value);
  if (operator === "$=") return actual.endsWith(value);
  return actual.includes(value);
}
