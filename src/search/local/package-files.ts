import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { ConfigError } from "../../errors.js";
import type { SourcePlace } from "./catalog.js";
import { errorCode } from "./index-errors.js";
import { isInside, type PackageManifest, readPackageManifest, UNVERSIONED } from "./package-manifest.js";
import { reachableDeclarations } from "./package-types.js";
import { reasonOf } from "./read-text-file.js";

/** What a file is for: decides its rank against the others of its package. */
export type DocumentKind = "readme" | "guide" | "changelog" | "types";

/** A file to index; `path` is relative to its package and uses `/`. */
export interface SourceFile {
  readonly path: string;
  readonly file: string;
  readonly kind: DocumentKind;
}

/** A package or a folder of documentation, with what of it is worth reading. */
export interface SourcePackage {
  readonly name: string;
  readonly version: string;
  /** Set when no version tells it from others of its name. */
  readonly place?: SourcePlace;
  readonly files: readonly SourceFile[];
  /** What of it was asked for: paths of files and folders in it, `""` for all of it. */
  readonly scopes: readonly string[];
}

export interface Skipped {
  readonly path: string;
  /** A short reason in our own words. */
  readonly reason: string;
}

const MAX_FILES_PER_PACKAGE = 20_000;
const MAX_DEPTH = 8;

const TEXT_EXTENSIONS: ReadonlySet<string> = new Set([".md", ".mdx", ".markdown", ".txt", ".rst"]);
const HTML_EXTENSIONS: ReadonlySet<string> = new Set([".html", ".htm"]);
const README = /^readme(?:\.(?:md|mdx|markdown|txt|rst))?$/iu;
/** `README.fr.md`: translations would answer before the original. */
const TRANSLATION = /[._-](?:[a-z]{2}|[a-z]{2}[-_][a-z]{2,4})\.(?:md|mdx|markdown)$/iu;
const CHANGELOG = /^(?:change(?:s|log)?|history|news|releases?|release[-_]?notes)(?:\.|-|_|$)/iu;
/** Files about taking part in a project, not about using it. */
const HOUSEKEEPING =
  /^(?:licen[cs]e|licensing|third[-_ ]?party.*|notices?|copying|contributing|contributors|code[-_]of[-_]conduct|security|governance|authors|maintainers|funding|sponsors|backers|pull_request_template|issue_template)(?:\.|-|_|$)/iu;
const DOC_FOLDERS: ReadonlySet<string> = new Set(["docs", "doc", "documentation"]);

export interface Discovery {
  readonly packages: readonly SourcePackage[];
  readonly skipped: readonly Skipped[];
}

interface Search {
  readonly packages: SourcePackage[];
  readonly skipped: Skipped[];
  readonly html: boolean;
  readonly step: (current: string) => Promise<void>;
}

/**
 * Finds what is worth indexing below the given paths: a `node_modules` folder, a package or project, a folder of
 * documentation or one file. Nothing is read but folders and `package.json`.
 *
 * Symbolic links are followed only inside the given folder and into pnpm's own store; `node_modules` inside packages
 * is left out, so that a name stands for the version the project itself sees.
 */
export async function discover(
  paths: readonly string[],
  options: { readonly html: boolean; readonly step: (current: string) => Promise<void> },
): Promise<Discovery> {
  const search: Search = { packages: [], skipped: [], ...options };
  for (const path of paths) {
    const root = resolve(path);
    const found = await stat(root).catch((cause) => {
      throw new ConfigError("invalid_argument", `"${path}" cannot be indexed: ${pathReasonOf(cause)}.`, { cause });
    });
    if (found.isFile()) await addFile(search, join(await realpath(dirname(root)), basename(root)));
    else if (basename(root) === "node_modules") await addNodeModules(search, root);
    else await addFolder(search, await realpath(root));
  }
  return { packages: search.packages, skipped: search.skipped };
}

function add(search: Search, found: SourcePackage): void {
  if (found.files.length > 0) search.packages.push(found);
}

/** What pnpm hoists for packages that are no direct dependency. */
const PNPM_HOISTED: string = join(".pnpm", "node_modules");

async function addNodeModules(search: Search, root: string): Promise<void> {
  const real = await realpath(root);
  const seen = new Set<string>();
  for (const parent of [root, join(root, PNPM_HOISTED)]) {
    for (const name of await packageNames(search, parent)) {
      if (seen.has(name)) continue;
      seen.add(name);
      await search.step(name);
      const folder = join(parent, ...name.split("/"));
      const target = await realpath(folder).catch(() => undefined);
      if (target === undefined) search.skipped.push({ path: folder, reason: "broken symbolic link" });
      else if (isInside(real, target) || isPnpmStore(target, name)) await addPackage(search, target);
      else search.skipped.push({ path: folder, reason: "symbolic link out of the folder" });
    }
  }
}

async function packageNames(search: Search, parent: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name } of (await entries(search, parent)).filter((entry) => !entry.isFile())) {
    if (name.startsWith(".")) continue;
    if (!name.startsWith("@")) names.push(name);
    else for (const inner of await entries(search, join(parent, name))) names.push(`${name}/${inner.name}`);
  }
  return names;
}

/** `…/node_modules/.pnpm/undici@7.0.0/node_modules/undici`, wherever the workspace keeps its store. */
function isPnpmStore(target: string, name: string): boolean {
  const parts = target.split(sep);
  const own = name.split("/");
  const rest = parts.slice(0, -own.length);
  return (
    parts.slice(-own.length).join("/") === name &&
    rest.at(-1) === "node_modules" &&
    rest.at(-3) === ".pnpm" &&
    rest.at(-4) === "node_modules"
  );
}

