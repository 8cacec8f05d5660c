import type { Catalog, CatalogDocument, CatalogPackage } from "./catalog.js";
import { Place, type Postings } from "./postings.js";
import type { AnalysedQuery, QueryTerm } from "./query.js";
import { createTermReader, type TermReader } from "./tokens.js";

/** Set on judged questions (`corpus/local`) and on others over packages that are not among them. */
const WEIGHTS = {
  /** BM25: how late repetition stops to count, and how much a long section pays. */
  k1: 2,
  b: 0.35,
  /** What a term counts for in a heading of usual length, in a heading above, and in the page's title or path. */
  heading: 3,
  above: 1,
  page: 4,
  /** Share of its page's evidence that a section gets, and the extra for a page that holds all that was asked. */
  pageShare: 0.4,
  pageCover: 1,
  /** Extra for a package that the query surely names. */
  package: 1,
  /** Extra for a heading that says what was asked and nothing else. */
  headingCover: 0.6,
  example: 0.9,
  aside: 0.6,
  /** An older version of a package that is there in a newer one too. */
  superseded: 0.9,
} as const;

const USUAL_HEADING_TERMS = 2;
/** Sections beside the subject; a query that means one of them says so. */
const ASIDE =
  /^(?:licen[cs]e|contribut\w*|sponsors?|backers|acknowledge?ments|authors?|maintainers|credits|see also|related|table of contents|contents|benchmarks?|prior art|funding|community|used by)\b/iu;
const EXAMPLE = /^examples?\b/iu;
/** Candidates whose headings are looked at. */
const RERANKED = 100;

export interface Ranked {
  readonly section: number;
  readonly score: number;
}

/**
 * Scores sections by BM25 over their text and headings, joined with what their page says as a whole: for each term a
 * page counts as its best section does. Scratch space is kept between queries.
 */
export class Ranker {
  readonly #catalog: Catalog;
  readonly #postings: Postings;
  readonly #read: TermReader<string> = createTermReader((term) => term);
  /** By section: what divides a count in its text, and what a term in its heading adds. */
  readonly #lengthNorm: Float32Array;
  readonly #headingWeight: Float32Array;
  readonly #superseded: ReadonlySet<number>;
  readonly #sectionScore: Float32Array;
  readonly #pageScore: Float32Array;

