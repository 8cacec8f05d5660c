import type { DocumentKind } from "./package-files.js";
import type { Section } from "./sections.js";

/** What the index knows of its documents without reading their texts. */
export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly documents: readonly CatalogDocument[];
  /** One entry a section in every column; the sections of a document stand together. */
  readonly sections: SectionColumns;
}

export interface CatalogPackage {
  readonly name: string;
  readonly version: string;
  /** Set when no version tells it from others of its name. */
  readonly place?: SourcePlace;
}

export interface SourcePlace {
  /** Real path: who lies there is the same source, whatever it is called. */
  readonly root: string;
  /** A project by its `package.json`, a folder with all below it, or only files of it that were named. */
  readonly extent: "project" | "folder" | "files";
}

/** No two sources of an index have the same. */
export function packageKey({ name, version }: Pick<CatalogPackage, "name" | "version">): string {
  return `${name}@${version}`;
}

export interface CatalogDocument {
  readonly package: number;
  readonly path: string;
  readonly title: string;
  readonly kind: DocumentKind;
  readonly mediaType: string;
  /** Where its UTF-8 text lies in the file of texts. */
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly firstSection: number;
  readonly sectionCount: number;
}

export interface SectionColumns {
  readonly document: number[];
  readonly heading: string[];
  readonly slug: string[];
  /** Section of the heading above, -1 for none. */
  readonly parent: number[];
  /** UTF-8 offsets in the document's text. */
  readonly start: number[];
  readonly end: number[];
  readonly treeEnd: number[];
  /** Terms of its own text, repetition counted. */
  readonly length: number[];
  /** Terms of its heading. */
  readonly headingLength: number[];
}

/** A document read and cut, ready to be indexed. */
export interface PreparedDocument {
  readonly path: string;
  readonly title: string;
  readonly kind: DocumentKind;
  readonly mediaType: string;
  readonly text: string;
  readonly sections: readonly Section[];
}

export class CatalogBuilder implements Catalog {
  readonly packages: CatalogPackage[] = [];
  readonly #packageOf = new Map<string, number>();
  readonly documents: CatalogDocument[] = [];
  readonly sections: SectionColumns = {
    document: [],
    heading: [],
    slug: [],
    parent: [],
    start: [],
    end: [],
    treeEnd: [],
    length: [],
    headingLength: [],
  };

  get sectionCount(): number {
    return this.sections.document.length;
  }

  /** The place of a source in `packages`; one that is there already is brought up to date. */
  addPackage(entry: CatalogPackage): number {
    const key = packageKey(entry);
    const index = this.#packageOf.get(key) ?? this.packages.length;
    this.packages[index] = entry;
    this.#packageOf.set(key, index);
    return index;
  }

  addDocument(
    entry: Omit<CatalogDocument, "firstSection" | "sectionCount">,
    sections: readonly Section[],
    text: string,
  ): void {
    const firstSection = this.sectionCount;
    const document = this.documents.push({ ...entry, firstSection, sectionCount: sections.length }) - 1;
    const byteOf = byteOffsets(text, sections);
    const open: number[] = [];
    for (const [index, section] of sections.entries()) {
      open.length = Math.min(open.length, section.ancestors.length);
      const columns = this.sections;
      columns.document.push(document);
      columns.heading.push(section.heading);
      columns.slug.push(section.slug);
      columns.parent.push(open.at(-1) ?? -1);
      columns.start.push(byteOf.get(section.start) ?? 0);
      columns.end.push(byteOf.get(section.end) ?? entry.bytes);
      columns.treeEnd.push(byteOf.get(section.treeEnd) ?? entry.bytes);
      columns.length.push(0);
      columns.headingLength.push(0);
      if (section.heading !== "") open.push(firstSection + index);
    }
  }

  /** Takes a document over from an older catalog; its sections keep their order. */
  keepDocument(from: Catalog, document: CatalogDocument, entry: Pick<CatalogDocument, "package" | "offset">): void {
    const firstSection = this.sectionCount;
    const shift = firstSection - document.firstSection;
    const index = this.documents.push({ ...document, ...entry, firstSection }) - 1;
    const end = document.firstSection + document.sectionCount;
    for (let section = document.firstSection; section < end; section += 1) {
      const parent = from.sections.parent[section] ?? -1;
      this.sections.document.push(index);
      this.sections.heading.push(from.sections.heading[section] ?? "");
      this.sections.slug.push(from.sections.slug[section] ?? "");
      this.sections.parent.push(parent === -1 ? -1 : parent + shift);
      this.sections.start.push(from.sections.start[section] ?? 0);
      this.sections.end.push(from.sections.end[section] ?? 0);
      this.sections.treeEnd.push(from.sections.treeEnd[section] ?? 0);
      this.sections.length.push(from.sections.length[section] ?? 0);
      this.sections.headingLength.push(from.sections.headingLength[section] ?? 0);
    }
  }
}

/** UTF-8 offsets of every place a section begins or ends. */
function byteOffsets(text: string, sections: readonly Section[]): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>();
  let bytes = 0;
  let before = 0;
  for (const { start, end } of sections) {
    bytes += Buffer.byteLength(text.slice(before, start));
    offsets.set(start, bytes);
    bytes += Buffer.byteLength(text.slice(start, end));
    offsets.set(end, bytes);
    before = end;
  }
  return offsets;
}

const COLUMNS = [
  "document",
  "heading",
  "slug",
  "parent",
  "start",
  "end",
  "treeEnd",
  "length",
  "headingLength",
] as const;

/** Whether parsed JSON has a catalog's shape; its content is vouched for by the checksum. */
export function isCatalog(value: unknown): value is Catalog {
  if (typeof value !== "object" || value === null) return false;
  const { packages, documents, sections } = value as Partial<Record<keyof Catalog, unknown>>;
  if (!Array.isArray(packages) || !Array.isArray(documents)) return false;
  if (typeof sections !== "object" || sections === null) return false;
  return COLUMNS.every((column) => Array.isArray((sections as Readonly<Record<string, unknown>>)[column]));
}
