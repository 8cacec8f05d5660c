import { classTokens } from "../class-names.js";
import { type Tag, TEXT } from "../tags.js";
import { attribute, type Node, type Tree } from "../tree.js";
import type { AttributeTest, Compound, PositionTest, RelativeSelector, Selector } from "./selector.js";

/** How far a failure reaches: to the element, to its siblings too, or to its ancestors as well. */
type Outcome = "matches" | "fails" | "fails for siblings" | "fails for all";

/** Tests selectors against the nodes of one tree. */
export class SelectorMatcher {
  /** What the last test cost. */
  steps = 0;
  private readonly tree: Tree;
  private readonly tokens = new Map<string, ReadonlySet<string>>();
  private maxSteps = 0;
  private siblings: Siblings | undefined;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** Undefined when the answer takes more than `maxSteps`. */
  matches(selector: Selector, node: Node, maxSteps: number): boolean | undefined {
    this.steps = 0;
    this.maxSteps = maxSteps;
    const outcome = this.from(selector, 0, node);
    return this.isSpent ? undefined : outcome === "matches";
  }

  private get isSpent(): boolean {
    return this.steps > this.maxSteps;
  }

  private namesMatch(compound: Compound, node: Node): boolean {
    const { name } = node.tag;
    if (compound.tag !== "" && compound.tag !== name) return false;
    if (name.charCodeAt(0) === 0x23 || (compound.isRoot && name !== "html")) return false;
    if (compound.id !== "" && attribute(node, "id") !== compound.id) return false;
    if (compound.classes.length === 0) return true;
    if (node.className === "") return false;
    const tokens = this.tokensOf(node.className);
    for (const wanted of compound.classes) if (!tokens.has(wanted)) return false;
    return true;
  }

  /** A failure that reaches far ends the search over ancestors or siblings: no backtracking over both. */
  private from(selector: Selector, position: number, node: Node): Outcome {
    const compound = selector.compounds[position];
    if (compound === undefined || !this.compoundMatches(compound, node)) return "fails";
    const combinator = selector.combinators[position];
    if (combinator === undefined) return "matches";
    if (combinator === ">") {
      if (node.parent === undefined) return "fails for all";
      const outcome = this.from(selector, position + 1, node.parent);
      return outcome === "matches" || outcome === "fails for all" ? outcome : "fails for siblings";
    }
    if (combinator === " ") {
      for (let outer = node.parent; outer !== undefined && !this.isSpent; outer = outer.parent) {
        const outcome = this.from(selector, position + 1, outer);
        if (outcome === "matches" || outcome === "fails for all") return outcome;
      }
      return "fails for all";
    }
    const { previous } = this.siblingTable();
    for (let at = previous[node.index] ?? -1; at >= 0 && !this.isSpent; at = previous[at] ?? -1) {
      const before = this.tree.nodes[at];
      const outcome = before === undefined ? "fails" : this.from(selector, position + 1, before);
      if (outcome !== "fails") return outcome;
      if (combinator === "+") return "fails";
    }
    return combinator === "+" ? "fails" : "fails for siblings";
  }

  private compoundMatches(compound: Compound, node: Node): boolean {
    this.steps += 1 + compound.classes.length + compound.attributes.length + compound.positions.length;
    if (this.isSpent) return false;
    return this.namesMatch(compound, node) && (compound.isNamesOnly || this.restMatches(compound, node));
  }

  private restMatches(compound: Compound, node: Node): boolean {
    return (
      !(compound.isEmpty && node.end > node.index + 1) &&
      compound.attributes.every((test) => this.attributeMatches(test, node)) &&
      compound.positions.every((test) => this.positionMatches(test, node)) &&
      compound.anyOf.every((list) => list.some((selector) => this.from(selector, 0, node) === "matches")) &&
      !compound.noneOf.some((selector) => this.from(selector, 0, node) === "matches") &&
      compound.holds.every((list) => list.some((relative) => this.holds(relative, node)))
    );
  }

  private attributeMatches(test: AttributeTest, node: Node): boolean {
    const actual = attribute(node, test.name);
    // Long values and long lists of attributes are paid for.
    this.steps += ((actual?.length ?? 0) + (node.to - node.from)) >> 6;
    return actual !== undefined && attributeHolds(test, test.ignoresCase ? actual.toLowerCase() : actual);
  }

  private holds({ combinator, selector }: RelativeSelector, node: Node): boolean {
    const { nodes } = this.tree;
    const isInside = combinator === "" || combinator === ">";
    const end = isInside ? node.end : (node.parent?.end ?? node.end);
    let at = isInside ? node.index + 1 : node.end;
    while (at < end && !this.isSpent) {
      const other = nodes[at];
      if (other === undefined) return false;
      if (other.tag.name !== "#text") {
        if (this.from(selector, 0, other) === "matches") return true;
        if (combinator === "+") return false;
      } else this.steps += 1;
      at = combinator === "" ? at + 1 : other.end;
    }
    return false;
  }

  private tokensOf(className: string): ReadonlySet<string> {
    let tokens = this.tokens.get(className);
    if (tokens === undefined) {
      tokens = new Set(classTokens(className));
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
  const counts = new Map<number, number>();
  const tagNumbers = new Map<Tag, number>();
  /** One number for a parent and a name. */
  const key = ({ tag, parent }: Node): number => {
    let number = tagNumbers.get(tag);
    if (number === undefined) {
      number = tagNumbers.size;
      tagNumbers.set(tag, number);
    }
    return number * size + (parent?.index ?? 0);
  };
  const elements = tree.nodes.filter((node) => node.tag !== TEXT && node.parent !== undefined);
  for (const node of elements) {
    const parent = node.parent?.index ?? 0;
    const before = last[parent] ?? -1;
    const name = key(node);
    const sameName = (counts.get(name) ?? 0) + 1;
    table.previous[node.index] = before;
    table.position[node.index] = before < 0 ? 1 : (table.position[before] ?? 0) + 1;
    table.ofType[node.index] = sameName;
    counts.set(name, sameName);
    last[parent] = node.index;
  }
  for (const node of elements) {
    table.total[node.index] = table.position[last[node.parent?.index ?? 0] ?? 0] ?? 0;
    table.totalOfType[node.index] = counts.get(key(node)) ?? 0;
  }
  return table;
}

function attributeHolds({ operator, value }: AttributeTest, actual: string): boolean {
  if (operator === "") return true;
  if (operator === "=") return actual === value;
  if (operator === "~=") return actual.split(/\s+/).includes(value);
  if (operator === "|=") return actual === value || actual.startsWith(`${value}-`);
  if (value === "") return false;
  if (operator === "^=") return actual.startsWith(value);
  if (operator === "$=") return actual.endsWith(value);
  return actual.includes(value);
}
