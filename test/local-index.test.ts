import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../src/errors.js";
import {
  addToIndex,
  clearIndex,
  createLocalProvider,
  formatDocsUrl,
  type IndexProgress,
  indexExists,
  type LocalHit,
  openIndex,
  parseDocsUrl,
  removeFromIndex,
} from "../src/search/local/index.js";
import type { Provider } from "../src/search/provider.js";
import { searchPlan } from "../src/search/search-plan.js";

let root: string;
let directory: string;
let nodeModules: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "postern-local-")));
  directory = join(root, "index");
  nodeModules = join(root, "project", "node_modules");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function writePackage(
  name: string,
  version: string,
  files: Readonly<Record<string, string>>,
  folder = nodeModules,
): string {
  const home = join(folder, name);
  const types = Object.keys(files).find((file) => file.endsWith(".d.ts"));
  write(join(home, "package.json"), JSON.stringify({ name, version, ...(types === undefined ? {} : { types }) }));
  for (const [path, text] of Object.entries(files)) write(join(home, path), text);
  return home;
}

function writeGatePackages(): void {
  writePackage("iron-gate", "2.1.0", {
    "README.md":
      "# iron-gate\n\nOpens gates.\n\n## Opening\n\nCall `openGate()` to raise the portcullis.\n\n## License\n\nMIT",
    "docs/api/Winch.md":
      "# Class: Winch\n\nTurns chains.\n\n## `new Winch([options])`\n\n* **torque** `number` - newton metres.\n",
    "CHANGELOG.md": "# Changelog\n\n## 2.1.0\n\nThe winch learned `torque`.\n\n## 2.0.0\n\nDropped wooden gates.\n",
    "index.d.ts": "/** Raises the portcullis. */\nexport declare function openGate(width: number): void;\n",
  });
  writePackage("@castle/moat", "0.3.0", {
    "readme.md": "# @castle/moat\n\nFills the moat.\n\n## Opening\n\nOpen the sluice with `sluice.open()`.\n",
  });
}

async function search(query: string, count = 5, sources: readonly string[] = []): Promise<readonly LocalHit[]> {
  const index = await openIndex({ directory });
  try {
    return index.search(query, { count, sources });
  } finally {
    index.close();
  }
}

const firstUrl = async (query: string): Promise<string | undefined> => (await search(query))[0]?.url;
const urls = async (query: string, count?: number): Promise<readonly string[]> =>
  (await search(query, count)).map(({ url }) => url);

