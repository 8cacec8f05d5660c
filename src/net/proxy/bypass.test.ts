import { describe, expect, it } from "vitest";
import { ConfigError } from "../../errors.js";
import { createJail } from "../jail.js";
import { createBypass } from "./bypass.js";

const jail = createJail({
  ports: [3000],
  exemptions: ["http://127.0.0.2:3000", "http://[::1]:3000", "http://localhost:3000", "http://app.localhost:3000"].map(
    (origin) => ({ origin, name: "dev" }),
  ),
});
const asks = (entries: string, url: string): boolean => createBypass(entries.split(","))(jail.checkUrl(url));

describe("a list of hosts without a proxy", () => {
  it.each([
    ["*", "http://anything.example.org/"],
    ["example.org", "http://example.org/"],
    ["example.org", "http://docs.example.org/"],
    [".example.org", "http://docs.example.org/"],
    [".example.org", "http://example.org/"],
    ["*.example.org", "http://docs.example.org/"],
    [" EXAMPLE.ORG. ", "http://docs.example.org./"],
    ["other.example,example.org", "http://example.org/"],
    ["example.org:8080", "http://example.org:8080/"],
    ["8.8.8.8", "http://8.8.8.8/"],
    ["8.8.8.8", "http://0x08080808/"],
    ["8.8.8.8:8080", "http://8.8.8.8:8080/"],
    ["8.8.0.0/16", "http://8.8.4.4/"],
    ["0.0.0.0/0", "http://8.8.4.4/"],
    ["2606:4700::/32", "http://[2606:4700:0:1::5]/"],
    ["2606:4700::5", "http://[2606:4700:0::5]/"],
    ["[2606:4700::5]:8443", "https://[2606:4700::5]:8443/"],
  ])("%s takes %s", (entries, url) => {
    expect(asks(entries, url)).toBe(true);
  });

  it.each([
    ["", "http://example.org/"],
    ["example.org", "http://notexample.org/"],
    ["example.org", "http://example.org.evil.example/"],
    ["docs.example.org", "http://example.org/"],
    ["example.org:8080", "http://example.org/"],
    ["8.8.8.8", "http://8.8.8.80/"],
    ["8.8.8.8/31", "http://8.8.8.10/"],
    ["8.0.0.0/8", "http://eight.example.org/"],
    ["2606:4700::/32", "http://8.8.8.8/"],
    ["8.8.8.8:8443", "http://8.8.8.8:8080/"],
  ])("%s leaves %s to the proxy", (entries, url) => {
    expect(asks(entries, url)).toBe(false);
  });

  it.each(["http://127.0.0.2:3000/", "http://[::1]:3000/", "http://localhost:3000/", "http://app.localhost:3000/"])(
    "never sends %s to a proxy, listed or not",
    (url) => {
      expect(asks("", url)).toBe(true);
    },
  );

  it.each(["a b", "exa*mple.org", "http://example.org", "10.0.0.0/33", "x/8", "::/129", ".", "user@example.org"])(
    "refuses the entry %s",
    (entry) => {
      expect(() => createBypass([entry])).toThrow(ConfigError);
    },
  );

  it("has a limit", () => {
    expect(() => createBypass(Array(10_001).fill("example.org"))).toThrow(/10000/);
  });
});
