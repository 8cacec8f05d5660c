import { describe, expect, test } from "vitest";
import { ConfigError } from "../errors.js";
import { createHostRules, type HostRuleLists } from "./host-rules.js";

const judge = (lists: HostRuleLists, url: string) => createHostRules(lists).judge(new URL(url));

describe("createHostRules", () => {
  test.each<[string, string, "allow" | undefined]>([
    ["example.com", "https://example.com/a", "allow"],
    ["example.com", "https://EXAMPLE.com./", "allow"],
    ["Example.COM.", "https://example.com/", "allow"],
    ["example.com", "https://www.example.com/", undefined],
    ["example.com", "https://notexample.com/", undefined],
    ["example.com", "https://example.com.evil.net/", undefined],
    ["*.example.com", "https://a.b.example.com/", "allow"],
    ["*.example.com", "https://example.com/", undefined],
    ["*.example.com", "https://evilexample.com/", undefined],
    ["*", "https://anything.example/", "allow"],
    ["example.com:8443", "https://example.com:8443/", "allow"],
    ["example.com:8443", "https://example.com/", undefined],
    ["example.com:443", "https://example.com/", "allow"],
    ["example.com:443", "http://example.com/", undefined],
    ["example.com", "http://example.com:8080/", "allow"],
    ["domain:example.com", "https://example.com/", "allow"],
    ["WebFetch(domain:example.com)", "https://example.com/", "allow"],
    ["WebFetch(domain:*.example.com)", "https://x.example.com/", "allow"],
    ["bücher.example", "https://xn--bcher-kva.example/", "allow"],
    ["xn--bcher-kva.example", "https://BÜCHER.example/", "allow"],
    ["[2606:4700::1111]", "https://[2606:4700:0::1111]/", "allow"],
    ["[2606:4700::1111]:8443", "https://[2606:4700::1111]:8443/", "allow"],
    ["1.1.1.1", "https://1.1.257/", "allow"],
    ["1.1.1.1", "https://0x01010101/", "allow"],
  ])("allow %s, %s: %s", (rule, url, verdict) => {
    expect(judge({ allow: [rule] }, url)).toBe(verdict);
  });

  test("a bare host that tightens covers everything below it", () => {
    expect(judge({ deny: ["example.com"] }, "https://a.b.example.com/")).toBe("deny");
    expect(judge({ ask: ["example.com"] }, "https://a.example.com/")).toBe("ask");
    expect(judge({ deny: ["example.com:8443"] }, "https://a.example.com/")).toBeUndefined();
    expect(judge({ deny: ["*.example.com"] }, "https://example.com/")).toBeUndefined();
  });

  test("a trailing dot, capitals and a default port do not escape a denial", () => {
    for (const url of ["https://Bad.Example./", "https://bad.example:443/", "http://www.bad.example.:8080/"]) {
      expect(judge({ deny: ["bad.example"] }, url), url).toBe("deny");
    }
  });

  test("an IPv4 address inside an IPv6 literal does not escape a rule, and a rule may be written so", () => {
    const spellings = ["93.184.216.34", "[::ffff:93.184.216.34]", "[64:ff9b::93.184.216.34]", "[0:0::ffff:5db8:d822]"];
    for (const rule of spellings) {
      for (const host of spellings) {
        expect(judge({ deny: [rule] }, `https://${host}/`), `${rule} ${host}`).toBe("deny");
        expect(judge({ ask: [rule] }, `https://${host}:8443/`), `${rule} ${host}`).toBe("ask");
      }
      expect(judge({ deny: [rule] }, "https://[::ffff:93.184.216.35]/")).toBeUndefined();
    }
    for (const [rule, host] of [
      ["0.0.216.34", "[64:ff9b::d822]"],
      ["93.184.0.0", "[64:ff9b::5db8:0]"],
      ["0.0.0.0", "[64:ff9b::]"],
      ["0.0.0.1", "[::ffff:0:1]"],
    ] as const) {
      expect(judge({ deny: [rule] }, `https://${host}/`), host).toBe("deny");
    }
    expect(judge({ deny: ["0.0.0.1"] }, "https://[::1]/")).toBeUndefined();
  });

  test("deny wins, then ask, then allow", () => {
    const lists = { allow: ["a.example", "*"], ask: ["a.example"], deny: ["b.a.example"] };
    expect(judge(lists, "https://b.a.example/")).toBe("deny");
    expect(judge(lists, "https://a.example/")).toBe("ask");
    expect(judge(lists, "https://c.example/")).toBe("allow");
    expect(judge({}, "https://c.example/")).toBeUndefined();
  });

  test.each([
    "",
    " ",
    "https://example.com",
    "example.com/path",
    "a@b",
    "*.",
    "*.*.example",
    "ex*mple.com",
    "a b",
    "host:port",
    "[::1",
  ])("a rule that cannot be read is an error of configuration: %j", (rule) => {
    expect(() => createHostRules({ deny: [rule] })).toThrow(ConfigError);
  });

  test("thousands of rules cost no more than a few", () => {
    const rules = createHostRules({ deny: Array.from({ length: 10_000 }, (_, i) => `h${i}.example`) });
    const url = new URL(`https://${"a.".repeat(100)}example/`);
    const started = performance.now();
    for (let round = 0; round < 1_000; round += 1) rules.judge(url);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(rules.judge(new URL("https://x.h9999.example/"))).toBe("deny");
  });
});
