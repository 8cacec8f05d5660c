import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPosternError } from "../../errors.js";
import type { Catalog, CatalogDocument } from "./catalog.js";
import { corruptIndex, errorCode, missingIndex, storageError } from "./index-errors.js";
import type { Postings } from "./postings.js";
import { decodeSearchFile } from "./search-file.js";

/**
 * On disk `manifest.json` names one generation of two files: what answers queries, read whole, and the texts one after
 * another, read by offset. Only the atomic replacement of the manifest makes a new generation current; a build that
 * dies leaves files that no manifest names, and the next build removes them.
 */
export const MANIFEST = "manifest.json";
const FORMAT = 2;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** A new generation can replace the files between reading the manifest and opening them. */
const OPEN_ATTEMPTS = 3;

export interface Manifest {
  readonly generation: string;
  readonly searchBytes: number;
  readonly searchSha256: string;
  readonly textsBytes: number;
}

/** One generation, open for reading; its texts stay readable after a newer one replaced it. */
export interface Generation {
  readonly catalog: Catalog;
  readonly postings: Postings;
  /** File descriptor; its holder closes it. */
  readonly texts: number;
  /** On disk. */
  readonly bytes: number;
}

export function generationFiles(
  directory: string,
  generation: string,
): { readonly search: string; readonly texts: string } {
  return { search: join(directory, `search-${generation}.bin`), texts: join(directory, `texts-${generation}.bin`) };
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(JSON.stringify({ format: FORMAT, ...manifest }));
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST), "utf8").catch((cause) => {
    const isMissing = errorCode(cause) === "ENOENT" || errorCode(cause) === "ENOTDIR";
    throw isMissing ? missingIndex() : storageError("read", cause);
  });
  if (text.length > MAX_MANIFEST_BYTES) throw corruptIndex("its manifest is damaged");
  let value: Partial<Manifest & { readonly format: number }>;
  try {
    value = JSON.parse(text) ?? {};
  } catch (cause) {
    throw corruptIndex("its manifest is damaged", cause);
  }
  if (value.format !== FORMAT) throw corruptIndex("another version of Postern wrote it");
  const { generation, searchBytes, searchSha256, textsBytes } = value;
  const isWhole =
    typeof generation === "string" &&
    /^[0-9a-f]{16}$/u.test(generation) &&
    typeof searchBytes === "number" &&
    typeof searchSha256 === "string" &&
    typeof textsBytes === "number";
  if (!isWhole) throw corruptIndex("its manifest is damaged");
  return { generation, searchBytes, searchSha256, textsBytes };
}

/** Throws `ConfigError` `index_missing`, `index_corrupt` or `storage_failed`. */
export async function openGeneration(directory: string): Promise<Generation> {
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await readManifest(directory);
    try {
      return await openFiles(directory, manifest);
    } catch (cause) {
      if (errorCode(cause) !== "ENOENT") throw storageError("read", cause);
      if (attempt === OPEN_ATTEMPTS) throw corruptIndex("one of its files is missing", cause);
    }
  }
}

async function openFiles(directory: string, manifest: Manifest): Promise<Generation> {
  const files = generationFiles(directory, manifest.generation);
  const texts = openSync(files.texts, "r");
  try {
    if (fstatSync(texts).size !== manifest.textsBytes) throw corruptIndex("its texts are incomplete");
    const search = await readFile(files.search);
    if (search.length !== manifest.searchBytes || sha256(search) !== manifest.searchSha256) {
      throw corruptIndex("its search data is damaged");
    }
    return { ...decode(search), texts, bytes: manifest.searchBytes + manifest.textsBytes };
  } catch (cause) {
    closeSync(texts);
    throw cause;
  }
}

function decode(search: Buffer): ReturnType<typeof decodeSearchFile> {
  try {
    return decodeSearchFile(search);
  } catch (cause) {
    throw corruptIndex("its search data is damaged", cause);
  }
}

/** The text of a document, checked. Throws `ConfigError` `index_corrupt`. */
export function readText(generation: Generation, document: CatalogDocument): Buffer {
  const text = Buffer.alloc(document.bytes);
  const bytesRead = readSync(generation.texts, text, 0, document.bytes, document.offset);
  if (bytesRead !== document.bytes || sha256(text) !== document.sha256)
    throw corruptIndex("one of its texts is damaged");
  return text;
}

/** Whether there is an index to open; says nothing about its health. */
export async function indexExists(directory: string): Promise<boolean> {
  return (await currentGeneration(directory)) !== undefined;
}

/** Changes with each build; `undefined` without an index, `damaged` when its manifest cannot be read. */
export async function currentGeneration(directory: string): Promise<string | undefined> {
  try {
    return (await readManifest(directory)).generation;
  } catch (error) {
    return isPosternError(error) && error.code === "index_missing" ? undefined : "damaged";
  }
}