  constructor(catalog: Catalog, postings: Postings) {
    this.#catalog = catalog;
    this.#postings = postings;
    const { length, headingLength } = catalog.sections;
    const average = Math.max(1, length.reduce((sum, value) => sum + value, 0) / Math.max(1, length.length));
    this.#lengthNorm = Float32Array.from(length, (value) => 1 - WEIGHTS.b + (WEIGHTS.b * value) / average);
    this.#headingWeight = Float32Array.from(
      headingLength,
      (value) => (2 * WEIGHTS.heading) / (1 + Math.max(1, value) / USUAL_HEADING_TERMS),
    );
    this.#superseded = supersededPackages(catalog.packages);
    this.#sectionScore = new Float32Array(length.length);
    this.#pageScore = new Float32Array(catalog.documents.length);
  }

  /** The best sections first, at most `limit`. */
  rank(query: AnalysedQuery, accepts: (packageIndex: number) => boolean, limit: number): readonly Ranked[] {
    const { sections, documents } = this.#catalog;
    const sectionScore = this.#sectionScore.fill(0);
    const pageScore = this.#pageScore.fill(0);
    const worth = new Map<string, number>();
    for (const term of query.terms) {
      worth.set(term.term, term.weight * this.#idf(term.position));
      this.#scoreTerm(term);
    }
    const asked = [...worth.values()].reduce((sum, value) => sum + value, 0);
    const factors = documents.map((document) =>
      accepts(document.package) ? this.#documentFactor(document, query) : 0,
    );
    const best = new BestSections(Math.max(limit, RERANKED));
    for (let section = 0; section < sectionScore.length; section += 1) {
      const own = sectionScore[section] ?? 0;
      if (own === 0) continue;
      const page = sections.document[section] ?? 0;
      const onPage = pageScore[page] ?? 0;
      const cover = 1 + (WEIGHTS.pageCover * onPage) / asked;
      best.offer(section, (own + WEIGHTS.pageShare * onPage) * cover * (factors[page] ?? 0));
    }
    return best
      .take()
      .map(({ section, score }) => ({ section, score: score * this.#headingFactor(section, query, worth, asked) }))
      .sort((one, other) => other.score - one.score || one.section - other.section)
      .slice(0, limit);
  }

  /** How many sections hold the term at a position: in one package, and in all. */
  occurrences(position: number, packageIndex: number): { readonly own: number; readonly all: number } {
    const { documents, sections } = this.#catalog;
    let own = 0;
    this.#postings.forEach(position, (section) => {
      if (documents[sections.document[section] ?? 0]?.package === packageIndex) own += 1;
    });
    return { own, all: this.#postings.count(position) };
  }

  /** Inverse document frequency as in BM25; never negative. */
  #idf(position: number): number {
    const total = this.#catalog.sections.document.length;
    const count = this.#postings.count(position);
    return Math.log(1 + (total - count + 0.5) / (count + 0.5));
  }

  /** Adds what a term says to every section that holds it, and to each page the best of its sections. */
  #scoreTerm({ position, weight, isName }: QueryTerm): void {
    const owners = this.#catalog.sections.document;
    const idf = weight * this.#idf(position);
    let page = 0;
    let pageBest = 0;
    this.#postings.forEach(position, (section, place) => {
      const count = Math.floor(place / Place.once);
      const frequency =
        (isName ? count : count / (this.#lengthNorm[section] ?? 1)) +
        ((place & Place.heading) === 0 ? 0 : (this.#headingWeight[section] ?? 0)) +
        ((place & Place.above) === 0 ? 0 : WEIGHTS.above);
      this.#sectionScore[section] = (this.#sectionScore[section] ?? 0) + saturated(idf, frequency);
      const owner = owners[section] ?? 0;
      if (owner !== page) {
        this.#pageScore[page] = (this.#pageScore[page] ?? 0) + pageBest;
        page = owner;
        pageBest = 0;
      }
      const onPage = frequency + ((place & Place.page) === 0 ? 0 : WEIGHTS.page);
      pageBest = Math.max(pageBest, saturated(idf, onPage));
    });
    this.#pageScore[page] = (this.#pageScore[page] ?? 0) + pageBest;
  }

  #documentFactor(document: CatalogDocument, query: AnalysedQuery): number {
    const { version } = this.#catalog.packages[document.package] ?? { version: "" };
    const isOld = this.#superseded.has(document.package) && !query.versions.has(version);
    const mention = query.packages.get(document.package) ?? 0;
    return query.kinds[document.kind] * (1 + WEIGHTS.package * mention) * (isOld ? WEIGHTS.superseded : 1);
  }

  /** How much of the heading was asked for and how much of the question it repeats (Dice's coefficient). */
  #headingFactor(section: number, query: AnalysedQuery, worth: ReadonlyMap<string, number>, asked: number): number {
    const heading = this.#catalog.sections.heading[section] ?? "";
    const terms = new Set<string>();
    this.#read(heading, (term) => terms.add(term));
    let all = asked;
    let matched = 0;
    for (const term of terms) {
      const known = worth.get(term);
      const position = known === undefined ? this.#postings.find(term) : -1;
      all += known ?? (position === -1 ? 0 : this.#idf(position));
      matched += known ?? 0;
    }
    let factor = 1 + (WEIGHTS.headingCover * 2 * matched) / all;
    if (EXAMPLE.test(heading) && !query.wantsExample) factor *= WEIGHTS.example;
    if (ASIDE.test(heading) && matched === 0) factor *= WEIGHTS.aside;
    return factor;
  }
}

function saturated(idf: number, frequency: number): number {
  return (idf * frequency) / (WEIGHTS.k1 + frequency);
}

/** Positions of packages whose name occurs again with a newer version. */
function supersededPackages(packages: readonly CatalogPackage[]): ReadonlySet<number> {
  const newest = new Map<string, number>();
  const superseded = new Set<number>();
  for (const [index, { name, version }] of packages.entries()) {
    const known = newest.get(name);
    const isNewer = known === undefined || compareVersions(version, packages[known]?.version ?? "") > 0;
    if (isNewer) newest.set(name, index);
    if (known !== undefined) superseded.add(isNewer ? known : index);
  }
  return superseded;
}

/** Numbers by value, a prerelease before its release, anything else as text. */
export function compareVersions(one: string, other: string): number {
  const [release = "", prerelease = "~"] = one.split(/[-+](.*)/su);
  const [otherRelease = "", otherPrerelease = "~"] = other.split(/[-+](.*)/su);
  const collator = new Intl.Collator("en", { numeric: true });
  return (
    collator.compare(release, otherRelease) ||
    (prerelease < otherPrerelease ? -1 : Number(prerelease > otherPrerelease))
  );
}

/** Keeps the best of many without sorting them all: a heap whose root is the least of those kept. */
class BestSections {
  readonly #limit: number;
  readonly #heap: Ranked[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(section: number, score: number): void {
    if (score <= 0) return;
    if (this.#heap.length < this.#limit) {
      this.#heap.push({ section, score });
      if (this.#heap.length === this.#limit) this.#heap.sort((one, other) => one.score - other.score);
    } else if (score > (this.#heap[0]?.score ?? 0)) this.#replaceLeast({ section, score });
  }

  #replaceLeast(entry: Ranked): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const isRightLess = (heap[left + 1]?.score ?? Infinity) < (heap[left]?.score ?? Infinity);
      const child = isRightLess ? left + 1 : left;
      const candidate = heap[child];
      if (candidate === undefined || candidate.score >= entry.score) break;
      heap[at] = candidate;
      at = child;
    }
    heap[at] = entry;
  }

  take(): readonly Ranked[] {
    return this.#heap;
  }
}
