import { ConfigError, isPosternError } from "../../errors.js";

export const missingIndex = (): ConfigError => new ConfigError("index_missing", "There is no local index yet.");

export const corruptIndex = (what: string, cause?: unknown): ConfigError =>
  new ConfigError("index_corrupt", `The local index cannot be used: ${what}.`, { cause });

/** Why the disk refused, in our own words. */
const DISK_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than the system allows",
  EROFS: "the disk is read-only",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a file stands where the folder should be",
  EIO: "the disk reports an error",
};

/** What a failed act on the index becomes; our own errors and faults of the program pass unchanged. */
export function storageError(act: "read" | "written" | "cleared", cause: unknown): unknown {
  const code = errorCode(cause);
  if (isPosternError(cause) || code === undefined) return cause;
  const reason = DISK_REASONS[code] ?? `the system reports ${code}`;
  const kept = act === "written" ? " What was indexed before is kept." : "";
  return new ConfigError("storage_failed", `The local index could not be ${act}: ${reason}.${kept}`, { cause });
}

/** `ENOENT` and the like, of a system error. */
export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}
