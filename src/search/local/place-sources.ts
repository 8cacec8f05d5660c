import { dirname, join, relative, sep } from "node:path";
import { type CatalogDocument, type CatalogPackage, packageKey, type SourcePlace } from "./catalog.js";
import { isWalked, nameOfFolder, type SourceFile, type SourcePackage, sourceFile } from "./package-files.js";

/** A source under the name that it has in the index. */
export interface PlacedSource {
  readonly entry: CatalogPackage;
  readonly files: readonly SourceFile[];
  /** What of it was asked for: paths of files and folders in it, `""` for all of it. */
  readonly scopes: ReadonlySet<string>;
}

/**
 * Gives every source its name in the index and joins those that are one. A package is known by name and version; a
 * source without a version by its root, so that folders of one name do not replace each other: the later one is called
 * `parent-name`, or gets a number. What lies in a folder that was added as a whole goes into that folder's source.
 */
export function placeSources(
  found: readonly SourcePackage[],
  known: readonly CatalogPackage[],
): readonly PlacedSource[] {
  const joined = new Map<string, { entry: CatalogPackage; files: Map<string, SourceFile>; scopes: Set<string> }>();
  const directory = new SourceDirectory(known);
  // What contains others comes first, in whatever order they were named.
  const outermostFirst = [...found].sort((one, other) => rootLength(one) - rootLength(other));
  for (const source of outermostFirst) {
    const entry = directory.entryOf(source);
    const target = joined.get(packageKey(entry)) ?? { entry, files: new Map(), scopes: new Set() };
    joined.set(packageKey(entry), target);
    target.entry = entry;
    const { files, scopes } = seenFrom(entry.place, source);
    for (const file of files) if (!target.files.has(file.path)) target.files.set(file.path, file);
    for (const scope of scopes) target.scopes.add(scope);
  }
  return [...joined.values()].map((source) => ({ ...source, files: [...source.files.values()] }));
}

const rootLength = ({ place }: SourcePackage): number => place?.root.length ?? 0;

/** The paths of a source that became part of the one around it. */
function seenFrom(place: SourcePlace | undefined, source: SourcePackage): Pick<SourcePackage, "files" | "scopes"> {
  if (place === undefined || source.place === undefined || place.root === source.place.root) return source;
  const way = relative(place.root, source.place.root).split(sep).join("/");
  return {
    files: source.files.map(({ file }) => sourceFile(place.root, file)),
    scopes: source.scopes.map((scope) => (scope === "" ? way : `${way}/${scope}`)),
  };
}

/** Who is in the index, by root and by name. */
class SourceDirectory {
  readonly #byRoot = new Map<string, CatalogPackage>();
  readonly #taken: Set<string>;

  constructor(known: readonly CatalogPackage[]) {
    this.#taken = new Set(known.map(packageKey));
    for (const entry of known) if (entry.place !== undefined) this.#byRoot.set(entry.place.root, entry);
  }

  entryOf({ name, version, place }: SourcePackage): CatalogPackage {
    if (place === undefined) return { name, version };
    const own = this.#byRoot.get(place.root);
    const around = own === undefined && place.extent !== "project" ? this.#folderAround(place.root) : undefined;
    if (around !== undefined) return around;
    const extent = place.extent === "files" ? (own?.place?.extent ?? "files") : place.extent;
    const entry = {
      name: own?.name ?? this.#freeName(name, version, place.root),
      version,
      place: { root: place.root, extent },
    };
    this.#byRoot.set(place.root, entry);
    this.#taken.add(packageKey(entry));
    return entry;
  }

  /** The nearest folder indexed as a whole whose own walk comes by. */
  #folderAround(root: string): CatalogPackage | undefined {
    for (let folder = dirname(root); ; folder = dirname(folder)) {
      const entry = this.#byRoot.get(folder);
      if (entry?.place?.extent === "folder" && isWalked(relative(folder, root).split(sep))) return entry;
      if (dirname(folder) === folder) return undefined;
    }
  }

  #freeName(name: string, version: string, root: string): string {
    const isFree = (candidate: string): boolean => !this.#taken.has(packageKey({ name: candidate, version }));
    if (isFree(name)) return name;
    const own = name.split("/").at(-1) ?? name;
    const folder = nameOfFolder(root);
    // A scope stays in front: `@castle/docs` becomes `@castle/two-docs`.
    const scope = name.slice(0, name.length - own.length);
    const longer = `${scope}${folder === own ? nameOfFolder(dirname(root)) : folder}-${own}`;
    let candidate = longer;
    for (let number = 2; !isFree(candidate); number += 1) candidate = `${longer}-${number}`;
    return candidate;
  }
}

/** Tells which documents of before give way: those that were asked for, and the same files under another name. */
export function replacedBy(
  sources: readonly PlacedSource[],
): (document: CatalogDocument, owner: CatalogPackage) => boolean {
  const scopes = new Map(sources.map((source) => [packageKey(source.entry), source.scopes]));
  const folders = sources.filter(({ entry }) => isFolder(entry.place));
  const files = new Set(folders.flatMap((source) => source.files.map(({ file }) => file)));
  return ({ path }, { name, version, place }) =>
    isInScope(path, scopes.get(packageKey({ name, version }))) ||
    (isFolder(place) && files.has(join(place.root, path)));
}

/** A project keeps its documents even where they are indexed with the folder around it. */
function isFolder(place: SourcePlace | undefined): place is SourcePlace {
  return place !== undefined && place.extent !== "project";
}

function isInScope(path: string, scopes: ReadonlySet<string> | undefined): boolean {
  if (scopes === undefined) return false;
  if (scopes.has("") || scopes.has(path)) return true;
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    if (scopes.has(path.slice(0, end))) return true;
  }
  return false;
}
