import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { lstat, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import type { CommandResult, RunCommand } from "./provider.js";
import { abortFailure, providerFailure } from "./provider-failure.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunCommandOptions {
  /** Where the command is looked up and what it may see of; default `process.env`. */
  readonly env?: Environment;
  /** For stdout, stderr and the file each; default 1 MB. */
  readonly maxBytes?: number;
  /** A bound for callers without a deadline of their own; default 60 s. */
  readonly timeoutMs?: number;
}

/** What a search command needs of the environment. Keys of other providers stay here. */
const PASSED: ReadonlySet<string> = new Set(
  (
    "PATH HOME USER LANG LANGUAGE LC_ALL LC_CTYPE TMPDIR TEMP TMP VIRTUAL_ENV SSL_CERT_FILE SSL_CERT_DIR " +
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SYSTEMROOT PATHEXT APPDATA LOCALAPPDATA USERPROFILE"
  ).split(" "),
);
/** A grandchild that left the group may hold the pipes open for ever. */
const DRAIN_MS = 500;

/**
 * Runs an executable: no shell, nothing on stdin, a fresh directory that is removed afterwards, a process group that
 * ends with the call. Throws `ProviderError` (`provider_command_missing`, `provider_timeout`,
 * `provider_bad_response` for too much output) and `FetchError` `aborted`.
 */
export function createRunCommand(options: RunCommandOptions = {}): RunCommand {
  const { maxBytes = 1_000_000, timeoutMs = 60_000 } = options;
  return async (command, args, { signal, readFile: fileName } = {}) => {
    if (fileName !== undefined && basename(fileName) !== fileName) throw new TypeError("readFile is a bare file name");
    const provider = basename(command);
    const directory = await mkdtemp(join(tmpdir(), "postern-command-"));
    try {
      const child = spawn(command, args(directory), {
        cwd: directory,
        env: passedEnvironment(options.env ?? process.env),
        stdio: ["ignore", "pipe", "pipe"],
        shell: false,
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      const ended = await outcomeOf(child, provider, { maxBytes, timeoutMs, signal });
      const file =
        fileName === undefined ? undefined : await readBounded(join(directory, fileName), maxBytes, provider);
      return { ...ended, file };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

/** `createRunCommand()` with its defaults. */
export const runCommand: RunCommand = createRunCommand();

/** The executable that `command` names on PATH, or itself when it is an absolute path; `undefined` when there is none. */
export function findCommand(command: string, env: Environment): string | undefined {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const candidates = isAbsolute(command)
    ? [command]
    : (env.PATH ?? "")
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, command + suffix));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function passedEnvironment(env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.has(name.toUpperCase())));
}

interface Limits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

function outcomeOf(child: ChildProcess, provider: string, limits: Limits): Promise<Omit<CommandResult, "file">> {
  const { signal } = limits;
  return new Promise((resolve, reject) => {
    const output = { stdout: "", stderr: "" };
    let failure: Error | undefined;
    const end = (error?: Error): void => {
      failure ??= error;
      killGroup(child);
    };
    const onAbort = (): void => end(signal === undefined ? undefined : abortFailure(provider, signal));
    // A group of its own does not get the terminal's Ctrl-C: it must not outlive us.
    const onExit = (): void => killGroup(child);
    const timer = setTimeout(() => end(providerFailure(provider, "provider_timeout")), limits.timeoutMs);

    for (const name of ["stdout", "stderr"] as const) {
      let bytes = 0;
      child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
        bytes += Buffer.byteLength(chunk);
        if (bytes <= limits.maxBytes) output[name] += chunk;
        else end(providerFailure(provider, "provider_bad_response"));
      });
    }
    child.on("error", (error) => {
      failure ??= startFailure(provider, error);
      // Without a process there is no `close`.
      if (child.pid === undefined) settle(null);
    });
    child.on("exit", () => {
      killGroup(child);
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS).unref();
    });
    child.on("close", settle);
    signal?.addEventListener("abort", onAbort, { once: true });
    process.once("exit", onExit);
    if (signal?.aborted === true) onAbort();

    function settle(exitCode: number | null): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      process.removeListener("exit", onExit);
      if (failure === undefined) resolve({ exitCode: exitCode ?? -1, ...output });
      else reject(failure);
    }
  });
}

function startFailure(provider: string, error: Error): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "EACCES") {
    return providerFailure(provider, "provider_command_missing", {
      cause: error,
      hint: `Install \`${provider}\` so that it is on PATH and executable, or choose another provider.`,
    });
  }
  return providerFailure(provider, "provider_unavailable", { cause: error, retryable: false });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Every member is gone already.
  }
}

/** `undefined` when the command wrote no such regular file; a link would lead out of the directory. */
async function readBounded(path: string, maxBytes: number, provider: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return undefined;
  if (stats.size > maxBytes) throw providerFailure(provider, "provider_bad_response");
  return readFile(path, "utf8");
}
