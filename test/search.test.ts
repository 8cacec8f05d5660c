import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type Postern, type PosternEvent, type PosternOptions, type Provider } from "postern";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openIndex } from "../src/search/local/index.js";
import { createHome, type Home, runCommand } from "./helpers/command.js";
import { listen } from "./helpers/listening.js";

let home: Home;
let directory: string;
let searxng: {
  readonly url: string;
  answers: (() => { status: number; body: unknown })[];
  asked: number;
  close(): Promise<void>;
};
const opened: Postern[] = [];
const { version: UNDICI } = JSON.parse(readFileSync("node_modules/undici/package.json", "utf8")) as { version: string };

beforeAll(async () => {
  home = await createHome();
  const kite = join(home.directory, "kite");
  await mkdir(kite);
  await writeFile(join(kite, "package.json"), '{"name":"kite","version":"2.1.0"}');
  await writeFile(
    join(kite, "README.md"),
    "# kite\n\n## Reeling in\n\nCall `reelIn({ metres })` to shorten the line.\n",
  );
  directory = join(home.directory, "index");
  await runCommand(["index", "add", kite], home, { env: { POSTERN_INDEX_DIRECTORY: directory } });
  searxng = await openSearxng();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((postern) => postern.close()));
  searxng.answers = [];
});
afterAll(async () => {
  await searxng.close();
  await home.remove();
});

