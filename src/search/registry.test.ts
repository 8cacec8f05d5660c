import { describe, expect, it } from "vitest";
import { scripted } from "../../test/search/loopback.js";
import { createProviders, PROVIDER_IDS, PROVIDERS, resolveChain } from "./registry.js";

const ids = (setting: string | readonly string[], env: Record<string, string>): string[] =>
  resolveChain(setting, createProviders({ env })).chain.map(({ id }) => id);
const local = scripted("local", () => Promise.reject(new Error("not asked")));

describe("auto", () => {
  it("asks those whose key or address is present, in the table's order", () => {
    expect(ids("auto", { BRAVE_API_KEY: "k" })).toEqual(["brave"]);
    expect(ids("auto", { WEB_SEARCH_URL: "http://localhost:8080", TAVILY_API_KEY: "k" })).toEqual([
      "tavily",
      "searxng",
    ]);
  });

  it("asks the keyless chain when nothing is set, and the command only where it is installed", () => {
    expect(ids("auto", {})).toEqual(["tavily", "duckduckgo"]);
    expect(ids("auto", { BRAVE_API_KEY: " ", TAVILY_API_KEY: "" })).toEqual(["tavily", "duckduckgo"]);
    const withCommand = createProviders({
      env: { PATH: process.env.PATH ?? "" },
      providers: { ddgs: { command: "sh" } },
    });
    expect(resolveChain("auto", withCommand).chain.map(({ id }) => id)).toEqual(["tavily", "ddgs", "duckduckgo"]);
  });

  it("asks the local index beside it", () => {
    expect(resolveChain("auto", createProviders({ env: {} }), local).local).toBe(local);
  });
});

describe("a chosen chain", () => {
  it("keeps its order, once each", () => {
    expect(ids(["duckduckgo", "brave", "duckduckgo"], { BRAVE_API_KEY: "k" })).toEqual(["duckduckgo", "brave"]);
    expect(ids("tavily", { BRAVE_API_KEY: "k" })).toEqual(["tavily"]);
  });

  it("may name a command that is not installed: the chain fails over", () => {
    expect(ids(["ddgs", "duckduckgo"], {})).toEqual(["ddgs", "duckduckgo"]);
  });

  it("may be nobody, or the local index alone or in company", () => {
    expect(resolveChain("none", createProviders({ env: {} }), local)).toEqual({ chain: [] });
    expect(resolveChain("local", [], local)).toEqual({ chain: [], local });
    const both = resolveChain(["local", "tavily"], createProviders({ env: {} }), local);
    expect([both.chain.map(({ id }) => id), both.local]).toEqual([["tavily"], local]);
  });

  it("says what to set for one that is not set up, and which there are for one that does not exist", () => {
    const error = (setting: string) => {
      try {
        return ids(setting, {});
      } catch (thrown) {
        return thrown;
      }
    };
    expect(error("brave")).toMatchObject({
      code: "invalid_configuration",
      hint: expect.stringContaining("BRAVE_API_KEY"),
    });
    expect(error("searxng")).toMatchObject({ hint: expect.stringContaining("SEARXNG_URL") });
    expect(error("altavista")).toMatchObject({
      code: "invalid_configuration",
      hint: expect.stringContaining("searxng"),
    });
    expect(error("toString")).toMatchObject({ code: "invalid_configuration" });
    expect(error("local")).toMatchObject({ code: "index_missing" });
  });
});

it("prefers what is set over the environment", () => {
  const env = { SEARXNG_URL: "http://env.example" };
  const providers = { searxng: { baseUrl: "http://set.example/" } };
  const origin = (settings: Parameters<typeof createProviders>[0]) =>
    createProviders(settings).find(({ provider }) => provider.id === "searxng")?.provider.origins;
  expect(origin({ env })).toEqual(["http://env.example"]);
  expect(origin({ env, providers })).toEqual(["http://set.example"]);
});

it("gives each provider its own id, capabilities and origins", () => {
  const env = { BRAVE_API_KEY: "k", SEARXNG_URL: "http://localhost:8080", PATH: process.env.PATH ?? "" };
  const all = createProviders({ env, providers: { ddgs: { command: "sh" } } });
  expect(all.map(({ provider }) => provider.id)).toEqual(PROVIDER_IDS);
  for (const { provider } of all) {
    expect(provider.origins.every((origin) => new URL(origin).origin === origin)).toBe(true);
    expect(provider.origins.length).toBeGreaterThan(0);
    expect(PROVIDERS[provider.id as keyof typeof PROVIDERS].capabilities.sites).toBe(provider.capabilities.sites);
  }
});
