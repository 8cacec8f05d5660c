/**
 * The inverted index: for each term the sections that hold it, in order, and where in the section it stands.
 *
 * A posting is two varints, the gap to the previous section and the `Place`; most take two bytes. Kept as bytes and
 * decoded term by term, the index costs a process that answers one query little more than reading a file: a few
 * milliseconds where building maps of everything takes ten times as long as the query.
 */

/** Where in its section a term stands: bits, and above them the count in its text. */
export const Place = {
  heading: 1,
  /** In a heading above. */
  above: 2,
  /** In the title or path of the page; set on its first section only. */
  page: 4,
  /** One occurrence in the section's own text. */
  once: 8,
} as const;

/** Higher counts say nothing more; with this one a place stays below 2^11. */
const MAX_COUNT = 255;

/** A term on its way into the index. */
export interface TermEntry {
  readonly bytes: number[];
  count: number;
  /** The section in hand, and where in it the term was seen so far. */
  section: number;
  place: number;
  previous: number;
}

/** Every term with the number of its postings and where they end in `bytes`. */
export interface BuiltPostings {
  readonly terms: readonly string[];
  readonly counts: Uint32Array;
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Takes sections in increasing order: marks of one section, then `endSection`. */
export class PostingsBuilder {
  readonly #terms = new Map<string, TermEntry>();
  #section = 0;
  #marked: TermEntry[] = [];

  entry(term: string): TermEntry {
    let entry = this.#terms.get(term);
    if (entry === undefined) {
      entry = { bytes: [], count: 0, section: -1, place: 0, previous: -1 };
      this.#terms.set(term, entry);
    }
    return entry;
  }

  beginSection(section: number): void {
    this.#section = section;
  }

  /** Another occurrence in the text of the section in hand. */
  count(entry: TermEntry): void {
    this.#reach(entry);
    entry.place += Place.once;
  }

  mark(entry: TermEntry, place: number): void {
    this.#reach(entry);
    entry.place |= place;
  }

  #reach(entry: TermEntry): void {
    if (entry.section === this.#section) return;
    entry.section = this.#section;
    entry.place = 0;
    this.#marked.push(entry);
  }

  endSection(): void {
    for (const entry of this.#marked) append(entry, this.#section, entry.place);
    this.#marked = [];
  }

  /** Takes over a posting of another index. */
  add(term: string, section: number, place: number): void {
    append(this.entry(term), section, place);
  }

  /** Terms in code-unit order, their postings one after another. */
  finish(): BuiltPostings {
    const used = [...this.#terms].filter(([, { count }]) => count > 0);
    const sorted = used.sort(([one], [other]) => (one < other ? -1 : 1));
    const counts = new Uint32Array(sorted.length);
    const ends = new Uint32Array(sorted.length);
    const bytes = new Uint8Array(sorted.reduce((sum, [, postings]) => sum + postings.bytes.length, 0));
    let end = 0;
    for (const [index, [, postings]] of sorted.entries()) {
      bytes.set(postings.bytes, end);
      end += postings.bytes.length;
      counts[index] = postings.count;
      ends[index] = end;
    }
    return { terms: sorted.map(([term]) => term), counts, ends, bytes };
  }
}

function append(entry: TermEntry, section: number, place: number): void {
  pushVarint(entry.bytes, section - entry.previous - 1);
  pushVarint(entry.bytes, Math.min(place, MAX_COUNT * Place.once + (place % Place.once)));
  entry.previous = section;
  entry.count += 1;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
}

export class Postings {
  readonly terms: readonly string[];
  readonly #counts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor({ terms, counts, ends, bytes }: BuiltPostings) {
    this.terms = terms;
    this.#counts = counts;
    this.#ends = ends;
    this.#bytes = bytes;
  }

  /** Position of the first term not before `term`. */
  lowerBound(term: string): number {
    let low = 0;
    let high = this.terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.terms[middle] ?? "") < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Position of a term, -1 when no section holds it. */
  find(term: string): number {
    const position = this.lowerBound(term);
    return this.terms[position] === term ? position : -1;
  }

  /** How many sections hold the term at a position. */
  count(position: number): number {
    return this.#counts[position] ?? 0;
  }

  /** The sections of the term at a position, in increasing order. */
  forEach(position: number, visit: (section: number, place: number) => void): void {
    const bytes = this.#bytes;
    const end = this.#ends[position] ?? 0;
    let at = position === 0 ? 0 : (this.#ends[position - 1] ?? 0);
    const varint = (): number => {
      let value = 0;
      for (let shift = 0; at < end; shift += 7) {
        const byte = bytes[at] ?? 0;
        at += 1;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      return value;
    };
    let section = -1;
    while (at < end) {
      section += varint() + 1;
      visit(section, varint());
    }
  }
}
