import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { BlockedError, FetchError, type ProviderError } from "../../src/errors.js";
import { createBraveProvider } from "../../src/search/providers/brave.js";
import { createDuckDuckGoProvider } from "../../src/search/providers/duckduckgo.js";
import { createSearxngProvider } from "../../src/search/providers/searxng.js";
import { createTavilyProvider } from "../../src/search/providers/tavily.js";
import { contextWith, failureOf, json, type Loopback, query, type Reply, serve } from "./loopback.js";

const corpus = (file: string): string => readFileSync(join(import.meta.dirname, "../../corpus/search", file), "utf8");

let server: Loopback;
afterEach(() => server.close());

async function serving(...replies: readonly Reply[]): Promise<Loopback> {
  server = await serve((_, index) => replies[Math.min(index, replies.length - 1)]);
  return server;
}

const manyResults = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ url: `https://r${index}.example/`, title: `r${index}`, content: "" }));

describe("brave", () => {
  const noHits = json({ query: {} });

  it("sends the key as a header and never in the address", async () => {
    const { origin, requests } = await serving(noHits);
    await createBraveProvider({ apiKey: " secret-1 ", baseUrl: origin }).search(query(), contextWith());
    expect(requests[0]?.headers["x-subscription-token"]).toBe("secret-1");
    expect(requests[0]?.url.href).not.toContain("secret-1");
    expect(requests[0]?.url.pathname).toBe("/res/v1/web/search");
  });

  it("translates every filter", async () => {
    const { origin, requests } = await serving(noHits);
    const asked = query({
      count: 7,
      sites: ["a.example", "b.example"],
      excludeSites: ["c.a.example"],
      freshness: { after: "2026-01-05" },
      country: "DE",
      lang: "ja",
    });
    await createBraveProvider({ apiKey: "k", baseUrl: origin }).search(asked, contextWith());
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({
      q: "moss (site:a.example OR site:b.example) -site:c.a.example",
      count: "7",
      offset: "0",
      text_decorations: "false",
      result_filter: "web",
      country: "DE",
      search_lang: "jp",
      freshness: "2026-01-05to2026-11-30",
    });
  });

  it("leaves out a country and a language it would answer 422 for, and says so", async () => {
    const { origin, requests } = await serving(noHits);
    const provider = createBraveProvider({ apiKey: "k", baseUrl: origin });
    const { warnings } = await provider.search(query({ country: "IS", lang: "cy" }), contextWith());
    expect(warnings).toEqual(["country ignored", "lang ignored"]);
    expect([...(requests[0]?.url.searchParams.keys() ?? [])]).not.toContain("country");
  });

  it("keeps to 400 characters and 50 words, operators included", async () => {
    const { origin, requests } = await serving(noHits);
    const provider = createBraveProvider({ apiKey: "k", baseUrl: origin });
    for (const words of ["w ".repeat(190).trim(), "word".repeat(90), "wordy ".repeat(66).trim()]) {
      const { warnings } = await provider.search(query({ query: words, sites: ["a.example"] }), contextWith());
      const sent = requests.at(-1)?.url.searchParams.get("q") ?? "";
      expect(sent.length).toBeLessThanOrEqual(400);
      expect(sent.split(" ").length).toBeLessThanOrEqual(50);
      expect(sent).toMatch(/ site:a\.example$/);
      expect(warnings).toEqual(words.startsWith("wordword") ? [] : ["query cut to the engine's limit"]);
    }
  });

  it("counts its pages, not its results, and ends at the tenth", async () => {
    const page = json({ query: { more_results_available: true }, web: { results: [{ url: "https://a.example/" }] } });
    const { origin, requests } = await serving(page);
    const provider = createBraveProvider({ apiKey: "k", baseUrl: origin });
    const first = await provider.search(query(), contextWith());
    expect(first.more).toBe("2.0");
    await provider.search(query({ cursor: first.more }), contextWith());
    expect(requests[1]?.url.searchParams.get("offset")).toBe("1");
    expect((await provider.search(query({ cursor: "10.0" }), contextWith())).more).toBeUndefined();
  });

  it.each(["11.0", "0.0", "x", "1", "-1.0", "1.0\n", "9999999999.0"])("refuses the cursor %j", async (cursor) => {
    const { origin, requests } = await serving(noHits);
    const search = createBraveProvider({ apiKey: "k", baseUrl: origin }).search(query({ cursor }), contextWith());
    expect(await failureOf(search)).toMatchObject({ code: "provider_invalid_request" });
    expect(requests).toHaveLength(0);
  });

  it("does not carry the key through a redirect", async () => {
    const { origin, requests } = await serving({ status: 302, headers: { location: "/elsewhere" } });
    const search = createBraveProvider({ apiKey: "k", baseUrl: origin }).search(query(), contextWith());
    expect(await failureOf(search)).toMatchObject({ code: "provider_misconfigured", status: 302 });
    expect(requests).toHaveLength(1);
  });

  it.each(["", "two words", "line\nbreak", "schlüssel", "k".repeat(600)])(
    "refuses %j as a key without quoting it",
    async (apiKey) => {
      await serving(noHits);
      const error = await failureOf(Promise.resolve().then(() => createBraveProvider({ apiKey })));
      expect(error).toMatchObject({ code: "invalid_configuration" });
      if (apiKey !== "") expect(JSON.stringify(error)).not.toContain(apiKey);
    },
  );
});

