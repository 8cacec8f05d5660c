import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built command, as a user runs it. `npm test` builds it first. */
export const COMMAND: string = fileURLToPath(new URL("../../dist/bin/postern.js", import.meta.url));

export interface Home {
  readonly directory: string;
  /** An environment that knows nothing of the machine's own settings. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A home of its own for a test: configuration, index and working directory. */
export async function createHome(): Promise<Home> {
  const directory = await mkdtemp(join(tmpdir(), "postern-home-"));
  return {
    directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory, NO_COLOR: "1" },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

export interface CommandRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Runs the command to its end; stdin is closed. */
export function runCommand(
  args: readonly string[],
  home: Home,
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly killAfterMs?: number;
  } = {},
): Promise<CommandRun> {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: options.cwd ?? home.directory,
    env: { ...home.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), options.killAfterMs ?? 30_000);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr, durationMs: performance.now() - started });
    });
  });
}
