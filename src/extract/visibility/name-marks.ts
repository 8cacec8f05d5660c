import type { Selector } from "./selector.js";

const MARKS = 31;
export const ALL_MARKS = -1;

/**
 * Bits for the names that selectors ask of the elements around their subject. The bits of all names on a path are a
 * Bloom filter: most rules fail on it, without a walk up the tree.
 */
export class NameMarks {
  private readonly marks = new Map<string, number>();

  /** Of names that no selector has asked for, none. */
  of(names: readonly string[]): number {
    let marks = 0;
    for (const name of names) marks |= this.marks.get(name) ?? 0;
    return marks;
  }

  /** Siblings share what is around them, so compounds behind `+` and `~` count as well. */
  around({ compounds, combinators }: Selector): number {
    let marks = 0;
    compounds.forEach(({ tag, id, classes }, at) => {
      const combinator = combinators[at - 1];
      if (combinator !== " " && combinator !== ">") return;
      if (tag !== "") marks |= this.mark(tag);
      if (id !== "") marks |= this.mark(`#${id}`);
      for (const name of classes) marks |= this.mark(`.${name}`);
    });
    return marks;
  }

  private mark(name: string): number {
    let mark = this.marks.get(name);
    if (mark === undefined) {
      mark = 1 << (this.marks.size % MARKS);
      this.marks.set(name, mark);
    }
    return mark;
  }
}
