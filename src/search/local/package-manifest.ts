import { lstatSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { readTextFile } from "./read-text-file.js";

/** What the index reads of a `package.json`. */
export interface PackageManifest {
  readonly name: string;
  /** `UNVERSIONED` when the file names none. */
  readonly version: string;
  readonly types: string | undefined;
  readonly main: string | undefined;
  readonly exports: unknown;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Stands for the version of what has none. */
export const UNVERSIONED = "local";
const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/u;
const VERSION = /^\w[\w.+~-]*$/u;

/** `undefined` when there is none, or none that names a package. */
export function readPackageManifest(folder: string): PackageManifest | undefined {
  try {
    const file = join(folder, "package.json");
    const parsed: unknown = JSON.parse(readTextFile(file, MAX_MANIFEST_BYTES));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const field = (key: string): unknown => (parsed as Readonly<Record<string, unknown>>)[key];
    const text = (key: string): string | undefined => (typeof field(key) === "string" ? String(field(key)) : undefined);
    const name = text("name");
    const version = text("version");
    if (name === undefined || !NAME.test(name) || name.length > 214) return undefined;
    return {
      name,
      version: version !== undefined && VERSION.test(version) && version.length <= 256 ? version : UNVERSIONED,
      types: text("types") ?? text("typings"),
      main: text("main"),
      exports: field("exports"),
    };
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder itself or lies below it; both as `realpath` gives them. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^(?:[a-z]:)?[\\/]/iu.test(way));
}

/** Size of a regular file that really lies in a folder (a real path), whatever links its path goes through. */
export function ownFileSize(folder: string, file: string): number | undefined {
  try {
    const found = lstatSync(file);
    return found.isFile() && isInside(folder, realpathSync(file)) ? found.size : undefined;
  } catch {
    return undefined;
  }
}