/** A server that speaks SearXNG's JSON on a loopback origin, which only the setting opens. */
async function openSearxng(): Promise<typeof searxng> {
  const state = { answers: [] as (() => { status: number; body: unknown })[], asked: 0 };
  const server = createServer((_request, response) => {
    state.asked += 1;
    const { status, body } = state.answers.shift()?.() ?? { status: 500, body: { error: "nothing prepared" } };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const { port, close } = await listen(server);
  return Object.assign(state, { url: `http://127.0.0.1:${port}`, close });
}

const answer =
  (...titles: string[]) =>
  () => ({
    status: 200,
    body: {
      query: "x",
      results: titles.map((title, i) => ({
        url: `https://site${i}.example/${title}`,
        title,
        content: `About ${title}.`,
        engines: ["e"],
      })),
      unresponsive_engines: [],
    },
  });

function open(options: PosternOptions = {}): Postern {
  const postern = createPostern({ env: {}, index: { directory }, ...options });
  opened.push(postern);
  return postern;
}

describe("the local provider", () => {
  it("answers from an index, offline", async () => {
    const result = await open({ search: { provider: "local" } }).search({ query: "how to shorten the line" });
    expect(result.provider).toBe("local");
    expect(result.results[0]).toMatchObject({
      rank: 1,
      url: "docs:kite@2.1.0/README.md#reeling-in",
      provider: "local",
    });
    expect(result.usage).toMatchObject({ costUsd: 0, costBasis: "free" });
  });

  it("gives hits that lead to the very section they name, on a page as in a declaration file", async () => {
    const installed = join(home.directory, "installed");
    const packages = ["undici", "lru-cache", "htmlparser2"].map((name) => join("node_modules", name));
    const env = { POSTERN_INDEX_DIRECTORY: installed };
    await runCommand(["index", "add", ...packages], home, { env, cwd: process.cwd() });
    const index = await openIndex({ directory: installed });
    const postern = open({
      search: { provider: "local" },
      index: { directory: installed },
      fetch: { maxChars: 1_000_000 },
    });
    let checked = 0;
    for (const query of ["proxy agent", "maxSize", "abort signal", "parse a stream", "interceptors", "ParserOptions"]) {
      for (const { url } of (await postern.search({ query, count: 10 })).results) {
        const document = await index.read(url);
        const [heading] = document?.text.slice(document.section?.start).split("\n") ?? [];
        if (document?.section === undefined || heading?.includes("](") === true) continue;
        const { text } = await postern.fetch({ url });
        expect(text.split("\n")[0], url).toBe(heading);
        checked += 1;
      }
    }
    index.close();
    expect(checked).toBeGreaterThan(30);
  });

  it("links the pages of a package to each other", async () => {
    const installed = join(home.directory, "installed");
    const postern = open({ search: { provider: "local" }, index: { directory: installed } });
    const { text } = await postern.fetch({ url: `docs:undici@${UNDICI}/docs/docs/best-practices/proxy.md` });
    const link = /\((docs:[^)]*ProxyAgent\.md)\)/.exec(text)?.[1] ?? "";
    expect((await postern.fetch({ url: link })).text).toContain("ProxyAgent");
  });

  it("finds nothing and says so without an error", async () => {
    expect((await open({ search: { provider: "local" } }).search({ query: "zzqx vvbn" })).results).toEqual([]);
  });

  it("without an index is a configuration error that says how to build one", async () => {
    const empty = await mkdtemp(join(tmpdir(), "postern-none-"));
    const failure = open({ search: { provider: "local" }, index: { directory: empty } }).search({ query: "x" });
    await expect(failure).rejects.toMatchObject({
      code: "index_missing",
      hint: expect.stringContaining("postern index add"),
    });
    await rm(empty, { recursive: true });
  });
});

describe("auto", () => {
  it("fuses the web's hits with those of the index", async () => {
    searxng.answers = [answer("reeling", "kites")];
    const result = await open({ search: { searxngUrl: searxng.url } }).search({ query: "shorten the line", count: 10 });
    expect(result.provider).toBe("local+searxng");
    expect(result.results.map(({ provider }) => provider)).toEqual(expect.arrayContaining(["local", "searxng"]));
  });

  it("says so when the web could not be reached, and answers from the index", async () => {
    searxng.answers = [() => ({ status: 502, body: {} }), () => ({ status: 502, body: {} })];
    const result = await open({ search: { searxngUrl: searxng.url } }).search({ query: "shorten the line" });
    expect(result.provider).toBe("local");
    expect(result.warnings.join(" ")).toContain("searxng");
  });
});

/** A provider that can do nothing but search. */
const PLAIN: Provider["capabilities"] = {
  keyless: true,
  official: true,
  maxCount: 5,
  sites: "none",
  freshness: "none",
  paging: "none",
  dates: false,
  usdPerThousand: 0,
};

describe("a search", () => {
  const own = (options: PosternOptions = {}) =>
    open({ search: { provider: "searxng", searxngUrl: searxng.url }, ...options });

  it("is remembered: the same question costs nothing twice", async () => {
    searxng.answers = [answer("one")];
    const before = searxng.asked;
    const postern = own();
    const first = await postern.search({ query: "knots" });
    const second = await postern.search({ query: "  knots " });
    expect(second.results).toEqual(first.results);
    expect(second.usage).toMatchObject({ cacheHit: true, requests: 0 });
    expect(searxng.asked - before).toBe(1);
  });

  it("that somebody is missing from is not remembered: whoever failed may be back", async () => {
    const both = () => open({ search: { searxngUrl: searxng.url } });
    const postern = both();
    searxng.answers = [() => ({ status: 403, body: {} }), answer("back")];
    expect((await postern.search({ query: "shorten the line" })).provider).toBe("local");
    expect((await postern.search({ query: "shorten the line" })).provider).toBe("local+searxng");
  });

  it("leaves a provider out whose host the user denies, and is refused when nobody is left", async () => {
    const before = searxng.asked;
    const deny = { policy: { deny: ["127.0.0.1"] } };
    expect(
      (await open({ search: { searxngUrl: searxng.url }, ...deny }).search({ query: "shorten the line" })).provider,
    ).toBe("local");
    await expect(own(deny).search({ query: "splice" })).rejects.toMatchObject({ rule: "host_denied" });
    expect(searxng.asked).toBe(before);
  });

  it("by a provider of one's own stays on the origins that it declared", async () => {
    let refused: unknown;
    const provider: Provider = {
      id: "wandering",
      origins: ["https://declared.example"],
      capabilities: PLAIN,
      search: async (_query, { fetch }) => {
        refused = await fetch("https://elsewhere.example/").catch((error: unknown) => error);
        return { hits: [], cost: { usd: 0, basis: "free" }, warnings: [] };
      },
    };
    await open({ providers: [provider], search: { provider: "wandering" } }).search({ query: "x" });
    expect(refused).toMatchObject({ code: "jail_refused", rule: "redirect_origin" });
  });

  it.each([[{}], [{ query: 5 }], [{ query: "x", site: 5 }], [{ query: "x", sites: [null] }]])(
    "with wrong arguments (%j) says which",
    async (request) => {
      await expect(own().search(request as never)).rejects.toMatchObject({ code: "invalid_argument" });
    },
  );

  it("is retried once on a server error", async () => {
    searxng.answers = [() => ({ status: 503, body: {} }), answer("one")];
    const events: PosternEvent[] = [];
    const result = await own({ onEvent: (event) => events.push(event) }).search({ query: "splices" });
    expect(result.results).toHaveLength(1);
    expect(events.map(({ type }) => type)).toContain("provider.retried");
  });

  it("a failed one is no empty list", async () => {
    searxng.answers = [() => ({ status: 403, body: {} })];
    await expect(own().search({ query: "hitches" })).rejects.toMatchObject({ kind: "provider" });
  });

  it("keeps to the site, whatever the provider does", async () => {
    searxng.answers = [answer("a", "b", "c")];
    const { results } = await own().search({ query: "ropes", site: "site1.example" });
    expect(results.map(({ url }) => url)).toEqual(["https://site1.example/b"]);
  });

  it("of a model needs approval before anything leaves", async () => {
    const before = searxng.asked;
    await expect(own().search({ query: "bends", caller: "model" })).rejects.toMatchObject({ code: "approval_refused" });
    expect(searxng.asked).toBe(before);
  });

  it("does not open its origin for pages", async () => {
    await expect(own().fetch({ url: `${searxng.url}/` })).rejects.toMatchObject({ code: "jail_refused" });
  });

  it("gets as many results as the session has left, and none when none is left", async () => {
    searxng.answers = [answer("a", "b", "c"), answer("d", "e", "f")];
    const postern = own({ budget: { maxResults: 4 } });
    expect((await postern.search({ query: "first" })).results).toHaveLength(3);
    expect((await postern.search({ query: "second" })).results).toHaveLength(1);
    await expect(postern.search({ query: "third" })).rejects.toMatchObject({ code: "budget_exhausted" });
  });

  it("with a money cap fails closed when a price is unknown", async () => {
    const provider: Provider = {
      id: "dear",
      origins: [],
      capabilities: { ...PLAIN, usdPerThousand: null },
      search: async () => ({ hits: [], cost: { usd: null, basis: "unknown" }, warnings: [] }),
    };
    const postern = open({ providers: [provider], search: { provider: "dear" }, budget: { maxCostUsd: 1 } });
    await expect(postern.search({ query: "x" })).rejects.toMatchObject({ code: "budget_exhausted" });
  });

  it.each([[""], ["   "], ["x".repeat(10_001)]])("refuses a query that cannot be meant", async (query) => {
    await expect(own().search({ query })).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
