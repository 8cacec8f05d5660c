import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "./catalog.js";
import type { BuiltPostings } from "./postings.js";
import { encodeSearchFile } from "./search-file.js";
import { encodeManifest, generationFiles, MANIFEST, sha256 } from "./storage.js";

/** Files of the index are known by name; nothing else in the folder is ever removed. */
const OWN_FILES = /^(?:manifest\.json(?:\.part)?|(?:search|texts)-[0-9a-f]{16}\.bin)$/u;
const PART = `${MANIFEST}.part`;
const WRITE_BUFFER_BYTES = 1024 * 1024;

/** Writes the next generation; nothing that a reader sees changes before `commit`. */
export class GenerationWriter {
  readonly #directory: string;
  readonly #generation: string;
  readonly #texts: FileHandle;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #textsBytes = 0;
  #isCurrent = false;

  private constructor(directory: string, generation: string, texts: FileHandle) {
    this.#directory = directory;
    this.#generation = generation;
    this.#texts = texts;
  }

  static async open(directory: string): Promise<GenerationWriter> {
    const generation = randomBytes(8).toString("hex");
    const texts = await open(generationFiles(directory, generation).texts, "wx", 0o600);
    return new GenerationWriter(directory, generation, texts);
  }

  /** Bytes of all texts so far. */
  get textsBytes(): number {
    return this.#textsBytes;
  }

  /** Gives the offset at which the text will lie. */
  async addText(text: Uint8Array): Promise<number> {
    const offset = this.#textsBytes;
    this.#textsBytes += text.length;
    this.#pending.push(text);
    this.#pendingBytes += text.length;
    if (this.#pendingBytes >= WRITE_BUFFER_BYTES) await this.#flush();
    return offset;
  }

  async #flush(): Promise<void> {
    await this.#texts.writeFile(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** Makes the generation the current one and removes what it replaces; gives its size on disk. */
  async commit(catalog: Catalog, built: BuiltPostings): Promise<number> {
    await this.#flush();
    await this.#texts.sync();
    await this.#texts.close();
    const search = encodeSearchFile(catalog, built);
    await writeDurably(generationFiles(this.#directory, this.#generation).search, search);
    const manifest = {
      generation: this.#generation,
      searchBytes: search.length,
      searchSha256: sha256(search),
      textsBytes: this.#textsBytes,
    };
    await writeDurably(join(this.#directory, PART), encodeManifest(manifest));
    await rename(join(this.#directory, PART), join(this.#directory, MANIFEST));
    this.#isCurrent = true;
    await syncFolder(this.#directory);
    await removeFiles(this.#directory, (name) => name !== MANIFEST && !name.includes(this.#generation));
    return this.#textsBytes + search.length;
  }

  /** Gives up: what was written is removed, unless it is the current generation already. */
  async discard(): Promise<void> {
    if (this.#isCurrent) return;
    await this.#texts.close().catch(() => undefined);
    await removeFiles(this.#directory, (name) => name === PART || name.includes(this.#generation));
  }
}

async function writeDurably(path: string, data: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename durable, where folders can be opened for that. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** A file that is still open elsewhere and cannot be removed goes with the next build. */
async function removeFiles(directory: string, which: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (OWN_FILES.test(name) && which(name)) await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

/** Removes every file of the index; the manifest goes first, so that no reader sees half of it. */
export async function removeIndexFiles(directory: string): Promise<void> {
  await rm(join(directory, MANIFEST), { force: true });
  await removeFiles(directory, () => true);
}

export async function createIndexFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}