describe("tavily", () => {
  const body = (index = 0): unknown => JSON.parse(server.requests[index]?.body ?? "null");

  it("with a key sends it as a bearer token and asks what the search cost", async () => {
    const { origin, requests } = await serving(json({ results: [] }));
    await createTavilyProvider({ apiKey: "tvly-secret", baseUrl: origin }).search(query(), contextWith());
    expect(requests[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer tvly-secret" } });
    expect(requests[0]?.headers).not.toHaveProperty("x-tavily-access-mode");
    expect(body()).toMatchObject({ search_depth: "basic", include_usage: true, include_answer: false });
    expect(`${requests[0]?.url}${requests[0]?.body}`).not.toContain("tvly-secret");
  });

  it("without a key uses the keyless mode, sends no Authorization and costs nothing", async () => {
    const { origin, requests } = await serving(json({ results: [] }));
    const { cost } = await createTavilyProvider({ baseUrl: origin }).search(query(), contextWith());
    expect(requests[0]?.headers).toMatchObject({ "x-tavily-access-mode": "keyless" });
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
    expect(cost).toEqual({ usd: 0, basis: "free" });
  });

  it("translates every filter", async () => {
    const { origin } = await serving(json({ results: [] }));
    const provider = createTavilyProvider({ baseUrl: origin });
    await provider.search(
      query({ count: 3, sites: ["a.example"], excludeSites: ["b.example"], freshness: "week" }),
      contextWith(),
    );
    expect(body()).toMatchObject({
      query: "moss",
      max_results: 3,
      include_domains: ["a.example"],
      exclude_domains: ["b.example"],
      time_range: "week",
    });
    await provider.search(query({ freshness: { before: "2026-02-01" }, country: "GB" }), contextWith());
    expect(body(1)).toMatchObject({ end_date: "2026-02-01", country: "united kingdom" });
    expect(body(1)).not.toHaveProperty("start_date");
    expect(body(1)).not.toHaveProperty("include_domains");
  });

  it("has no second page", async () => {
    const { origin } = await serving(json({ results: [] }));
    const search = createTavilyProvider({ baseUrl: origin }).search(query({ cursor: "2.0" }), contextWith());
    expect(await failureOf(search)).toMatchObject({ code: "provider_invalid_request" });
  });
});

describe("searxng", () => {
  it("asks for JSON under the base address, whatever its path", async () => {
    const { origin, requests } = await serving(json({ results: [] }));
    for (const path of ["", "/", "/find", "/find/search"]) {
      await createSearxngProvider({ baseUrl: `${origin}${path}` }).search(query(), contextWith());
    }
    expect(requests.map(({ url }) => url.pathname)).toEqual(["/search", "/search", "/find/search", "/find/search"]);
    expect(requests.every(({ url }) => url.searchParams.get("format") === "json")).toBe(true);
  });

  it("translates filters and names those it cannot keep", async () => {
    const { origin, requests } = await serving(json({ results: [] }));
    const provider = createSearxngProvider({ baseUrl: origin });
    await provider.search(
      query({ sites: ["a.example"], freshness: "month", lang: "pt", country: "BR" }),
      contextWith(),
    );
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
      q: "moss site:a.example",
      time_range: "month",
      language: "pt-BR",
    });
    const { warnings } = await provider.search(
      query({ freshness: { after: "2026-01-01" }, country: "BR" }),
      contextWith(),
    );
    expect(warnings).toHaveLength(2);
  });

  it("reads a long page in slices without losing a result", async () => {
    const { origin } = await serving(
      json({ results: manyResults(7) }),
      json({ results: manyResults(7) }),
      json({ results: manyResults(2) }),
    );
    const provider = createSearxngProvider({ baseUrl: origin });
    const titles: string[] = [];
    let cursor: string | undefined;
    for (let step = 0; step < 3; step += 1) {
      const answer = await provider.search(query({ count: 4, cursor }), contextWith());
      titles.push(...answer.hits.map(({ title }) => title));
      cursor = answer.more;
    }
    expect(titles).toEqual(["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r0", "r1"]);
    expect(server.requests.map(({ url }) => url.searchParams.get("pageno"))).toEqual(["1", "1", "2"]);
  });

  it.each(["", "localhost:8080", "ftp://a.example", "http://user:pass@a.example", "http://a.example/?q=1"])(
    "refuses the base address %j",
    async (baseUrl) => {
      await serving(json({}));
      const error = await failureOf(Promise.resolve().then(() => createSearxngProvider({ baseUrl })));
      expect(error).toMatchObject({ code: "invalid_configuration" });
      expect(JSON.stringify(error)).not.toContain("pass");
    },
  );
});

