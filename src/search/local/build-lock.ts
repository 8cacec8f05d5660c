import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../../errors.js";
import { errorCode } from "./index-errors.js";

const LOCK = "build.lock";
const ATTEMPTS = 5;
/** Longer than it takes to fill a lock that was just made. */
const RETRY_MS = 40;

/**
 * Keeps a second builder out while `act` runs. A lock whose process is gone is taken over.
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

/** Tells this process from an earlier one with the same number, as in a container, where it is always 1. */
function ownMark(): string {
  return `${process.pid} ${Math.round(performance.timeOrigin)}`;
}

async function acquire(path: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await create(path, ownMark())) return;
    const owner = await readFile(path, "utf8").catch(() => undefined);
    if (owner === undefined) continue;
    if (isAlive(owner)) break;
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

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return owner === ownMark();
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errorCode(cause) === "EPERM";
  }
}
