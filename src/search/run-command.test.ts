import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRunCommand, findCommand, type RunCommandOptions, runCommand } from "./run-command.js";

const shell =
  (script: string) =>
  (directory: string): readonly string[] => ["-c", script, "sh", directory];

it("gives output, exit code and the file, in a directory that is removed afterwards", async () => {
  const result = await runCommand("sh", shell('pwd; echo "$1" >&2; echo data >out.txt; exit 3'), {
    readFile: "out.txt",
  });
  expect(result).toMatchObject({ exitCode: 3, file: "data\n" });
  expect(result.stdout).toBe(result.stderr);
  expect(existsSync(result.stdout.trim())).toBe(false);
});

it("gives no file when none was written, or only a link", async () => {
  expect((await runCommand("sh", shell("true"), { readFile: "out" })).file).toBeUndefined();
  expect((await runCommand("sh", shell("ln -s /etc/passwd out"), { readFile: "out" })).file).toBeUndefined();
});

it("takes a bare file name only", async () => {
  await expect(runCommand("sh", shell("true"), { readFile: "../x" })).rejects.toThrow(TypeError);
});

it("keeps stdin closed and interprets nothing", async () => {
  const { stdout } = await runCommand("sh", () => ["-c", 'cat; printf %s "$1"', "sh", "$(id) ; `id` 'q'"]);
  expect(stdout).toBe("$(id) ; `id` 'q'");
});

it("keeps the keys of the environment to itself", async () => {
  const env = {
    PATH: process.env.PATH,
    HOME: "/home/someone",
    BRAVE_API_KEY: "secret",
    https_proxy: "http://proxy.example",
  };
  const { stdout } = await createRunCommand({ env })("sh", shell("env"));
  expect(stdout).not.toContain("secret");
  expect(stdout).toContain("HOME=/home/someone");
  expect(stdout).toContain("https_proxy=http://proxy.example");
});

it.each<[string, RunCommandOptions, string, string]>([
  ["the time is up", { timeoutMs: 200 }, "wait", "provider_timeout"],
  ["there is too much output", { maxBytes: 10_000 }, "while :; do echo no end; done", "provider_bad_response"],
  ["the signal ends", {}, "wait", "provider_timeout"],
])("ends the whole group when %s", async (why, options, script, code) => {
  const folder = await mkdtemp(join(tmpdir(), "postern-test-"));
  const trace = join(folder, "still-alive");
  const signal = why === "the signal ends" ? { signal: AbortSignal.timeout(200) } : {};
  const run = createRunCommand(options)("sh", shell(`(sleep 0.7; echo >'${trace}') & ${script}`), signal);
  await expect(run).rejects.toMatchObject({ code });
  await sleep(900);
  expect(existsSync(trace)).toBe(false);
  await rm(folder, { recursive: true });
});

it("does not start for a signal that has ended", async () => {
  const controller = new AbortController();
  controller.abort();
  const late = runCommand("sh", shell("sleep 5"), { signal: controller.signal });
  await expect(late).rejects.toMatchObject({ code: "aborted" });
});

it("does not wait for what the command left behind", async () => {
  const started = performance.now();
  expect(await runCommand("sh", shell("sleep 60 & echo done"))).toMatchObject({ exitCode: 0, stdout: "done\n" });
  expect(performance.now() - started).toBeLessThan(5_000);
});

it("refuses a file over the limit", async () => {
  const run = createRunCommand({ maxBytes: 1_000 });
  const big = run("sh", shell("head -c 1001 /dev/zero >out"), { readFile: "out" });
  await expect(big).rejects.toMatchObject({ code: "provider_bad_response" });
});

it("calls a missing or unusable executable by one code", async () => {
  const missing = runCommand("postern-no-such-command", () => []);
  await expect(missing).rejects.toMatchObject({
    code: "provider_command_missing",
    hint: expect.stringContaining("postern-no-such-command"),
  });
  await expect(runCommand("/etc/passwd", () => [])).rejects.toMatchObject({ code: "provider_command_missing" });
});

it("finds executables on PATH only", () => {
  expect(findCommand("sh", process.env)).toMatch(/^\/.*\/sh$/);
  expect(findCommand("sh", {})).toBeUndefined();
  expect(findCommand("sh", { PATH: "relative:." })).toBeUndefined();
  expect(findCommand("/etc/passwd", process.env)).toBeUndefined();
});