describe("an index of installed packages", () => {
  it("finds pages, sections, changes and types of the installed versions", async () => {
    writeGatePackages();
    const report = await addToIndex({ directory, paths: [nodeModules] });
    expect(report).toMatchObject({ packages: 2, documents: 5, skipped: [] });
    expect(await firstUrl("raise the portcullis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
    expect(await firstUrl("winch torque option")).toBe("docs:iron-gate@2.1.0/docs/api/Winch.md#new-winchoptions");
    expect(await firstUrl("what changed in iron-gate 2.0.0")).toBe("docs:iron-gate@2.1.0/CHANGELOG.md#200");
    expect(await urls("openGate")).toContain("docs:iron-gate@2.1.0/index.d.ts#openGate");
    expect(await firstUrl("opening in @castle/moat")).toBe("docs:@castle/moat@0.3.0/readme.md#opening");
    const [hit] = await search("winch torque");
    expect(hit).toMatchObject({ title: "new Winch([options]) · Class: Winch (iron-gate 2.1.0)" });
    expect(hit?.snippet).toBe("torque number - newton metres.");
  });

  it("reads from the index alone, the section a fragment names", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    rmSync(join(root, "project"), { recursive: true });
    const index = await openIndex({ directory });
    const document = await index.read("docs:iron-gate@2.1.0/README.md#opening");
    expect(document).toMatchObject({ mediaType: "text/markdown", title: "Opening · iron-gate (iron-gate 2.1.0)" });
    expect(document?.text.slice(document.section?.start, document.section?.end)).toBe(
      "## Opening\n\nCall `openGate()` to raise the portcullis.\n\n",
    );
    expect(await index.read("docs:iron-gate@2.1.0/README.md#no-such-section")).not.toHaveProperty("section");
    expect(await index.read("docs:iron-gate@9.9.9/README.md")).toBeUndefined();
    index.close();
    expect(await index.read("docs:iron-gate@2.1.0/README.md")).toBeUndefined();
  });

  it.each([
    "docs:../../etc/passwd",
    "docs:iron-gate@2.1.0/../../../secret.md",
    "docs:iron-gate@2.1.0/%2e%2e/%2e%2e/secret.md",
    "docs:iron-gate@2.1.0/README.md%00",
    "docs:iron-gate@2.1.0/package.json",
    "file:///etc/passwd",
  ])("answers %s with nothing", async (url) => {
    writeGatePackages();
    write(join(root, "secret.md"), "secret");
    await addToIndex({ directory, paths: [nodeModules] });
    const index = await openIndex({ directory });
    expect(await index.read(url)).toBeUndefined();
    index.close();
  });

  it("counts offsets in characters, whatever the text is written in", async () => {
    const text = "# Tür 🚪\n\nÖffnen – schließen\n\n## Größe\n\nzwölf Fuß\n\n## Ende\n";
    write(join(root, "docs", "tür.md"), text);
    await addToIndex({ directory, paths: [join(root, "docs")] });
    const index = await openIndex({ directory });
    const [hit] = index.search("Größe", { count: 1 });
    expect(hit?.url).toBe(formatDocsUrl({ name: "docs", version: "local", path: "tür.md", fragment: "größe" }));
    const document = await index.read(hit?.url ?? "");
    expect(document?.text).toBe(text);
    expect(text.slice(document?.section?.start, document?.section?.end)).toBe("## Größe\n\nzwölf Fuß\n\n");
    index.close();
  });

  it("replaces a package of the same version, keeps the others, prefers the newest of several", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    const home = writePackage("iron-gate", "2.1.0", {
      "README.md": "# iron-gate\n\n## Hoisting\n\nLift the portcullis.\n",
    });
    rmSync(join(home, "CHANGELOG.md"));
    await addToIndex({ directory, paths: [home] });
    expect(await firstUrl("portcullis")).toBe("docs:iron-gate@2.1.0/README.md#hoisting");
    expect(await urls("sluice")).toContain("docs:@castle/moat@0.3.0/readme.md#opening");
    writePackage("iron-gate", "2.10.0", { "README.md": "# iron-gate\n\n## Hoisting\n\nLift the portcullis.\n" });
    await addToIndex({ directory, paths: [home] });
    expect(await urls("portcullis")).toContain("docs:iron-gate@2.10.0/README.md#hoisting");
    expect(await urls("portcullis")).not.toContain("docs:iron-gate@2.1.0/README.md#hoisting");
    const older = await urls("portcullis iron-gate 2.1.0");
    expect(older).toContain("docs:iron-gate@2.1.0/README.md#hoisting");
    expect(older).not.toContain("docs:iron-gate@2.10.0/README.md#hoisting");
  });

  it("restricts to sources and ranks what the query names first", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    expect(await firstUrl("iron-gate opening")).toMatch(/^docs:iron-gate@/u);
    expect(await firstUrl("moat opening")).toMatch(/^docs:@castle\/moat@/u);
    const restricted = await search("opening", 5, ["@castle/moat"]);
    expect(restricted.map(({ url }) => url)).toEqual(["docs:@castle/moat@0.3.0/readme.md#opening"]);
  });

  it("guesses a word that no document holds", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    expect(await firstUrl("portculis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
    expect(await firstUrl("portcull")).toBe("docs:iron-gate@2.1.0/README.md#opening");
  });

  it.each(["", " ", "\u0000", "the of and", "?!", "x".repeat(10_000), "🚪".repeat(500), "zzzzqqqq"])(
    "answers %j with nothing and no error",
    async (query) => {
      writeGatePackages();
      await addToIndex({ directory, paths: [nodeModules] });
      expect(await search(query)).toEqual([]);
    },
  );

  it("removes packages and clears everything", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    expect(await removeFromIndex({ directory, packages: ["iron-gate"] })).toEqual({ removed: 1 });
    const index = await openIndex({ directory });
    expect(index.stats()).toMatchObject({
      documents: 1,
      sources: [{ name: "@castle/moat", version: "0.3.0", documents: 1 }],
    });
    index.close();
    write(join(directory, "keep.txt"), "not ours");
    await clearIndex({ directory });
    expect(await indexExists(directory)).toBe(false);
    expect(readdirSync(directory)).toEqual(["keep.txt"]);
    await expect(openIndex({ directory })).rejects.toMatchObject({ code: "index_missing" });
    await expect(removeFromIndex({ directory, packages: ["x"] })).rejects.toMatchObject({ code: "index_missing" });
  });
});

