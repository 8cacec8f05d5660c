import { withBuildLock } from "./build-lock.js";
import type { PreparedDocument } from "./catalog.js";
import { createIndexFolder, removeIndexFiles } from "./generation-writer.js";
import { rebuildIndex } from "./index-build.js";
import { errorCode, missingIndex, storageError } from "./index-errors.js";
import { createPace, type IndexProgress } from "./pace.js";
import { discover, reasonOf, type Skipped, type SourceFile, type SourcePackage } from "./package-files.js";
import { type HtmlToMarkdown, prepareDocument } from "./prepare-document.js";
import { readTextFile, UnreadableFile } from "./read-text-file.js";
import { indexExists } from "./storage.js";

const MAX_FILE_BYTES: number = 2 * 1024 * 1024;
/** Beyond these the rest is skipped and reported: what answers queries is held in memory. */
const MAX_DOCUMENTS = 50_000;
const MAX_TEXT_BYTES: number = 512 * 1024 * 1024;

export interface IndexReport {
  /** What this call read; the index may hold more. */
  readonly packages: number;
  readonly documents: number;
  readonly sections: number;
  readonly skipped: readonly Skipped[];
  /** Size of the whole index on disk. */
  readonly bytes: number;
  readonly durationMs: number;
}

export interface AddToIndexOptions {
  readonly directory: string;
  /** `node_modules` folders, packages or projects, folders of documents, single files. */
  readonly paths: readonly string[];
  /** Without it HTML files are left out. */
  readonly htmlToMarkdown?: HtmlToMarkdown | undefined;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the documentation below the given paths into the index. A package that the index holds in the same version is
 * replaced, everything else in it is kept. Until the new index is complete on disk the old one answers.
 *
 * Throws `ConfigError` (`invalid_argument` for a path that does not exist, `index_corrupt`, `storage_failed`) and
 * `FetchError` `aborted`. A file that cannot be read is reported in `skipped` and stops nothing.
 */
export async function addToIndex(options: AddToIndexOptions): Promise<IndexReport> {
  const started = performance.now();
  const { directory, paths, htmlToMarkdown, signal, onProgress } = options;
  const pace = createPace(signal, onProgress);
  const { packages, skipped } = await discover(paths, {
    html: htmlToMarkdown !== undefined,
    step: (current) => pace({ phase: "scan", done: 0, total: 0, current }),
  });
  const replaced = new Set(packages.map(packageKey));
  const read = { packages: packages.length, documents: 0, sections: 0, skipped: [...skipped] };
  // What holds no document must not make an index that is there and empty.
  if (packages.length === 0) return { ...read, bytes: 0, durationMs: Math.round(performance.now() - started) };
  const bytes = await rebuildIndex(
    directory,
    (found) => !replaced.has(packageKey(found)),
    async (build) => {
      const files = packages.flatMap((found) => {
        const index = build.catalog.addPackage({ name: found.name, version: found.version });
        return found.files.map((file) => ({ found, index, file }));
      });
      for (const [done, { found, index, file }] of files.entries()) {
        const progress = { phase: "read", done, total: files.length, current: `${found.name}/${file.path}` } as const;
        await pace(progress);
        const isFull = build.catalog.documents.length >= MAX_DOCUMENTS || build.textBytes >= MAX_TEXT_BYTES;
        const document = isFull
          ? { path: file.file, reason: "the index is full" }
          : readSource(found, file, htmlToMarkdown);
        if ("reason" in document) {
          read.skipped.push(document);
          continue;
        }
        await build.add(index, document, () => pace(progress));
        read.documents += 1;
        read.sections += document.sections.length;
      }
      await pace({ phase: "write", done: files.length, total: files.length, current: "" });
    },
  );
  return { ...read, bytes, durationMs: Math.round(performance.now() - started) };
}

function readSource(
  found: SourcePackage,
  file: SourceFile,
  htmlToMarkdown: HtmlToMarkdown | undefined,
): PreparedDocument | Skipped {
  try {
    const content = readTextFile(file.file, MAX_FILE_BYTES);
    if (content.trim() === "") return { path: file.file, reason: "empty" };
    return prepareDocument({ ...file, content, package: found.name }, htmlToMarkdown);
  } catch (cause) {
    if (errorCode(cause) === undefined && !(cause instanceof UnreadableFile)) throw cause;
    return { path: file.file, reason: reasonOf(cause) };
  }
}

function packageKey({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

/** Takes packages out of the index, by `name` or `name@version`; says how many it took. */
export async function removeFromIndex(options: {
  readonly directory: string;
  readonly packages: readonly string[];
}): Promise<{ readonly removed: number }> {
  if (!(await indexExists(options.directory))) throw missingIndex();
  const unwanted = new Set(options.packages);
  let removed = 0;
  await rebuildIndex(options.directory, (found) => {
    const isKept = !unwanted.has(found.name) && !unwanted.has(packageKey(found));
    if (!isKept) removed += 1;
    return isKept;
  });
  return { removed };
}

/** Removes the index, healthy or not. */
export async function clearIndex({ directory }: { readonly directory: string }): Promise<void> {
  try {
    await createIndexFolder(directory);
    await withBuildLock(directory, () => removeIndexFiles(directory));
  } catch (cause) {
    throw storageError("cleared", cause);
  }
}