describe("duckduckgo", () => {
  const html = (text: string): Reply => ({ status: 200, headers: { "content-type": "text/html" }, body: text });
  const form = (index: number): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(server.requests[index]?.body));

  it("posts a form as a browser would, and keeps the query out of the address", async () => {
    const { origin, requests } = await serving(html(corpus("duckduckgo/nothing.html")));
    const asked = query({ freshness: "day", country: "GB", lang: "en-GB", sites: ["a.example"] });
    await createDuckDuckGoProvider({ baseUrl: origin }).search(asked, contextWith());
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: expect.objectContaining({ pathname: "/html/", search: "" }),
    });
    expect(requests[0]?.headers).toMatchObject({
      "content-type": "application/x-www-form-urlencoded",
      referer: "https://html.duckduckgo.com/",
    });
    expect(form(0)).toEqual({ q: "moss site:a.example", b: "", kl: "uk-en", df: "d" });
  });

  it("goes on with the fields of the page's own form, and with no others", async () => {
    const { origin } = await serving(
      html(corpus("duckduckgo/results.html")),
      html(corpus("duckduckgo/results.html")),
      html(corpus("duckduckgo/last-page.html")),
    );
    const provider = createDuckDuckGoProvider({ baseUrl: origin });
    const first = await provider.search(query({ count: 2 }), contextWith());
    const rest = await provider.search(query({ count: 2, cursor: first.more }), contextWith());
    expect(rest.hits.map(({ title }) => title)).toEqual(["Nothing said"]);
    expect(form(1)).toEqual({ q: "moss", b: "" });
    expect(rest.more).not.toContain("evil");

    await provider.search(query({ query: "moss", cursor: `${rest.more}&evil=1&q=other` }), contextWith());
    expect(form(2)).toEqual({
      q: "moss",
      s: "10",
      nextParams: "",
      v: "l",
      o: "json",
      dc: "11",
      api: "d.js",
      vqd: "4-777",
      kl: "us-en",
    });
  });

  it("puts bangs in quotes: they would lead to another site", async () => {
    const { origin } = await serving(html(corpus("duckduckgo/nothing.html")));
    const provider = createDuckDuckGoProvider({ baseUrl: origin });
    await provider.search(query({ query: "!g css !important a!=b \\first" }), contextWith());
    expect(form(0).q).toBe('"!g" css "!important" a!=b "\\first"');
  });

  it("leaves the engine alone for ten minutes after a refusal, then for twenty", async () => {
    const { origin, requests } = await serving(html(corpus("duckduckgo/puzzle-200.html")));
    const provider = createDuckDuckGoProvider({ baseUrl: origin });
    const at = (minutes: number): Promise<unknown> =>
      failureOf(provider.search(query(), contextWith({ now: () => minutes * 60_000 })));
    expect(await at(0)).toMatchObject({ code: "provider_blocked", retryable: false, retryAfterMs: 600_000 });
    expect(await at(9)).toMatchObject({ code: "provider_blocked", retryAfterMs: 60_000 });
    expect(requests).toHaveLength(1);
    expect(await at(10)).toMatchObject({ retryAfterMs: 1_200_000 });
    await at(29);
    expect(requests).toHaveLength(2);
  });

  it("reads hostile pages in linear time", async () => {
    const deep = `<div id="links">${"<a>".repeat(200_000)}${"</b>".repeat(200_000)}`;
    const { origin } = await serving(
      html(deep),
      html(`<div id="links">${"<h2 class='result__a' href='https://a.example/'>".repeat(30_000)}`),
    );
    const provider = createDuckDuckGoProvider({ baseUrl: origin });
    const startedAt = performance.now();
    await provider.search(query(), contextWith());
    await provider.search(query(), contextWith());
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});

describe("every HTTP provider", () => {
  const provider = (): ReturnType<typeof createTavilyProvider> => createTavilyProvider({ baseUrl: server.origin });

  it("calls a closed port a network failure", async () => {
    await serving(json({}));
    await server.close();
    expect(await failureOf(provider().search(query(), contextWith()))).toMatchObject({ code: "provider_network" });
  });

  it("tells a deadline from a cancelled call", async () => {
    server = await serve(() => undefined);
    const timeout = contextWith({ signal: AbortSignal.timeout(50) });
    expect(await failureOf(provider().search(query(), timeout))).toMatchObject({ code: "provider_timeout" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 50);
    const cancelled = contextWith({ signal: controller.signal });
    expect(await failureOf(provider().search(query(), cancelled))).toMatchObject({ kind: "fetch", code: "aborted" });
  });

  it.each([
    [new FetchError("dns_failed", "no such host"), "provider_network"],
    [new FetchError("timeout", "slow"), "provider_timeout"],
    [new FetchError("too_large", "2 MiB"), "provider_bad_response"],
    [new BlockedError("jail_refused", "loopback", "private"), "provider_misconfigured"],
    [new BlockedError("policy_refused", "deny", "denied"), "policy_refused"],
  ])("takes the jailed fetch's %s for what it means", async (thrown, code) => {
    await serving(json({}));
    const context = contextWith({ fetch: () => Promise.reject(thrown) });
    const error = (await failureOf(provider().search(query(), context))) as ProviderError;
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("private");
  });
});