describe("what was indexed before", () => {
  /** Everything the index holds, by URL. */
  const held = async (): Promise<readonly string[]> =>
    (await urls("bolts", 50)).map((url) => url.split("#")[0] ?? "").sort();
  const add = (...paths: readonly string[]) => addToIndex({ directory, paths: paths.map((path) => join(root, path)) });
  const sources = async (): Promise<readonly string[]> => {
    const index = await openIndex({ directory });
    index.close();
    return index.stats().sources.map(({ name, version, documents }) => `${name}@${version} ${documents}`);
  };

  beforeEach(() => {
    for (const path of ["pa/docs/a.md", "pb/docs/b.md", "pb/docs/c.md", "pb/docs/deep/README.md"])
      write(join(root, path), `# Bolts of ${path.split("/").at(-1)}\n`);
  });

  it("stays when a folder of the same name is added, which gets a name that it keeps", async () => {
    await add("pa/docs");
    await add("pb/docs");
    write(join(root, "x", "pb", "docs", "d.md"), "# Bolts\n");
    await add("x/pb/docs");
    const expected = [
      "docs:docs@local/a.md",
      "docs:pb-docs-2@local/d.md",
      "docs:pb-docs@local/b.md",
      "docs:pb-docs@local/c.md",
      "docs:pb-docs@local/deep/README.md",
    ];
    expect(await held()).toEqual(expected);
    expect(await add("x/pb/docs", "pb/docs", "pa/docs")).toMatchObject({ packages: 3, documents: 5, replaced: 5 });
    expect(await held()).toEqual(expected);
    expect(await removeFromIndex({ directory, packages: ["docs"] })).toEqual({ removed: 1 });
    await add("pb/docs");
    expect(await held()).toEqual(expected.slice(1));
  });

  it("stays when both folders of a name come in one call", async () => {
    expect(await add("pa/docs", "pb/docs")).toMatchObject({ packages: 2, documents: 4, replaced: 0 });
    expect(await sources()).toEqual(["docs@local 1", "pb-docs@local 3"]);
  });

  it("stays when single files are added one after another", async () => {
    await add("pb/docs/b.md");
    expect(await add("pb/docs/c.md")).toMatchObject({ packages: 1, documents: 1, replaced: 0 });
    expect(await held()).toEqual(["docs:docs@local/b.md", "docs:docs@local/c.md"]);
    write(join(root, "pb/docs/b.md"), "# Hinges\n");
    expect(await add("pb/docs/b.md")).toMatchObject({ documents: 1, replaced: 1 });
    expect(await held()).toEqual(["docs:docs@local/c.md"]);
    expect(await firstUrl("hinges")).toBe("docs:docs@local/b.md#hinges");
  });

  it("stays when a file or a folder of an indexed folder is added, under the same URLs", async () => {
    await add("pb/docs");
    const before = await held();
    expect(await add("pb/docs/c.md")).toMatchObject({ replaced: 1 });
    expect(await add("pb/docs/deep/README.md")).toMatchObject({ replaced: 1 });
    expect(await add("pb/docs/deep")).toMatchObject({ replaced: 1 });
    expect(await held()).toEqual(before);
    expect(await sources()).toEqual(["docs@local 3"]);
  });

  it("is not kept twice when the folder around it is added", async () => {
    await add("pb/docs/deep", "pb/docs/b.md");
    expect(await sources()).toEqual(["docs@local 1", "deep@local 1"]);
    expect(await add("pb")).toMatchObject({ documents: 3, replaced: 2 });
    expect(await sources()).toEqual(["pb@local 3"]);
  });

  it("outlives what the folder around it would not read", async () => {
    write(join(root, "pb/docs/.notes/n.md"), "# Bolts\n");
    await add("pb/docs");
    await add("pb/docs/.notes/n.md");
    await add("pb/docs");
    expect(await held()).toContain("docs:.notes@local/n.md");
  });

  it("does not draw into the folder of a single file what lies below it", async () => {
    write(join(root, "notes.md"), "# Bolts\n");
    await add("notes.md");
    await add("pa/docs");
    expect(await held()).toContain("docs:docs@local/a.md");
  });

  it("goes when its folder is added again and its file is gone", async () => {
    await add("pb/docs");
    rmSync(join(root, "pb/docs/c.md"));
    expect(await add("pb/docs")).toMatchObject({ documents: 2, replaced: 3 });
    expect(await held()).toEqual(["docs:docs@local/b.md", "docs:docs@local/deep/README.md"]);
  });

  it("stays when a part of a package is added", async () => {
    const home = writePackage("gatehouse", "1.2.3", { "README.md": "# Bolts\n", "docs/keys.md": "# Bolts\n" }, root);
    await addToIndex({ directory, paths: [home] });
    const before = await held();
    for (const part of ["gatehouse/docs", "gatehouse/docs/keys.md"])
      expect(await add(part)).toMatchObject({ documents: 1, replaced: 1 });
    expect(await held()).toEqual(before);
  });

  it("stays when another project without a version has the same name", async () => {
    for (const place of ["one", "two"]) {
      write(join(root, place, "package.json"), JSON.stringify({ name: "@castle/docs" }));
      write(join(root, place, "README.md"), "# Bolts\n");
    }
    await add("one");
    await add("two");
    expect(await held()).toEqual(["docs:@castle/docs@local/README.md", "docs:@castle/two-docs@local/README.md"]);
  });

  it("is one source whatever link leads to it", async () => {
    symlinkSync(join(root, "pb", "docs"), join(root, "shortcut"));
    await add("pb/docs");
    expect(await add("shortcut")).toMatchObject({ documents: 3, replaced: 3 });
    expect(await sources()).toEqual(["docs@local 3"]);
  });
});

