import { closeSync, readSync } from "node:fs";
import type { OutlineEntry } from "../../types.js";
import type { CatalogDocument } from "./catalog.js";
import { type DocsUrl, formatDocsUrl, parseDocsUrl } from "./docs-url.js";
import { analyseQuery } from "./query.js";
import { type Ranked, Ranker } from "./rank.js";
import { snippetOf } from "./snippet.js";
import { type Generation, openGeneration, readText } from "./storage.js";
import { createTermReader, type TermReader } from "./tokens.js";
import { utf16Offsets } from "./utf16-offsets.js";

export interface LocalHit {
  /** `docs:` URL of the section. */
  readonly url: string;
  /** Section, page and package. */
  readonly title: string;
  /** Plain text, 300 characters at most. */
  readonly snippet: string;
  /** Only comparable inside one answer. */
  readonly score: number;
}

export interface LocalDocument {
  readonly url: string;
  readonly title: string;
  /** The whole document. */
  readonly text: string;
  readonly mediaType: string;
  /** Every section that is a hit of its own, in order: headings of a page, symbols of a declaration file. */
  readonly outline: readonly OutlineEntry[];
  /** UTF-16 offsets of what the fragment names, subsections included; absent when it names nothing. */
  readonly section?: { readonly start: number; readonly end: number };
}

export interface LocalIndexStats {
  readonly documents: number;
  readonly sections: number;
  readonly terms: number;
  /** On disk. */
  readonly bytes: number;
  readonly sources: readonly IndexedSource[];
}

export interface IndexedSource {
  readonly name: string;
  /** `local` for what has none. */
  readonly version: string;
  readonly documents: number;
  /** Where a source without a version lies: two of them may have similar names. */
  readonly root?: string;
}

export interface LocalSearchOptions {
  /** 100 at most. */
  readonly count: number;
  /** Packages to look in, by `name` or `name@version`; empty means any. */
  readonly sources?: readonly string[] | undefined;
}

export interface LocalIndex {
  /** Best first. Throws `ConfigError` `index_corrupt` when a text it would show is not as it was indexed. */
  search(query: string, options: LocalSearchOptions): readonly LocalHit[];
  /** The document a `docs:` URL names, from the index alone; `undefined` when it holds none. */
  read(url: string): Promise<LocalDocument | undefined>;
  /** Whether `read` would find a document; the fragment does not matter. */
  has(url: string): boolean;
  stats(): LocalIndexStats;
  close(): void;
}

/** Throws `ConfigError` `index_missing`, `index_corrupt` or `storage_failed`. */
export async function openIndex({ directory }: { readonly directory: string }): Promise<LocalIndex> {
  return new OpenIndex(await openGeneration(directory));
}

const MAX_COUNT = 100;
/** Candidates looked at for one hit: the same section of other versions is dropped among them. */
const CANDIDATES_PER_HIT = 8;
/** What each section of a page after its second is worth: a list is there to choose from. */
const REPEATED_PAGE = 0.85;
const MAX_SNIPPET_SOURCE_BYTES = 64 * 1024;

class OpenIndex implements LocalIndex {
  readonly #generation: Generation;
  readonly #ranker: Ranker;
  readonly #documents: ReadonlyMap<string, CatalogDocument>;
  readonly #read: TermReader<string> = createTermReader((term) => term);
  /** Documents whose texts were found to be what was indexed. */
  readonly #sound = new Set<CatalogDocument>();
  #isClosed = false;

  constructor(generation: Generation) {
    this.#generation = generation;
    this.#ranker = new Ranker(generation.catalog, generation.postings);
    const { documents } = generation.catalog;
    this.#documents = new Map(documents.map((document) => [formatDocsUrl(this.#urlOf(document)), document]));
  }

