import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownFileSize, type PackageManifest } from "./package-manifest.js";
import { readTextFile } from "./read-text-file.js";

const MAX_TYPE_FILES = 40;
const MAX_TYPE_BYTES: number = 300 * 1024;
const MAX_EXPORTS_VISITED = 2_000;

const DECLARATION = /\.d\.[cm]?ts$/u;
/** Builds of the same entry for other hosts: their declarations repeat the first. */
const OTHER_HOSTS: ReadonlySet<string> = new Set(["require", "browser", "worker", "react-native", "deno", "bun"]);
/** `from "./x.js"`, `import("./x.js")`, `<reference path="x.d.ts">`: the relative ones. */
const REFERENCE = /(?:\b(?:from|import)[\s(]{0,4}|<reference[ \t]+path[ \t]{0,2}=[ \t]{0,2})["']([^"'\n]{1,300})["']/gu;

/**
 * Declaration files a user of the package can see: those its `package.json` names, then what these refer to inside the
 * package, breadth first, until `MAX_TYPE_FILES` or `MAX_TYPE_BYTES`.
 */
export function reachableDeclarations(folder: string, manifest: PackageManifest): readonly string[] {
  const root = realpathSync(folder);
  const queue = entryFiles(manifest).map((entry) => resolve(folder, entry));
  const seen = new Set<string>();
  const files: string[] = [];
  let bytes = 0;
  for (let index = 0; index < queue.length && files.length < MAX_TYPE_FILES; index += 1) {
    const found = firstOwnFile(root, candidates(queue[index] ?? ""));
    if (found === undefined || seen.has(moduleName(found.file))) continue;
    seen.add(moduleName(found.file));
    if (bytes + found.size > MAX_TYPE_BYTES) continue;
    bytes += found.size;
    files.push(found.file);
    for (const reference of references(readTextFile(found.file, MAX_TYPE_BYTES))) {
      queue.push(resolve(dirname(found.file), reference));
    }
  }
  return files;
}

function entryFiles(manifest: PackageManifest): readonly string[] {
  const found = new Set(manifest.types === undefined ? [] : [manifest.types]);
  const open: unknown[] = [manifest.exports];
  for (let visited = 0; open.length > 0 && visited < MAX_EXPORTS_VISITED; visited += 1) {
    const value = open.pop();
    if (typeof value === "string") {
      if (!value.includes("*") && /\.[cm]?[jt]s$/u.test(value)) found.add(value);
    } else if (typeof value === "object" && value !== null) {
      const targets = Object.entries(value).filter(([condition]) => !OTHER_HOSTS.has(condition));
      open.push(...targets.map(([, target]) => target).reverse());
    }
  }
  if (found.size === 0) found.add(manifest.main ?? "index.js");
  return [...found];
}

/** A declaration stands beside the script it describes, or is named itself. */
function candidates(file: string): readonly string[] {
  if (DECLARATION.test(file)) return [file];
  const script = /^(.*)\.([cm]?)[jt]sx?$/u.exec(file);
  if (script?.[1] !== undefined) return [`${script[1]}.d.${script[2]}ts`, `${script[1]}.d.ts`];
  return [`${file}.d.ts`, join(file, "index.d.ts")];
}

function firstOwnFile(
  root: string,
  files: readonly string[],
): { readonly file: string; readonly size: number } | undefined {
  for (const file of files) {
    const size = ownFileSize(root, file);
    if (size !== undefined) return { file, size };
  }
  return undefined;
}

/** `index.d.mts` and `index.d.cts` describe one module. */
function moduleName(file: string): string {
  return file.replace(DECLARATION, "");
}

function references(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, target] of text.matchAll(REFERENCE)) {
    if (target !== undefined && (/^\.\.?(?:\/|$)/u.test(target) || DECLARATION.test(target))) found.add(target);
  }
  return [...found];
}
