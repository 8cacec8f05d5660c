import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome, type Home, runCommand } from "./helpers/command.js";
import { article, openSite, type Site } from "./helpers/site.js";

let home: Home;
let site: Site;
const run = (...args: string[]) => runCommand(args, home);
const long = Array.from(
  { length: 200 },
  (_, i) => `Paragraph ${i} tells of a harbour, its boats and the weather of that day.`,
);

beforeAll(async () => {
  home = await createHome();
  site = await openSite({
    "/short": article("Short page", "Only one sentence."),
    "/long": article("Long page", ...long),
    "/escape": article("Escape", "red \u001b[31malert\u001b[0m"),
    "/private": (_request, response) => void response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  });
});
afterAll(async () => {
  await site.close();
  await home.remove();
});

const fetchHere = (path: string, ...args: string[]) =>
  run("fetch", `${site.origin}${path}`, "--allow-origin", site.origin, ...args);

describe("postern", () => {
  it("says its version quickly", async () => {
    const { stdout, exitCode } = await run("--version");
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(exitCode).toBe(0);
  });

  it.each([[[]], [["search"]], [["fetch"]], [["index"]], [["mcp"]]])("%j --help shows examples", async (command) => {
    const { stdout, exitCode } = await run(...command, "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(command[0] === "index" ? /Commands:/ : /Examples:\n {2}\$ /);
  });

  it.each([
    [["serch", "x"], /Did you mean search\?/],
    [["search"], /missing required argument/],
    [["search", "x", "--count", "99"], /from 1 to 20/],
    [["search", "x", "--freshness", "decade"], /day, week, month, year/],
    [["fetch", "https://example.com/", "--frobnicate"], /unknown option/],
  ])("%j is a usage error: one sentence, exit code 2", async (args, words) => {
    const { stderr, stdout, exitCode } = await run(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe("");
  });
});

describe("postern fetch", () => {
  it("prints the text to stdout and what happened to stderr", async () => {
    const { stdout, stderr, exitCode } = await fetchHere("/short");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("# Short page");
    expect(stdout).toContain("Only one sentence.");
    expect(stdout).not.toContain("Imprint");
    expect(stderr).toMatch(/^ok 200 · text\/html/);
  });

  it("--quiet prints nothing but the text", async () => {
    expect((await fetchHere("/short", "--quiet")).stderr).toBe("");
  });

  it("--json prints the result that the library gives", async () => {
    const result = JSON.parse((await fetchHere("/short", "--json")).stdout) as Record<string, unknown>;
    expect(result).toMatchObject({
      status: 200,
      outcome: "ok",
      title: "Short page",
      findings: [],
      url: `${site.origin}/short`,
    });
    expect(result.hops).toHaveLength(1);
  });

  it("cuts a long page, says so, and reads on exactly where it stopped", async () => {
    const first = await fetchHere("/long");
    expect(first.stdout.length).toBeLessThan(11_100);
    const offset = /go on with --offset (\d+)/.exec(first.stderr)?.[1] ?? "";
    const second = await fetchHere("/long", "--offset", offset);
    const whole = await fetchHere("/long", "--all");
    expect(whole.stdout.startsWith(first.stdout.trimEnd())).toBe(true);
    expect(whole.stdout).toContain(second.stdout.trim().slice(0, 2_000));
  });

  it("finds a passage", async () => {
    const { stdout } = await fetchHere("/long", "--find", "Paragraph 150 tells");
    expect(stdout).toContain("Paragraph 150 tells");
    expect(stdout).not.toContain("Paragraph 20 tells");
  });

  it("lets no escape sequence of a page reach the terminal", async () => {
    const { stdout } = await fetchHere("/escape");
    expect(stdout).toContain("alert");
    expect(stdout).not.toContain("\u001b");
  });

  it("a page that is not there is shown with its status, exit code 1", async () => {
    const { stdout, exitCode, stderr } = await fetchHere("/nowhere");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Try the start page.");
    expect(stderr).toContain("error 404");
  });

  it.each([
    ["http://127.0.0.1/", "ipv4_special"],
    ["http://127.0.0.1:22/", "port"],
    ["http://localhost/", "host_name"],
    ["http://169.254.169.254/", "metadata"],
    ["file:///etc/passwd", "scheme"],
    ["http://0x7f.1/", "ipv4_special"],
    ["http://user:pass@example.com/", "userinfo"],
  ])("refuses %s with exit code 3, the rule's name and what to do", async (url, rule) => {
    const { stderr, exitCode } = await run("fetch", url);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(new RegExp(`^error .*\\. \\[jail_refused: ${rule}\\]\\n.+\\.\\n$`));
  });

  it("refuses a redirect into a private network", async () => {
    const { stdout, exitCode } = await fetchHere("/private", "--json");
    expect(exitCode).toBe(3);
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string; details: { rule: string } } };
    expect(error.code).toBe("jail_refused");
    expect(JSON.stringify(error)).not.toContain("10.0.0.1");
  });

  it("an exemption that names a link-local origin is a configuration error", async () => {
    const { exitCode, stderr } = await run("fetch", "http://169.254.1.1/", "--allow-origin", "http://169.254.1.1");
    expect(exitCode).toBe(2);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("postern index and search", () => {
  beforeAll(async () => {
    const docs = join(home.directory, "loom");
    await mkdir(join(docs, "docs"), { recursive: true });
    await writeFile(join(docs, "package.json"), '{"name":"loom","version":"3.0.0"}');
    await writeFile(
      join(docs, "README.md"),
      "# loom\n\nWeaves cloth.\n\n## Warping\n\nUse `setWarp(threads)` first.\n",
    );
    await writeFile(
      join(docs, "docs", "shuttle.md"),
      "# Shuttle\n\n## Throwing\n\nCall `throwShuttle()` once a pick.\n",
    );
  });

  it("without an index and without the web says how to build one", async () => {
    const { exitCode, stderr } = await run("search", "--no-web", "warp");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("postern index add");
  });

  it("answers from what was indexed, section by section", async () => {
    const added = await run("index", "add", "loom");
    expect(added.stdout).toMatch(/Indexed 2 documents/);
    const found = await run("search", "--no-web", "--json", "throw the shuttle");
    const result = JSON.parse(found.stdout) as { provider: string; results: { url: string }[] };
    expect(result.provider).toBe("local");
    expect(result.results[0]?.url).toMatch(/^docs:loom@3\.0\.0\/docs\/shuttle\.md#throwing$/);
    const read = await run("fetch", result.results[0]?.url ?? "");
    expect(read.stdout).toContain("throwShuttle()");
  });

  it("an empty query is a usage error", async () => {
    expect((await run("search", "--no-web", "  ")).exitCode).toBe(2);
  });

  it("a path that does not exist is one sentence", async () => {
    const { exitCode, stderr } = await run("index", "add", "no-such-folder");
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/no-such-folder/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("a docs: URL that tries a path reads nothing", async () => {
    const { exitCode, stdout } = await run("fetch", "docs:../../../../etc/passwd");
    expect(exitCode).not.toBe(0);
    expect(stdout).not.toContain("root:");
  });

  it("status and clear", async () => {
    expect((await run("index", "status")).stdout).toContain("loom@3.0.0");
    expect((await run("index", "clear")).exitCode).toBe(0);
    expect((await run("index", "status")).exitCode).toBe(2);
  });
});

describe("postern config and doctor", () => {
  it("show where a value comes from and never a key", async () => {
    const env = { BRAVE_API_KEY: "brave-secret-value", POSTERN_MAX_CHARS: "5000" };
    const { stdout } = await runCommand(["config"], home, { env });
    expect(stdout).toContain('keys.brave = "(set)"  env: BRAVE_API_KEY');
    expect(stdout).toContain("fetch.maxChars = 5000  env: POSTERN_MAX_CHARS");
    const doctor = await runCommand(["doctor"], home, { env });
    expect(`${stdout}${doctor.stdout}${doctor.stderr}`).not.toContain("brave-secret-value");
    expect(doctor.stdout).toMatch(/brave.*BRAVE_API_KEY/);
  });

  it("a broken configuration file is one sentence with the place", async () => {
    await mkdir(join(home.directory, ".config", "postern"), { recursive: true });
    const file = join(home.directory, ".config", "postern", "config.json");
    await writeFile(file, '{ "fetch": }');
    const { exitCode, stderr } = await run("fetch", "https://example.com/");
    await writeFile(file, "{}");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/config\.json is not valid JSON at line 1, column 1\d\./);
  });
});

describe("postern demo", () => {
  it("shows every step going as it should, without the internet", async () => {
    const { stdout, exitCode, stderr } = await run("demo");
    expect(stderr).not.toContain("did not go as they should");
    expect(stdout.match(/^✓/gm)).toHaveLength(8);
    expect(exitCode).toBe(0);
  });
});
