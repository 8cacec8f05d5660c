import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProviderError } from "../../src/errors.js";
import type { Provider } from "../../src/search/index.js";
import { createBraveProvider } from "../../src/search/providers/brave.js";
import { createDuckDuckGoProvider } from "../../src/search/providers/duckduckgo.js";
import { createSearxngProvider } from "../../src/search/providers/searxng.js";
import { createTavilyProvider } from "../../src/search/providers/tavily.js";
import { contextWith, failureOf, query, serve } from "./loopback.js";

interface FixtureCase {
  readonly provider: string;
  readonly file: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly expect?: {
    readonly count?: number;
    readonly first?: Readonly<Record<string, string>>;
    readonly published?: readonly (string | null)[];
    readonly more?: boolean;
    readonly partial?: readonly string[];
    readonly costUsd?: number;
    readonly error?: string;
    readonly retryAfterMs?: number;
    readonly hint?: string;
  };
}

const HTTP_PROVIDERS: Readonly<Record<string, (baseUrl: string) => Provider>> = {
  brave: (baseUrl) => createBraveProvider({ apiKey: "key", baseUrl }),
  tavily: (baseUrl) => createTavilyProvider({ apiKey: "key", baseUrl }),
  searxng: (baseUrl) => createSearxngProvider({ baseUrl }),
  duckduckgo: (baseUrl) => createDuckDuckGoProvider({ baseUrl }),
};
const ALIASES: Readonly<Record<string, string>> = { "duckduckgo-html": "duckduckgo", "duckduckgo-lite": "duckduckgo" };
const CODES: Readonly<Record<string, string>> = { upstream_unavailable: "unavailable" };
/** Answers of other endpoints than the ones Postern asks. */
const OTHER_ENDPOINTS: ReadonlySet<string> = new Set(["brave/llm-context.json", "tavily/extract-success.json"]);
const HINTS: Readonly<Record<string, string>> = { "add json to search.formats": "search.formats" };

const shared = join(process.env.POSTERN_SHARED ?? join(process.cwd(), "../shared"), "fixtures/providers");

runFixtures("our own", join(import.meta.dirname, "../../corpus/search"), "generic");
runFixtures("shared", shared, "_generic");

function runFixtures(name: string, directory: string, generic: string): void {
  const manifest = join(directory, "manifest.json");
  describe.skipIf(!existsSync(manifest))(`${name} provider fixtures`, () => {
    const cases = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as FixtureCase[]) : [];
    const runs = cases.flatMap((entry) => {
      if (OTHER_ENDPOINTS.has(entry.file)) return [];
      if (entry.provider === generic) return Object.keys(HTTP_PROVIDERS).map((provider) => ({ entry, provider }));
      const provider = ALIASES[entry.provider] ?? entry.provider;
      return provider in HTTP_PROVIDERS ? [{ entry, provider }] : [];
    });
    it.each(runs)("$provider reads $entry.file", async ({ entry, provider }) => {
      const body = readFileSync(join(directory, entry.file));
      const server = await serve(() => ({ status: entry.status, headers: entry.headers, body }));
      try {
        const search = HTTP_PROVIDERS[provider]?.(server.origin).search(query(), contextWith());
        expect(search).toBeDefined();
        if (search !== undefined) await check(entry, search);
      } finally {
        await server.close();
      }
    });
  });
}

async function check({ expect: expected = {} }: FixtureCase, search: ReturnType<Provider["search"]>): Promise<void> {
  if (expected.error !== undefined) {
    const error = (await failureOf(search)) as ProviderError;
    expect(error).toMatchObject({ kind: "provider", code: `provider_${CODES[expected.error] ?? expected.error}` });
    if (expected.retryAfterMs !== undefined) expect(error.retryAfterMs).toBe(expected.retryAfterMs);
    if (expected.hint !== undefined) expect(error.hint).toContain(HINTS[expected.hint] ?? expected.hint);
    expect(JSON.stringify(error)).not.toMatch(/PAY-NOW|vendor|signup|api key\./i);
    return;
  }
  const answer = await search;
  if (expected.count !== undefined) expect(answer.hits).toHaveLength(expected.count);
  if (expected.first !== undefined) expect(answer.hits[0]).toMatchObject(expected.first);
  if (expected.published !== undefined) {
    expect(answer.hits.map(({ published }) => published ?? null)).toEqual(expected.published);
  }
  if (expected.more !== undefined) expect(answer.more !== undefined).toBe(expected.more);
  if (expected.partial !== undefined) expect(answer.partial?.map(({ engine }) => engine)).toEqual(expected.partial);
  if (expected.costUsd !== undefined) expect(answer.cost.usd).toBeCloseTo(expected.costUsd);
}
