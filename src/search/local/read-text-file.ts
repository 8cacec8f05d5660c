import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { errorCode } from "./index-errors.js";

/** A file that holds no text to index; `message` is a short reason in our own words. */
export class UnreadableFile extends Error {}

/** Opening a pipe for reading would wait for a writer. Windows has no such flag and no such pipes. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a UTF-8 file at once: many small files are read several times faster than through the thread pool.
 * Throws `UnreadableFile`, or the system's error.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new UnreadableFile("not a file");
    if (found.size > maxBytes) throw new UnreadableFile(`larger than ${maxBytes / 1024 / 1024} MiB`);
    const content = readFileSync(file);
    if (content.includes(0)) throw new UnreadableFile("not a text file");
    return content.toString("utf8").replace(/^\uFEFF/u, "");
  } finally {
    closeSync(file);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "not readable: permission denied",
  EPERM: "not readable: permission denied",
  ENOENT: "it disappeared while it was read",
  ENOTDIR: "not a folder",
  ELOOP: "symbolic links in a circle",
  EISDIR: "not a file",
  EMFILE: "too many open files",
};

/** Why a file was not read, in our own words. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableFile) return cause.message;
  const code = errorCode(cause) ?? "unknown";
  return REASONS[code] ?? `not readable (${code})`;
}