describe("what is read", () => {
  it("a folder of documents, named after its package or itself", async () => {
    write(join(root, "plain", "guide", "bolts.md"), "# Bolts\n");
    write(join(root, "plain", "hinges.rst"), "Hinges\n======\n\nOil them.\n");
    write(join(root, "plain", "notes.txt"), "rust prevention\n");
    write(join(root, "plain", "picture.png"), "png");
    write(join(root, "plain", "old.html"), "<h1>Latches</h1>");
    writePackage("gatehouse", "1.2.3", { "docs/keys.md": "# Keys\n" }, root);
    await addToIndex({
      directory,
      paths: [join(root, "plain"), join(root, "gatehouse", "docs"), join(root, "plain", "notes.txt")],
    });
    expect(await firstUrl("bolts")).toBe("docs:plain@local/guide/bolts.md#bolts");
    expect(await firstUrl("oil")).toBe("docs:plain@local/hinges.rst#hinges");
    expect(await firstUrl("rust")).toBe("docs:plain@local/notes.txt");
    expect(await firstUrl("keys")).toBe("docs:gatehouse@1.2.3/docs/keys.md#keys");
    expect(await urls("latches")).toEqual([]);
    const htmlToMarkdown = (html: string): string => html.replace(/<h1>(.*)<\/h1>/u, "# $1\n");
    await addToIndex({ directory, paths: [join(root, "plain")], htmlToMarkdown });
    expect(await firstUrl("latches")).toBe("docs:plain@local/old.html#latches");
  });

  it("with titles in plain text, never empty", async () => {
    const badge = (path: string): string => `[![Build][${path}]](https://ci.example/${path.repeat(90)}) `;
    write(join(root, "docs", "bars.md"), `# ${badge("main")}[](https://ci.example/x) *Iron* ~~bars~~ <b>here</b>\n`);
    write(join(root, "docs", "pins.md"), '---\ntitle: ""\n---\n\n# ![](pins.svg)\n\nThe pins.\n');
    write(
      join(root, "docs", "rods.md"),
      "---\ntitle: '[Rods](https://rods.example) &amp; **rails**'\n---\n\nThe rods.\n",
    );
    await addToIndex({ directory, paths: [join(root, "docs")] });
    const titles = await Promise.all(["bars", "pins", "rods"].map(async (word) => (await search(word))[0]?.title));
    expect(titles).toEqual(["Iron bars here (docs local)", "pins (docs local)", "Rods & rails (docs local)"]);
  });

  it("no translations, licences or nested node_modules", async () => {
    const home = writePackage("iron-gate", "1.0.0", {
      "README.md": "# Gate\n",
      "README.fr.md": "# Porte\n",
      "LICENSE.md": "# Permission\n",
      "docs/node_modules/other/README.md": "# Other\n",
    });
    writePackage("hidden", "1.0.0", { "README.md": "# Hidden\n" }, join(home, "node_modules"));
    expect(await addToIndex({ directory, paths: [nodeModules] })).toMatchObject({ packages: 1, documents: 1 });
  });

  it("declarations that a user can reach, and none outside the package", async () => {
    const home = join(nodeModules, "typed");
    write(join(root, "outside.d.ts"), "export type Foreign = 1;");
    write(
      join(home, "package.json"),
      JSON.stringify({
        name: "typed",
        version: "1.0.0",
        exports: { ".": { import: { types: "./a.d.mts", default: "./a.mjs" }, require: "./a.cjs" }, "./b": "./b.js" },
      }),
    );
    write(
      join(home, "a.d.mts"),
      'export * from "./inner.js";\nexport * from "../../../outside.js";\nexport type Alpha = 1;',
    );
    write(join(home, "a.d.cts"), "export type Alpha = 1;");
    write(join(home, "b.d.ts"), "export type Beta = 1;");
    write(join(home, "inner.d.ts"), 'export * from "./a.mjs";\nexport * from "./link.js";\nexport type Inner = 1;');
    write(join(home, "unreached.d.ts"), "export type Unreached = 1;");
    symlinkSync(join(root, "outside.d.ts"), join(home, "link.d.ts"));
    await addToIndex({ directory, paths: [nodeModules] });
    const index = await openIndex({ directory });
    expect(index.stats().documents).toBe(3);
    const names = ["Alpha", "Beta", "Inner", "Foreign", "Unreached"];
    expect(names.map((name) => index.search(name, { count: 1 })[0]?.url)).toEqual([
      "docs:typed@1.0.0/a.d.mts#Alpha",
      "docs:typed@1.0.0/b.d.ts#Beta",
      "docs:typed@1.0.0/inner.d.ts#Inner",
      undefined,
      undefined,
    ]);
    index.close();
  });

  it("pnpm's links, but no link out of the folder and none in a circle", async () => {
    const store = join(nodeModules, ".pnpm", "bolt@1.0.0", "node_modules");
    writePackage("bolt", "1.0.0", { "README.md": "# Bolt\n" }, store);
    symlinkSync(join(store, "bolt"), join(nodeModules, "bolt"));
    writePackage("nut", "1.0.0", { "README.md": "# Nut\n" }, join(nodeModules, ".pnpm", "nut@1.0.0", "node_modules"));
    mkdirSync(join(nodeModules, ".pnpm", "node_modules"));
    symlinkSync("../nut@1.0.0/node_modules/nut", join(nodeModules, ".pnpm", "node_modules", "nut"));
    const outside = writePackage("outside", "1.0.0", { "README.md": "# Outside\n" }, join(root, "elsewhere"));
    symlinkSync(outside, join(nodeModules, "outside"));
    symlinkSync(join(nodeModules, "missing"), join(nodeModules, "broken"));
    mkdirSync(join(nodeModules, "bolt", "docs"));
    symlinkSync("../docs", join(nodeModules, "bolt", "docs", "again"));
    const workspace = join(root, "packages", "app", "node_modules");
    mkdirSync(workspace, { recursive: true });
    symlinkSync(join(store, "bolt"), join(workspace, "bolt"));
    const report = await addToIndex({ directory, paths: [nodeModules] });
    expect(report).toMatchObject({ packages: 2, documents: 2 });
    expect(report.skipped.map(({ reason }) => reason).sort()).toEqual([
      "broken symbolic link",
      "symbolic link",
      "symbolic link out of the folder",
    ]);
    expect(await addToIndex({ directory, paths: [workspace] })).toMatchObject({ packages: 1, documents: 1 });
  });

  it("reports what it could not read and goes on", async () => {
    const docs = join(root, "docs");
    write(join(docs, "good.md"), "# Good\n");
    write(join(docs, "binary.md"), Uint8Array.of(35, 32, 0, 1));
    write(join(docs, "blank.md"), " \n");
    write(join(docs, "huge.md"), "x".repeat(2 * 1024 * 1024 + 1));
    write(join(docs, "limit.md"), "y ".repeat(1024 * 1024));
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) chmodSync(write(join(docs, "locked.md"), "# Locked\n"), 0o000);
    const { documents, skipped } = await addToIndex({ directory, paths: [docs] });
    expect(documents).toBe(2);
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path.slice(docs.length + 1), reason]))).toEqual({
      "binary.md": "not a text file",
      "blank.md": "empty",
      "huge.md": "larger than 2 MiB",
      ...(isRoot ? {} : { "locked.md": "not readable: permission denied" }),
    });
  });

  it("says so when a path does not exist, and makes no empty index", async () => {
    await expect(addToIndex({ directory, paths: [join(root, "nowhere")] })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("there is no such file or folder"),
    });
    mkdirSync(join(root, "empty"));
    expect(await addToIndex({ directory, paths: [join(root, "empty")] })).toMatchObject({ documents: 0, bytes: 0 });
    expect(await indexExists(directory)).toBe(false);
  });
});

