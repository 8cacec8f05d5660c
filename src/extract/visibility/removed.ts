import type { Node, Tree } from "../tree.js";

const MAX_TEXTS = 200;
const MAX_TEXT_CHARS = 2_000;
const MAX_TOTAL_CHARS = 100_000;

/** Collects what was hidden: counts by reason, and the texts for those who look for instructions in them. */
export class RemovedTexts {
  readonly counts: Record<string, number> = {};
  readonly texts: string[] = [];
  private total = 0;

  add(reason: string, text: string): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    this.keep(text);
  }

  /** Counts `count` texts of which some are at hand. */
  addAll(reason: string, texts: readonly string[], count: number): void {
    if (count > 0) this.counts[reason] = (this.counts[reason] ?? 0) + count;
    for (const text of texts) this.keep(text);
  }

  /** Counts a subtree that holds text, or nothing when it holds none. */
  addSubtree(reason: string, tree: Tree, node: Node): void {
    let text = "";
    for (let at = node.index; at < node.end && text.length < MAX_TEXT_CHARS; at++) {
      const part = tree.nodes[at]?.text ?? "";
      if (part !== "" && /\S/.test(part))
        text += ` ${part.length > MAX_TEXT_CHARS ? part.slice(0, MAX_TEXT_CHARS) : part}`;
    }
    if (text !== "") this.add(reason, text);
  }

  private keep(text: string): void {
    if (this.texts.length >= MAX_TEXTS || this.total >= MAX_TOTAL_CHARS) return;
    const kept = text.slice(0, MAX_TEXT_CHARS).replace(/\s+/g, " ").trim();
    if (kept === "") return;
    this.texts.push(kept);
    this.total += kept.length;
  }
}
