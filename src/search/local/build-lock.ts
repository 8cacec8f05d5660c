import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../../errors.js";
import { errorCode } from "./index-errors.js";

const LOCK = "build.lock";
const ATTEMPTS = 5;
/** Longer than it takes to fill a lock that was just made. */
const RETRY_MS = 40;
/** A lock older than this is stale, unless its very process is seen to run. */
const MAX_AGE_MS: number = 60 * 60 * 1_000;

/**
 * Keeps a second builder out while `act` runs. A lock whose process is gone is taken over, and after an hour one of
 * which nobody can tell.
 * Throws `ConfigError` `storage_failed` when another process builds.
 */
export async function withBuildLock<T>(directory: string, act: () => Promise<T>): Promise<T> {
  const path = join(directory, LOCK);
  await acquire(path);
  try {
    return await act();
  } finally {
    await rm(path, { force: true });
  }
}

/** A process by its number and when it began: numbers are used again, and in a container it is always 1. */
async function ownMark(): Promise<string> {
  return `${process.pid} ${(await startOf(process.pid)) ?? Math.round(performance.timeOrigin)}`;
}

async function acquire(path: string): Promise<void> {
  const mark = await ownMark();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await create(path, mark)) return;
    const owner = await readFile(path, "utf8").catch(() => undefined);
    if (owner === undefined) continue;
    if (await isHeld(path, owner, mark)) break;
    if (owner === "" && attempt < ATTEMPTS - 2) await delay(RETRY_MS);
    else await takeAway(path, owner);
  }
  throw new ConfigError("storage_failed", "Another process is building the local index.", {
    hint: `Wait until it is done and try again; if none is running, remove ${path}.`,
  });
}

async function create(path: string, mark: string): Promise<boolean> {
  try {
    await writeFile(path, mark, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Two processes can find the same stale lock: the one that moved the other's fresh lock puts it back. */
async function takeAway(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return;
    throw cause;
  }
  const moved = await readFile(aside, "utf8");
  if (moved !== stale) await create(path, moved);
  await rm(aside, { force: true });
}

async function isHeld(path: string, owner: string, mark: string): Promise<boolean> {
  const [number = "", start] = owner.trim().split(" ");
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return owner === mark;
  const actualStart = await startOf(pid);
  if (start !== undefined && actualStart !== undefined) return start === actualStart;
  if (!isRunning(pid)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < MAX_AGE_MS;
}

/** Fields of `/proc/<pid>/stat` after the command's name, proc_pid_stat(5). */
const STATE = 0;
const START_TIME = 19;

/** When a process began, as Linux counts it; `over` for one that only waits to be buried, `undefined` when unknown. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The command's name may hold anything, also a parenthesis.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[STATE] === "Z" ? "over" : fields[START_TIME];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errorCode(cause) === "EPERM";
  }
}
