import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";
import { createProxyRules, type ProxyOptions } from "./proxy/upstream.js";
import type { Resolver } from "./resolve.js";
import { delegates, viaOf, wayKey, wayTo } from "./way.js";

const HTTP_PROXY = "http://proxy.example.org:8080";
const exemptions = [
  { network: "198.18.0.0/15", name: "fake-IP proxy" },
  { origin: "http://wiki.corp", name: "wiki" },
];

/** What a hop to the URL says, when its name has these answers. */
async function viaTo(address: string, answers: readonly string[], proxy?: string, dns?: ProxyOptions["dns"]) {
  const resolve: Resolver = async () => answers;
  const jail = createJail({ resolve, exemptions });
  const url = jail.checkUrl(address);
  const chosen = createProxyRules(proxy === undefined ? undefined : { http: proxy, https: proxy, dns })(url);
  const route = delegates(url, chosen)
    ? { addresses: [], isPrivate: false }
    : await jail.resolve(url, AbortSignal.timeout(1_000));
  return viaOf(url, wayTo(url, route, chosen));
}

describe("a hop says the weakest guarantee that held", () => {
  it.each<[string, string, readonly string[], string?, ProxyOptions["dns"]?]>([
    ["direct", "http://site.example.org/", ["198.41.0.4"]],
    ["direct", "http://198.41.0.4/", []],
    ["exemption", "http://wiki.corp/", ["10.0.0.9"]],
    ["proxy", "http://site.example.org/", ["198.41.0.4"], HTTP_PROXY],
    ["exemption", "http://wiki.corp/", ["10.0.0.9"], HTTP_PROXY],
    ["delegated", "http://site.example.org/", ["198.18.0.7"]],
    ["delegated", "https://site.example.org/", ["198.18.0.7"]],
    ["delegated", "http://site.example.org/", ["198.41.0.4", "198.18.0.7"]],
    ["delegated", "http://site.example.org/", ["198.18.0.7"], HTTP_PROXY],
    ["delegated", "http://site.example.org/", [], HTTP_PROXY, "proxy"],
    ["delegated", "https://site.example.org/", [], "socks5h://proxy.example.org:1080"],
    ["delegated", "http://wiki.corp/", [], HTTP_PROXY, "proxy"],
    ["proxy", "http://198.41.0.4/", [], HTTP_PROXY, "proxy"],
  ])("%s: %s with the answers %j through %s, names resolved by %s", async (via, url, answers, proxy, dns) => {
    expect(await viaTo(url, answers, proxy, dns)).toBe(via);
  });
});

describe("what a warm connection is found by", () => {
  const keyOf = async (url: string, answers: readonly string[], proxy?: string) => {
    const jail = createJail({ resolve: async () => answers });
    const checked = jail.checkUrl(url);
    const chosen = createProxyRules({ http: proxy, https: proxy })(checked);
    return wayKey(checked, wayTo(checked, await jail.resolve(checked), chosen));
  };

  it("is the same however the resolver rotates its answers", async () => {
    const [one, two] = ["198.41.0.4", "199.9.14.201"];
    expect(await keyOf("http://example.org/", [one, two])).toBe(await keyOf("http://example.org/a", [two, one]));
  });

  it.each<[string, string, readonly string[], string?]>([
    ["another scheme", "https://example.org/", ["198.41.0.4"]],
    ["another port", "http://example.org:8080/", ["198.41.0.4"]],
    ["another host at the same address", "http://two.example.org/", ["198.41.0.4"]],
    ["another address", "http://example.org/", ["199.9.14.201"]],
    ["more addresses", "http://example.org/", ["198.41.0.4", "199.9.14.201"]],
    ["a proxy", "http://example.org/", ["198.41.0.4"], HTTP_PROXY],
  ])("tells %s apart", async (_what, url, answers, proxy) => {
    expect(await keyOf(url, answers, proxy)).not.toBe(await keyOf("http://example.org/", ["198.41.0.4"]));
  });
});