async function addPackage(search: Search, folder: string): Promise<void> {
  const manifest = readPackageManifest(folder);
  if (manifest === undefined) {
    search.skipped.push({ path: join(folder, "package.json"), reason: "no readable package.json" });
    return;
  }
  await addWhole(search, folder, manifest);
}

async function addWhole(search: Search, folder: string, manifest: PackageManifest): Promise<void> {
  add(search, { ...sourceOf(folder, manifest), files: await packageFiles(search, folder, manifest), scopes: [""] });
}

function sourceOf(root: string, { name, version }: PackageManifest): Pick<SourcePackage, "name" | "version" | "place"> {
  return { name, version, ...(version === UNVERSIONED ? { place: { root, extent: "project" } } : {}) };
}

async function packageFiles(search: Search, folder: string, manifest: PackageManifest): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const entry of await entries(search, folder)) {
    const file = join(folder, entry.name);
    if (entry.isDirectory() && DOC_FOLDERS.has(entry.name.toLowerCase()))
      files.push(...(await textFiles(search, folder, file)));
    else if (entry.isFile() && isTopLevelDocument(entry.name)) files.push(sourceFile(folder, file));
  }
  for (const file of reachableDeclarations(folder, manifest)) files.push(sourceFile(folder, file));
  return files;
}

function isTopLevelDocument(name: string): boolean {
  if (TRANSLATION.test(name)) return false;
  if (README.test(name)) return true;
  const extension = extname(name).toLowerCase();
  if (CHANGELOG.test(name)) return extension === "" || TEXT_EXTENSIONS.has(extension);
  return TEXT_EXTENSIONS.has(extension) && extension !== ".txt" && !HOUSEKEEPING.test(name);
}

/** A project, or a folder of documents: its own package names it, else its own name. */
async function addFolder(search: Search, root: string): Promise<void> {
  const own = readPackageManifest(root);
  if (own !== undefined && !DOC_FOLDERS.has(basename(root).toLowerCase())) {
    await search.step(own.name);
    await addWhole(search, root, own);
    return;
  }
  await search.step(basename(root));
  const { folder, ...home } = await homeOf(root, "folder");
  add(search, { ...home, files: await textFiles(search, folder, root), scopes: [pathIn(folder, root)] });
}

async function addFile(search: Search, file: string): Promise<void> {
  await search.step(basename(file));
  const { folder, ...home } = await homeOf(dirname(file), "files");
  if (isDocument(search, basename(file)) || DECLARATION.test(file)) {
    add(search, { ...home, files: [sourceFile(folder, file)], scopes: [pathIn(folder, file)] });
  } else search.skipped.push({ path: file, reason: "not a document" });
}

/** The nearest package around a folder, no further up than its repository, else the folder itself. */
async function homeOf(
  root: string,
  extent: "folder" | "files",
): Promise<Pick<SourcePackage, "name" | "version" | "place"> & { readonly folder: string }> {
  let folder = root;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const manifest = readPackageManifest(folder);
    if (manifest !== undefined) return { ...sourceOf(folder, manifest), folder };
    if (dirname(folder) === folder || (await exists(join(folder, ".git")))) break;
    folder = dirname(folder);
  }
  return { name: nameOfFolder(root), version: UNVERSIONED, place: { root, extent }, folder: root };
}

/** A folder's own name in the letters of a package name. */
export function nameOfFolder(folder: string): string {
  const name = basename(folder).replace(/[^\w.~-]+/gu, "-");
  return name === "" ? "root" : name;
}

/** Documents below a folder, breadth first, links and `node_modules` left out. */
async function textFiles(search: Search, home: string, root: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const folders = [{ path: root, depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    await search.step(relative(dirname(root), folder.path));
    for (const entry of await entries(search, folder.path)) {
      const path = join(folder.path, entry.name);
      if (entry.isSymbolicLink()) search.skipped.push({ path, reason: "symbolic link" });
      else if (entry.isDirectory()) {
        if (!isWalkedName(entry.name)) continue;
        if (folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1 });
        else search.skipped.push({ path, reason: `deeper than ${MAX_DEPTH} folders` });
      } else if (entry.isFile() && isDocument(search, entry.name)) {
        if (files.length < MAX_FILES_PER_PACKAGE) files.push(sourceFile(home, path));
        else search.skipped.push({ path, reason: `more than ${MAX_FILES_PER_PACKAGE} files` });
      }
    }
  }
  return files;
}

const isWalkedName = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** Whether the documents of a folder, by its way from the root, are found when the root is indexed. */
export function isWalked(way: readonly string[]): boolean {
  return way.length <= MAX_DEPTH && way.every(isWalkedName);
}

function isDocument(search: Search, name: string): boolean {
  const extension = extname(name).toLowerCase();
  return !TRANSLATION.test(name) && (TEXT_EXTENSIONS.has(extension) || (search.html && HTML_EXTENSIONS.has(extension)));
}

const DECLARATION = /\.d\.[cm]?ts$/u;

/** A path as the index has it: from the root of its source, `/` between its parts. */
function pathIn(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

export function sourceFile(home: string, file: string): SourceFile {
  const path = pathIn(home, file);
  const name = basename(file);
  if (DECLARATION.test(name)) return { path, file, kind: "types" };
  if (CHANGELOG.test(name)) return { path, file, kind: "changelog" };
  return { path, file, kind: README.test(path) ? "readme" : "guide" };
}

async function entries(search: Search, folder: string): Promise<readonly Dirent[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (cause) {
    // What pnpm would have hoisted is simply not there in another layout.
    if (!folder.endsWith(PNPM_HOISTED)) search.skipped.push({ path: folder, reason: reasonOf(cause) });
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function pathReasonOf(cause: unknown): string {
  return errorCode(cause) === "ENOENT" ? "there is no such file or folder" : reasonOf(cause);
}