  search(query: string, { count, sources = [] }: LocalSearchOptions): readonly LocalHit[] {
    if (this.#isClosed) throw new Error("the local index is closed");
    const { catalog, postings } = this.#generation;
    const ranker = this.#ranker;
    const analysed = analyseQuery(query, catalog.packages, postings, (at, index) => ranker.occurrences(at, index));
    const wanted = new Set(sources);
    const accepted = catalog.packages.map(
      ({ name, version }) => wanted.size === 0 || wanted.has(name) || wanted.has(`${name}@${version}`),
    );
    const limit = Math.max(0, Math.min(count, MAX_COUNT));
    const ranked = ranker.rank(analysed, (index) => accepted[index] === true, limit * CANDIDATES_PER_HIT);
    const weights = new Map(analysed.terms.map(({ term, weight }) => [term, weight]));
    return this.#choose(ranked, limit).map(({ section, score }) => this.#hit(section, score, weights));
  }

  /** Drops the same section of other versions, and lets what a page says again and again give way to other pages. */
  #choose(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
    const chosen: Ranked[] = [];
    const seen = new Set<string>();
    const ofPage = new Map<string, number>();
    for (const { section, score } of ranked) {
      const page = formatDocsUrl({ ...this.#urlOf(this.#documentOf(section)), version: "any" });
      const identity = `${page}#${this.#generation.catalog.sections.slug[section]}`;
      if (seen.has(identity)) continue;
      seen.add(identity);
      const before = ofPage.get(page) ?? 0;
      ofPage.set(page, before + 1);
      chosen.push({ section, score: score * REPEATED_PAGE ** Math.max(0, before - 1) });
    }
    return chosen.sort((one, other) => other.score - one.score).slice(0, limit);
  }

  #hit(section: number, score: number, weights: ReadonlyMap<string, number>): LocalHit {
    const { heading, slug } = this.#generation.catalog.sections;
    const document = this.#documentOf(section);
    const title = heading[section] ?? "";
    return {
      url: formatDocsUrl({ ...this.#urlOf(document), fragment: slug[section] }),
      title: this.#titleOf(document, title),
      snippet: snippetOf(this.#sectionText(document, section), title, weights, this.#read),
      score,
    };
  }

  #documentOf(section: number): CatalogDocument {
    const { documents, sections } = this.#generation.catalog;
    const document = documents[sections.document[section] ?? -1];
    if (document === undefined) throw new RangeError("a posting names no section");
    return document;
  }

  #urlOf(document: CatalogDocument): DocsUrl {
    const { name, version } = this.#generation.catalog.packages[document.package] ?? { name: "", version: "" };
    return { name, version, path: document.path };
  }

  #titleOf(document: CatalogDocument, heading: string): string {
    const { name, version } = this.#urlOf(document);
    const page = heading === "" || heading === document.title ? document.title : `${heading} · ${document.title}`;
    return `${page} (${name} ${version})`;
  }

  #sectionText(document: CatalogDocument, section: number): string {
    const { start, end } = this.#generation.catalog.sections;
    if (!this.#sound.has(document)) this.#text(document);
    const from = start[section] ?? 0;
    const bytes = Buffer.alloc(Math.min((end[section] ?? document.bytes) - from, MAX_SNIPPET_SOURCE_BYTES));
    const read = readSync(this.#generation.texts, bytes, 0, bytes.length, document.offset + from);
    return bytes.toString("utf8", 0, read);
  }

  /** The whole text, checked. */
  #text(document: CatalogDocument): Buffer {
    const text = readText(this.#generation, document);
    this.#sound.add(document);
    return text;
  }

  async read(url: string): Promise<LocalDocument | undefined> {
    const wanted = parseDocsUrl(url);
    if (wanted === undefined || this.#isClosed) return undefined;
    const document = this.#documents.get(formatDocsUrl({ ...wanted, fragment: undefined }));
    if (document === undefined) return undefined;
    const bytes = this.#text(document);
    const { heading } = this.#generation.catalog.sections;
    const section = wanted.fragment === undefined ? -1 : this.#findSection(document, wanted.fragment);
    const outline = this.#outlineOf(document, bytes);
    const place = outline[section - document.firstSection];
    return {
      url: formatDocsUrl(wanted),
      title: this.#titleOf(document, heading[section] ?? ""),
      text: bytes.toString("utf8"),
      mediaType: document.mediaType,
      outline: outline.filter(({ title }) => title !== ""),
      ...(place === undefined ? {} : { section: { start: place.start, end: place.end } }),
    };
  }

  has(url: string): boolean {
    const wanted = parseDocsUrl(url);
    return wanted !== undefined && this.#documents.has(formatDocsUrl({ ...wanted, fragment: undefined }));
  }

  /** The sections' places in UTF-16 units; the catalog counts bytes. */
  #outlineOf({ firstSection, sectionCount }: CatalogDocument, bytes: Buffer): readonly OutlineEntry[] {
    const { heading, start, treeEnd } = this.#generation.catalog.sections;
    const toUtf16 = utf16Offsets(bytes);
    return Array.from({ length: sectionCount }, (_, i) => ({
      number: String(i + 1),
      level: 1,
      title: heading[firstSection + i] ?? "",
      start: toUtf16(start[firstSection + i] ?? 0),
      end: toUtf16(treeEnd[firstSection + i] ?? bytes.length),
    }));
  }

  /** -1 when the fragment names none. */
  #findSection({ firstSection, sectionCount }: CatalogDocument, fragment: string): number {
    const slugs = this.#generation.catalog.sections.slug.slice(firstSection, firstSection + sectionCount);
    const exact = slugs.indexOf(fragment);
    const found = exact === -1 ? slugs.findIndex((slug) => slug.toLowerCase() === fragment.toLowerCase()) : exact;
    return found === -1 ? -1 : firstSection + found;
  }

  stats(): LocalIndexStats {
    const { catalog, postings, bytes } = this.#generation;
    const counts = new Array<number>(catalog.packages.length).fill(0);
    for (const document of catalog.documents) counts[document.package] = (counts[document.package] ?? 0) + 1;
    return {
      documents: catalog.documents.length,
      sections: catalog.sections.document.length,
      terms: postings.terms.length,
      bytes,
      sources: catalog.packages.map(({ name, version, place }, index) => ({
        name,
        version,
        documents: counts[index] ?? 0,
        ...(place === undefined ? {} : { root: place.root }),
      })),
    };
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#generation.texts);
    this.#isClosed = true;
  }
}
