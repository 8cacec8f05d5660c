import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";
import { BAD_PORTS } from "./ports.js";

const PUBLIC = ["198.41.0.4"];
const resolve = async (): Promise<string[]> => PUBLIC;

describe("checkUrl", () => {
  const jail = createJail({ resolve });

  it("takes a URL of 4096 characters and not of one more", () => {
    const url = "https://example.org/".padEnd(4096, "a");
    expect(jail.checkUrl(url).href).toBe(url);
    expect(() => jail.checkUrl(`${url}a`)).toThrow(expect.objectContaining({ rule: "url_length" }));
  });

  it("gives the parts that are dialled, without fragment, brackets and trailing dot", () => {
    expect(jail.checkUrl("https://Example.ORG.:8443/a%20b?q=1#part")).toMatchObject({
      href: "https://example.org.:8443/a%20b?q=1",
      host: "example.org",
      port: 8443,
      target: "/a%20b?q=1",
      secure: true,
      literal: undefined,
    });
    expect(jail.checkUrl(new URL("http://[2a01:4f8::1]/"))).toMatchObject({ host: "2a01:4f8::1", port: 80 });
  });

  it("is not moved by what happens to the URL object later", () => {
    const url = new URL("http://example.org/");
    const checked = jail.checkUrl(url);
    url.hostname = "127.0.0.1";
    expect(checked.host).toBe("example.org");
  });

  it.each([
    ["http://example.org/\u2028", "url_syntax"],
    ["http://example.org/\u00a0", "url_syntax"],
    ["http://exa$mple.org/", "host_name"],
    ["http://example.org:10080/", "port"],
    [42 as unknown as string, "url_syntax"],
    [null as unknown as string, "url_syntax"],
  ])("refuses %j by %s", (url, rule) => {
    expect(() => jail.checkUrl(url)).toThrow(expect.objectContaining({ code: "jail_refused", rule }));
  });

  it("takes time in proportion to the text", () => {
    const startedAt = performance.now();
    for (const hostile of [" ".repeat(1e6), `http://${"a.".repeat(5e5)}`, `http://${"x".repeat(1e6)}`]) {
      expect(() => jail.checkUrl(hostile)).toThrow();
    }
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

describe("judge", () => {
  it("says dns_failed for a host without an answer, and never rejects", async () => {
    const failing = [
      async () => [],
      () => Promise.reject(new Error("x")),
      async () => "1.1.1.1" as unknown as string[],
    ];
    for (const broken of failing) {
      const jail = createJail({ resolve: broken });
      expect(await jail.judge("http://example.org/")).toEqual({ verdict: "deny", rule: "dns_failed" });
    }
  });

  it("looks a name up once, and a literal never", async () => {
    const lookUps: string[] = [];
    const jail = createJail({
      resolve: async (host) => {
        lookUps.push(host);
        return PUBLIC;
      },
    });
    await jail.judge("http://example.org./");
    await jail.judge("http://198.41.0.4/");
    await jail.judge("http://127.0.0.1/");
    expect(lookUps).toEqual(["example.org"]);
  });

  it("refuses answers that are no addresses", async () => {
    for (const answer of ["", "localhost", "1.2.3.4%0", 5 as unknown as string]) {
      expect(await createJail({ resolve: async () => [...PUBLIC, answer] }).judge("http://example.org/")).toEqual({
        verdict: "deny",
        rule: "dns_answer",
      });
    }
  });

  it("uses the system's resolver when none is given", async () => {
    const jail = createJail({ exemptions: [{ origin: "http://localhost:3000", name: "dev" }] });
    expect(await jail.judge("http://localhost:3000/")).toEqual({ verdict: "allow" });
  });
});

describe("exemptions", () => {
  const exemptions = [
    { origin: "http://127.0.0.1:3000", name: "dev server" },
    { origin: "http://searx.lan:8888", name: "search" },
  ];

  it("open exactly their origin", async () => {
    const jail = createJail({ exemptions, resolve: async () => ["10.0.0.5"] });
    const allowed = ["http://127.0.0.1:3000/a", "http://searx.lan:8888/", "http://2130706433:3000/"];
    const denied = [
      "http://127.0.0.1/",
      "http://127.0.0.1:3001/",
      "https://127.0.0.1:3000/",
      "http://127.0.0.2:3000/",
      "http://localhost:3000/",
      "http://searx.lan/",
      "http://searx.lan.:8888/",
      "http://x.searx.lan:8888/",
      "http://u@127.0.0.1:3000/",
    ];
    for (const url of allowed) expect(await jail.judge(url), url).toEqual({ verdict: "allow" });
    for (const url of denied) expect((await jail.judge(url)).verdict, url).toBe("deny");
  });

  it.each([
    "169.254.169.254",
    "fe80::1",
    "168.63.129.16",
    "100.100.100.200",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
  ])("never reach %s, even when their name resolves there", async (address) => {
    const jail = createJail({ exemptions, resolve: async () => [address] });
    expect(await jail.judge("http://searx.lan:8888/")).toEqual({ verdict: "deny", rule: "dns_answer" });
  });

  it.each([
    ["a link-local address", "http://169.254.169.254"],
    ["link-local IPv6", "http://[fe80::1]:3000"],
    ["the Azure wire server", "http://168.63.129.16"],
    ["a unique-local metadata service", "http://[fd00:ec2::254]"],
    ["a metadata name", "http://metadata.google.internal"],
    ["an unspecified address", "http://0.0.0.0:3000"],
    ["a path", "http://127.0.0.1:3000/"],
    ["another spelling", "http://127.1:3000"],
    ["a default port", "http://127.0.0.1:80"],
    ["a bad port", "http://127.0.0.1:22"],
    ["userinfo", "http://u@127.0.0.1:3000"],
    ["another scheme", "ftp://127.0.0.1"],
    ["a wildcard", "*"],
  ])("cannot name %s", (_what, origin) => {
    expect(() => createJail({ exemptions: [{ origin, name: "x" }] })).toThrow(
      expect.objectContaining({ name: "ConfigError", code: "invalid_configuration" }),
    );
  });

  it.each(["", "a".repeat(65), "line\nbreak", "\u202eright"])("need a printable name, not %j", (name) => {
    expect(() => createJail({ exemptions: [{ origin: "http://127.0.0.1:3000", name }] })).toThrow(/name/);
  });
});

describe("ports", () => {
  it("cannot be opened when they belong to another protocol or are none", () => {
    for (const port of [...BAD_PORTS, -1, 65_536, 1.5, Number.NaN]) {
      expect(() => createJail({ ports: [port] }), String(port)).toThrow(
        expect.objectContaining({ name: "ConfigError" }),
      );
    }
  });

  it("are added to the default ones", async () => {
    const jail = createJail({ resolve, ports: [3000] });
    for (const port of [80, 443, 3000, 8080, 8443]) {
      expect(await jail.judge(`http://example.org:${port}/`), String(port)).toEqual({ verdict: "allow" });
    }
    expect(await jail.judge("http://example.org:3001/")).toEqual({ verdict: "deny", rule: "port" });
  });
});