describe("a build", () => {
  it("reports its progress, lets the process do other things, and can be cancelled", async () => {
    writeManyDocuments(400);
    const seen: IndexProgress[] = [];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await addToIndex({ directory, paths: [join(root, "docs")], onProgress: (progress) => seen.push(progress) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(["scan", "read", "write"]);
    const done = seen.filter(({ phase }) => phase === "read").map((progress) => progress.done);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    expect(new Set(done).size).toBe(400);
    expect(seen.at(-1)).toMatchObject({ done: 400, total: 400 });

    const before = readdirSync(directory);
    const abort = new AbortController();
    const onProgress = ({ done: count }: IndexProgress): void => {
      if (count === 200) abort.abort();
    };
    const cancelled = addToIndex({ directory, paths: [join(root, "docs")], onProgress, signal: abort.signal });
    await expect(cancelled).rejects.toMatchObject({ code: "aborted" });
    expect(readdirSync(directory)).toEqual(before);
  });

  it("killed half-way leaves the old index answering and the next build succeeding", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    writeManyDocuments(300);
    const child = spawnBuilder(
      `onProgress: ({ phase, done }) => { if (phase === "read" && done === 250) { writeSync(1, "half"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000); } }`,
    );
    await once(child.stdout, "data");
    await expect(addToIndex({ directory, paths: [nodeModules] })).rejects.toMatchObject({
      code: "storage_failed",
      message: "Another process is building the local index.",
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(readdirSync(directory)).toContain("build.lock");
    expect(await firstUrl("portcullis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
    await addToIndex({ directory, paths: [join(root, "docs")] });
    expect(await firstUrl("portcullis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
    expect(await firstUrl("number299")).toBe("docs:docs@local/d299.md#document-number299");
    expect(
      readdirSync(directory)
        .map((name) => name.replace(/-.*/u, ""))
        .sort(),
    ).toEqual(["manifest.json", "search", "texts"]);
  });

  it.skipIf(process.platform === "win32")("that fills the disk says so and loses nothing", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    const before = readdirSync(directory);
    writeManyDocuments(1_500);
    const child = spawnBuilder("", "ulimit -f 400;");
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await once(child, "exit");
    expect(output).toBe(
      "storage_failed: The local index could not be written: the file would be larger than the system allows. What was indexed before is kept.",
    );
    expect(readdirSync(directory)).toEqual(before);
    expect(await firstUrl("portcullis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
  });

  it("takes over the lock of a dead process, also of an earlier one with its own number", async () => {
    writeGatePackages();
    const gone = spawn(process.execPath, ["--version"]);
    await once(gone, "exit");
    const alive = process.platform === "linux" ? [`${process.ppid} 1`, "1 1700000000000"] : [];
    for (const owner of [`${gone.pid} 1`, `${process.pid} 1`, "", "nonsense", ...alive]) {
      write(join(directory, "build.lock"), owner);
      expect(await addToIndex({ directory, paths: [nodeModules] })).toMatchObject({ packages: 2 });
    }
    expect(existsSync(join(directory, "build.lock"))).toBe(false);
  });

  it("waits an hour for a process of which it cannot tell whether it builds", async () => {
    writeGatePackages();
    const lock = write(join(directory, "build.lock"), String(process.ppid));
    const add = () => addToIndex({ directory, paths: [nodeModules] });
    await expect(add()).rejects.toMatchObject({ code: "storage_failed" });
    const longAgo = Date.now() / 1_000 - 3_700;
    utimesSync(lock, longAgo, longAgo);
    expect(await add()).toMatchObject({ packages: 2 });
  });

  it("refuses a second build beside it and loses neither's packages", async () => {
    writeGatePackages();
    writeManyDocuments(50);
    const builds = [nodeModules, join(root, "docs"), nodeModules].map((path) =>
      addToIndex({ directory, paths: [path] }),
    );
    const settled = await Promise.allSettled(builds);
    const failed = settled.filter((result) => result.status === "rejected");
    expect(failed).toHaveLength(2);
    for (const { reason } of failed) expect(reason).toMatchObject({ code: "storage_failed" });
    await addToIndex({ directory, paths: [nodeModules] });
    await addToIndex({ directory, paths: [join(root, "docs")] });
    const index = await openIndex({ directory });
    expect(index.stats().sources).toHaveLength(3);
    index.close();
  });

  it("replaces the index under an open one, which goes on answering from its own", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    const old = await openIndex({ directory });
    await removeFromIndex({ directory, packages: ["iron-gate"] });
    expect((await old.read("docs:iron-gate@2.1.0/README.md"))?.text).toContain("portcullis");
    expect(old.search("portcullis", { count: 1 })).toHaveLength(1);
    old.close();
    expect(await urls("portcullis")).toEqual([]);
  });

  it("says so when the folder is a file", async () => {
    writeGatePackages();
    write(directory, "a file");
    await expect(addToIndex({ directory, paths: [nodeModules] })).rejects.toMatchObject({
      code: "storage_failed",
      message: expect.stringMatching(/^The local index could not be written: a (?:file stands|part of the path)/u),
    });
    await expect(openIndex({ directory })).rejects.toMatchObject({ code: "index_missing" });
  });
});

const context = {
  fetch: () => Promise.reject(new Error("the local provider needs no network")),
  run: () => Promise.reject(new Error("the local provider runs nothing")),
  signal: new AbortController().signal,
};
const query = { query: "opening", count: 5, sites: [], excludeSites: [] };

describe("a damaged index", () => {
  const file = (kind: string): string =>
    join(directory, readdirSync(directory).find((name) => name.startsWith(kind)) ?? "");
  const damages: Readonly<Record<string, () => void>> = {
    "a manifest cut short": () => writeFileSync(file("manifest"), readFileSync(file("manifest")).subarray(0, 20)),
    "a manifest that is no object": () => writeFileSync(file("manifest"), "null"),
    "a manifest of another version": () => writeFileSync(file("manifest"), '{"format":99}'),
    "a manifest of the version that knew no roots": () => {
      const manifest = JSON.parse(readFileSync(file("manifest"), "utf8"));
      writeFileSync(file("manifest"), JSON.stringify({ ...manifest, format: 1 }));
    },
    "a manifest that names a path": () => {
      const manifest = JSON.parse(readFileSync(file("manifest"), "utf8"));
      writeFileSync(file("manifest"), JSON.stringify({ ...manifest, generation: "../../x" }));
    },
    "search data cut short": () => writeFileSync(file("search"), readFileSync(file("search")).subarray(0, -10)),
    "a flipped bit in the search data": () => {
      const data = readFileSync(file("search"));
      data[data.length >> 1] = (data[data.length >> 1] ?? 0) ^ 1;
      writeFileSync(file("search"), data);
    },
    "texts cut short": () => writeFileSync(file("texts"), readFileSync(file("texts")).subarray(0, -10)),
    "missing texts": () => rmSync(file("texts")),
    "missing search data": () => rmSync(file("search")),
  };

  it.each(Object.entries(damages))("with %s says how to rebuild it", async (_, damage) => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    damage();
    const corrupt = { code: "index_corrupt", hint: expect.stringContaining("postern index clear") };
    await expect(openIndex({ directory })).rejects.toMatchObject(corrupt);
    await expect(addToIndex({ directory, paths: [nodeModules] })).rejects.toMatchObject(corrupt);
    await clearIndex({ directory });
    await addToIndex({ directory, paths: [nodeModules] });
    expect(await firstUrl("portcullis")).toBe("docs:iron-gate@2.1.0/README.md#opening");
  });

  it("notices a flipped bit in a text when it is read", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    const data = readFileSync(file("texts"));
    const at = data.indexOf("portcullis");
    data[at] = (data[at] ?? 0) ^ 1;
    writeFileSync(file("texts"), data);
    const index = await openIndex({ directory });
    await expect(index.read("docs:iron-gate@2.1.0/README.md")).rejects.toMatchObject({ code: "index_corrupt" });
    index.close();
  });

  it("never shows bytes that are not its own as a snippet", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    writeFileSync(file("texts"), readFileSync(file("texts")).fill(0x41));
    const index = await openIndex({ directory });
    const corrupt = expect.objectContaining({ code: "index_corrupt" });
    for (const _ of [1, 2]) expect(() => index.search("portcullis", { count: 1 })).toThrow(corrupt);
    const provider = createLocalProvider({ open: () => Promise.resolve(index) });
    await expect(provider.search(query, context)).rejects.toMatchObject({
      code: "provider_misconfigured",
      cause: corrupt,
    });
    index.close();
  });

  it("is the error of a search that asks it alone, and a warning beside other providers", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    writeFileSync(file("search"), "damaged");
    const local = createLocalProvider({ open: () => openIndex({ directory }) });
    const alone = searchPlan(query, { chain: [], local }, context);
    await expect(alone).rejects.toBeInstanceOf(ConfigError);
    await expect(alone).rejects.toMatchObject({ code: "index_corrupt", hint: expect.stringContaining("index clear") });
    const web: Provider = {
      ...local,
      id: "web",
      search: () => Promise.resolve({ hits: [], cost: { usd: 0, basis: "free" }, warnings: [] }),
    };
    const beside = await searchPlan(query, { chain: [web], local }, context);
    expect(beside.warnings).toEqual(["local: not set up correctly"]);
  });
});

describe("questions about the packages this project uses", () => {
  interface Question {
    readonly question: string;
    readonly package: string;
    readonly path: string;
    readonly sections: readonly string[];
    /** Other pages that answer as well, with their sections. */
    readonly also?: Readonly<Record<string, readonly string[]>>;
  }
  const lines = readFileSync(join(process.cwd(), "corpus", "local", "questions.jsonl"), "utf8")
    .trim()
    .split("\n");
  const questions = lines.map((line) => JSON.parse(line) as Question);

  /** 2 for the right section, 1 for the right page. */
  const judge = (question: Question, hit: LocalHit | undefined): number => {
    const { name, path = "", fragment = "" } = parseDocsUrl(hit?.url ?? "") ?? {};
    const sections = path === question.path ? question.sections : question.also?.[path];
    if (name !== question.package || sections === undefined) return 0;
    return sections.includes(fragment) ? 2 : 1;
  };

  it("have the right page first in 86 % and the right section first in 74 %, in under 10 ms", async () => {
    const report = await addToIndex({ directory, paths: [join(process.cwd(), "node_modules")] });
    expect(report.documents).toBeGreaterThan(500);
    const index = await openIndex({ directory });
    const judged = questions.map((question) => judge(question, index.search(question.question, { count: 5 })[0]));
    const once = (question: string): number => {
      const started = performance.now();
      index.search(question, { count: 5 });
      return performance.now() - started;
    };
    // The best of three and the median of them, because other tests share the machine; the bench prints the 95th percentile.
    const durations = questions.map(({ question }) => Math.min(once(question), once(question), once(question)));
    index.close();
    expect(judged.filter((score) => score > 0).length / questions.length).toBeGreaterThanOrEqual(0.86);
    expect(judged.filter((score) => score === 2).length / questions.length).toBeGreaterThanOrEqual(0.74);
    expect(durations.sort((one, other) => one - other)[durations.length >> 1]).toBeLessThan(10);
  }, 60_000);
});

describe("the local provider", () => {
  it("answers without a network, takes packages for sites, and costs nothing", async () => {
    writeGatePackages();
    await addToIndex({ directory, paths: [nodeModules] });
    const index = await openIndex({ directory });
    const provider = createLocalProvider({ open: () => Promise.resolve(index) });
    expect(provider).toMatchObject({ id: "local", origins: [], capabilities: { keyless: true, official: true } });
    const answer = await provider.search(query, context);
    expect(answer).toMatchObject({ cost: { usd: 0, basis: "free" }, warnings: [] });
    expect(answer.hits.map(({ url }) => url)).toContain("docs:iron-gate@2.1.0/README.md#opening");
    const without = await provider.search({ ...query, excludeSites: ["iron-gate"] }, context);
    expect(without.hits.map(({ url }) => url)).toEqual(["docs:@castle/moat@0.3.0/readme.md#opening"]);
    const site = await provider.search({ ...query, sites: ["gates.example"], freshness: "week" }, context);
    expect(site).toMatchObject({
      hits: [],
      warnings: [expect.stringContaining("freshness"), expect.stringContaining("hosts")],
    });
    index.close();
  });

  it("says what to do when there is no index", async () => {
    const provider = createLocalProvider({ open: () => openIndex({ directory }) });
    await expect(provider.search(query, context)).rejects.toMatchObject({
      code: "provider_misconfigured",
      message: "There is no local index yet.",
      hint: expect.stringContaining("postern index add node_modules"),
    });
  });
});

function writeManyDocuments(count: number): void {
  for (let number = 0; number < count; number += 1) {
    const words = Array.from({ length: 120 }, (_, index) => `w${(number * 31 + index * 17) % 4_001}`).join(" ");
    write(join(root, "docs", `d${number}.md`), `# Document number${number}\n\n${words}\n\n## Second\n\n${words}\n`);
  }
}

/** Builds an index of `docs` in another process and prints how it failed. */
function spawnBuilder(options: string, limit = ""): ReturnType<typeof spawn> & { stdout: NodeJS.ReadableStream } {
  const source = `
    import { writeSync } from "node:fs";
    import { addToIndex } from ${JSON.stringify(join(process.cwd(), "src/search/local/index.ts"))};
    const options = { directory: process.env.DIRECTORY, paths: [process.env.DOCS], ${options} };
    await addToIndex(options).catch((error) => writeSync(1, error.code + ": " + error.message));
  `;
  const script = write(join(root, "build.mts"), source);
  const command = process.platform === "win32" ? process.execPath : "sh";
  const node = ["--import", import.meta.resolve("tsx"), script];
  const args = command === "sh" ? ["-c", `${limit} exec "$0" "$@"`, process.execPath, ...node] : node;
  const env = { ...process.env, DIRECTORY: directory, DOCS: join(root, "docs"), TSX_DISABLE_CACHE: "1" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  return child;
}
