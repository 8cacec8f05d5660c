import { describe, expect, it } from "vitest";
import { scripted } from "../../test/search/loopback.js";
import { createProviders, PROVIDER_IDS, PROVIDERS, resolveChain } from "./registry.js";

type Providers = NonNullable<Parameters<typeof createProviders>[0]>["providers"];

const brave = { brave: { apiKey: "k" } };
const ids = (setting: string | readonly string[], providers: Providers): string[] =>
  resolveChain(setting, createProviders({ env: {}, providers })).chain.map(({ id }) => id);
const local = scripted("local", () => Promise.reject(new Error("not asked")));

describe("auto", () => {
  it("asks those whose key or address is present, in the table's order", () => {
    expect(ids("auto", brave)).toEqual(["brave"]);
    expect(ids("auto", { searxng: { baseUrl: "http://localhost:8080" }, tavily: { apiKey: "k" } })).toEqual([
      "tavily",
      "searxng",
    ]);
  });

  it("asks the keyless chain when nothing is set, and the command only where it is installed", () => {
    expect(ids("auto", {})).toEqual(["tavily", "duckduckgo"]);
    expect(ids("auto", { brave: { apiKey: " " }, tavily: { apiKey: "" } })).toEqual(["tavily", "duckduckgo"]);
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
    expect(ids(["duckduckgo", "brave", "duckduckgo"], brave)).toEqual(["duckduckgo", "brave"]);
    expect(ids("tavily", brave)).toEqual(["tavily"]);
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

it("gives each provider its own id, capabilities and origins", () => {
  const all = createProviders({
    providers: { ...brave, searxng: { baseUrl: "http://localhost:8080" }, ddgs: { command: "sh" } },
  });
  expect(all.map(({ provider }) => provider.id)).toEqual(PROVIDER_IDS);
  for (const { provider } of all) {
    expect(provider.origins.every((origin) => new URL(origin).origin === origin)).toBe(true);
    expect(provider.origins.length).toBeGreaterThan(0);
    expect(PROVIDERS[provider.id as keyof typeof PROVIDERS].capabilities.sites).toBe(provider.capabilities.sites);
  }
});
