import { closeSync } from "node:fs";
import { withBuildLock } from "./build-lock.js";
import { CatalogBuilder, type CatalogDocument, type CatalogPackage, type PreparedDocument } from "./catalog.js";
import { createIndexFolder, GenerationWriter } from "./generation-writer.js";
import { storageError } from "./index-errors.js";
import { PostingsBuilder, type TermEntry } from "./postings.js";
import { indexSection } from "./prepare-document.js";
import { type Generation, indexExists, openGeneration, readText, sha256 } from "./storage.js";
import { createTermReader, type TermReader } from "./tokens.js";

/** One new generation in the making. */
export class IndexBuild {
  readonly catalog: CatalogBuilder = new CatalogBuilder();
  readonly #postings = new PostingsBuilder();
  readonly #writer: GenerationWriter;
  readonly #read: TermReader<TermEntry> = createTermReader((term) => this.#postings.entry(term));

  constructor(writer: GenerationWriter) {
    this.#writer = writer;
  }

  /** Bytes of all texts so far. */
  get textBytes(): number {
    return this.#writer.textsBytes;
  }

  /** `step` is called between sections: a long document takes a while. */
  async add(packageIndex: number, document: PreparedDocument, step: () => Promise<void>): Promise<void> {
    const { path, title, kind, mediaType, sections } = document;
    const text = Buffer.from(document.text);
    const entry = { package: packageIndex, path, title, kind, mediaType, bytes: text.length, sha256: sha256(text) };
    const first = this.catalog.sectionCount;
    this.catalog.addDocument({ ...entry, offset: await this.#writer.addText(text) }, sections, document.text);
    for (const [number, section] of sections.entries()) {
      await step();
      this.#postings.beginSection(first + number);
      const { length, headingLength } = indexSection(document, section, number === 0, this.#read, this.#postings);
      this.#postings.endSection();
      this.catalog.sections.length[first + number] = length;
      this.catalog.sections.headingLength[first + number] = headingLength;
    }
  }

  /** Takes over the documents of an older generation that are to be kept, without reading their words again. */
  async keep(old: Generation, keeps: IndexChange["keeps"]): Promise<void> {
    const { catalog, postings } = old;
    const newSection = new Int32Array(catalog.sections.document.length).fill(-1);
    for (const document of catalog.documents) {
      const owner = catalog.packages[document.package];
      if (owner === undefined || !keeps(document, owner)) continue;
      const packageIndex = this.catalog.addPackage(owner);
      const offset = await this.#writer.addText(readText(old, document));
      const first = this.catalog.sectionCount;
      for (let number = 0; number < document.sectionCount; number += 1) {
        newSection[document.firstSection + number] = first + number;
      }
      this.catalog.keepDocument(catalog, document, { package: packageIndex, offset });
    }
    for (const [position, term] of postings.terms.entries()) {
      postings.forEach(position, (section, place) => {
        const target = newSection[section] ?? -1;
        if (target !== -1) this.#postings.add(term, target, place);
      });
    }
  }

  /** Size of the finished index on disk. */
  commit(): Promise<number> {
    return this.#writer.commit(this.catalog, this.#postings.finish());
  }
}

/** What becomes of an index. */
export interface IndexChange {
  /** Asked once for every document, in order. */
  readonly keeps: (document: CatalogDocument, owner: CatalogPackage) => boolean;
  readonly fill?: (build: IndexBuild) => Promise<void>;
}

/**
 * Writes a generation from what is kept of the current one and what is filled in; returns its size on disk. `plan` is
 * given the sources of the current one while nobody else can change them. Whatever fails, the current one stays as it
 * was.
 */
export async function rebuildIndex(
  directory: string,
  plan: (known: readonly CatalogPackage[]) => IndexChange,
): Promise<number> {
  try {
    await createIndexFolder(directory);
    return await withBuildLock(directory, async () => {
      const old = (await indexExists(directory)) ? await openGeneration(directory) : undefined;
      try {
        const change = plan(old?.catalog.packages ?? []);
        return await writeGeneration(directory, async (build) => {
          if (old !== undefined) await build.keep(old, change.keeps);
          await change.fill?.(build);
        });
      } finally {
        if (old !== undefined) closeSync(old.texts);
      }
    });
  } catch (cause) {
    throw storageError("written", cause);
  }
}

async function writeGeneration(directory: string, fill: (build: IndexBuild) => Promise<void>): Promise<number> {
  const writer = await GenerationWriter.open(directory);
  try {
    const build = new IndexBuild(writer);
    await fill(build);
    return await build.commit();
  } catch (cause) {
    await writer.discard();
    throw cause;
  }
}
