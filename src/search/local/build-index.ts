import { withBuildLock } from "./build-lock.js";
import { type PreparedDocument, packageKey } from "./catalog.js";
import { createIndexFolder, removeIndexFiles } from "./generation-writer.js";
import { rebuildIndex } from "./index-build.js";
import { errorCode, missingIndex, storageError } from "./index-errors.js";
import { createPace, type IndexProgress } from "./pace.js";
import { discover, type Skipped, type SourceFile } from "./package-files.js";
import { placeSources, replacedBy } from "./place-sources.js";
import { type HtmlToMarkdown, prepareDocument } from "./prepare-document.js";
import { readTextFile, reasonOf, UnreadableFile } from "./read-text-file.js";
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
  /** Documents of before that gave way to what was read, those whose files are gone included. */
  readonly replaced: number;
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
 * Reads the documentation below the given paths into the index. What it holds of the same package version, folder or
 * file is replaced, everything else is kept. Until the new index is complete on disk the old one answers.
 *
 * Throws `ConfigError` (`invalid_argument` for a path that does not exist, `index_corrupt`, `storage_failed`) and
 * `FetchError` `aborted`. A file that cannot be read is reported in `skipped` and stops nothing.
 */
export async function addToIndex(options: AddToIndexOptions): Promise<IndexReport> {
  const started = performance.now();
  const { directory, paths, htmlToMarkdown, signal, onProgress } = options;
  const pace = createPace(signal, onProgress);
  const found = await discover(paths, {
    html: htmlToMarkdown !== undefined,
    step: (current) => pace({ phase: "scan", done: 0, total: 0, current }),
  });
  const read = { packages: 0, documents: 0, sections: 0, replaced: 0, skipped: [...found.skipped] };
  // What holds no document must not make an index that is there and empty.
  if (found.packages.length === 0) return { ...read, bytes: 0, durationMs: Math.round(performance.now() - started) };
  const bytes = await rebuildIndex(directory, (known) => {
    const sources = placeSources(found.packages, known);
    const isReplaced = replacedBy(sources);
    read.packages = sources.length;
    return {
      keeps(document, owner) {
        if (!isReplaced(document, owner)) return true;
        read.replaced += 1;
        return false;
      },
      async fill(build) {
        const files = sources.flatMap(({ entry, files }) => files.map((file) => ({ entry, file })));
        for (const [done, { entry, file }] of files.entries()) {
          const progress = { phase: "read", done, total: files.length, current: `${entry.name}/${file.path}` } as const;
          await pace(progress);
          const isFull = build.catalog.documents.length >= MAX_DOCUMENTS || build.textBytes >= MAX_TEXT_BYTES;
          const document = isFull
            ? { path: file.file, reason: "the index is full" }
            : readSource(entry.name, file, htmlToMarkdown);
          if ("reason" in document) {
            read.skipped.push(document);
            continue;
          }
          await build.add(build.catalog.addPackage(entry), document, () => pace(progress));
          read.documents += 1;
          read.sections += document.sections.length;
        }
        await pace({ phase: "write", done: files.length, total: files.length, current: "" });
      },
    };
  });
  return { ...read, bytes, durationMs: Math.round(performance.now() - started) };
}

function readSource(
  source: string,
  file: SourceFile,
  htmlToMarkdown: HtmlToMarkdown | undefined,
): PreparedDocument | Skipped {
  try {
    const content = readTextFile(file.file, MAX_FILE_BYTES);
    if (content.trim() === "") return { path: file.file, reason: "empty" };
    return prepareDocument({ ...file, content, package: source }, htmlToMarkdown);
  } catch (cause) {
    if (errorCode(cause) === undefined && !(cause instanceof UnreadableFile)) throw cause;
    return { path: file.file, reason: reasonOf(cause) };
  }
}

/** Takes packages out of the index, by `name` or `name@version`; says how many it took. */
export async function removeFromIndex(options: {
  readonly directory: string;
  readonly packages: readonly string[];
}): Promise<{ readonly removed: number }> {
  if (!(await indexExists(options.directory))) throw missingIndex();
  const unwanted = new Set(options.packages);
  let removed = 0;
  await rebuildIndex(options.directory, (known) => {
    const gone = new Set(known.filter((found) => unwanted.has(found.name) || unwanted.has(packageKey(found))));
    removed = gone.size;
    return { keeps: (_, owner) => !gone.has(owner) };
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
