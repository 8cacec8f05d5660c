import { TEXT } from "./tags.js";
import type { TextStats } from "./text-stats.js";
import { attribute, type Tree } from "./tree.js";

/**
 * How much of the page a reading kept, counted on the page and not on the Markdown. What was left out may be menus: a low
 * `coverage` hints at a poor reading and does not show one, a table or code block that is missing does.
 */
export interface Quality {
  /** Characters of visible text on the page, and of those that were kept. */
  readonly visibleChars: number;
  readonly keptChars: number;
  /** Kept share, 0..1. */
  readonly coverage: number;
  /** `pre` elements. */
  readonly codeBlocks: Kept;
  /** `table` elements, those for layout too. */
  readonly tables: Kept;
  readonly headings: Kept;
  /** With an address. */
  readonly links: Kept;
}

export interface Kept {
  readonly kept: number;
  readonly total: number;
}

const COUNTED: ReadonlyMap<string, "codeBlocks" | "tables" | "headings" | "links"> = new Map([
  ["pre", "codeBlocks"],
  ["table", "tables"],
  ["a", "links"],
  ...(["h1", "h2", "h3", "h4", "h5", "h6"] as const).map((name) => [name, "headings"] as const),
]);

/** Counts what is visible and what lies in the reading `root`, `gone`. */
export function measureQuality(
  tree: Tree,
  hidden: Uint8Array,
  visible: TextStats,
  root: { readonly index: number; readonly end: number },
  gone: Uint8Array,
): Quality {
  const kept = { codeBlocks: 0, tables: 0, headings: 0, links: 0 };
  const total = { codeBlocks: 0, tables: 0, headings: 0, links: 0 };
  let keptChars = 0;
  for (const node of tree.nodes) {
    const { index } = node;
    if (hidden[index] === 1) continue;
    const isKept = index > root.index && index < root.end && gone[index] !== 1;
    if (node.tag === TEXT) {
      if (isKept) keptChars += visible.chars[index] ?? 0;
      continue;
    }
    const counted = COUNTED.get(node.tag.name);
    if (counted === undefined || (counted === "links" && attribute(node, "href") === undefined)) continue;
    total[counted] += 1;
    if (isKept) kept[counted] += 1;
  }
  const visibleChars = visible.total;
  const pair = (name: keyof typeof kept): Kept => ({ kept: kept[name], total: total[name] });
  return {
    visibleChars,
    keptChars,
    coverage: visibleChars === 0 ? 0 : Math.min(1, keptChars / visibleChars),
    codeBlocks: pair("codeBlocks"),
    tables: pair("tables"),
    headings: pair("headings"),
    links: pair("links"),
  };
}
