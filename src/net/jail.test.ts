import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";

const PUBLIC = ["198.41.0.4"];

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

  it("asks the system for exactly the name, and lets it complete only an exempted one", async () => {
    const asked: unknown[] = [];
    const listen = (message: unknown): void => void asked.push(message);
    const jail = createJail({ exemptions: [{ origin: "http://wiki.example:3000", name: "wiki" }] });
    // No name server can be asked for an empty label: this look-up fails inside the machine.
    const host = "wiki..localhost";
    subscribe("postern:net:lookup", listen);
    try {
      for (const text of ["http://wiki.example/", "http://wiki.example:3000/"]) {
        await expect(jail.resolve({ ...jail.checkUrl(text), host })).rejects.toMatchObject({ code: "dns_failed" });
      }
    } finally {
      unsubscribe("postern:net:lookup", listen);
    }
    expect(asked).toEqual([{ host: process.platform === "linux" ? `${host}.` : host }, { host }]);
  });
});

describe("resolve", () => {
  it("leads a literal to itself, and a name to all its answers in their order", async () => {
    const jail = createJail({ resolve: async () => ["2a01:4f8::1", "198.41.0.4"] });
    const octets = [0x2a, 0x01, 0x04, 0xf8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    expect(await jail.resolve(jail.checkUrl("http://198.41.0.4/"))).toEqual({
      addresses: [{ family: 4, bytes: [198, 41, 0, 4], text: "198.41.0.4" }],
      isPrivate: false,
    });
    expect(await jail.resolve(jail.checkUrl("http://example.org/"))).toEqual({
      addresses: [
        { family: 6, bytes: octets, text: "2a01:4f8::1" },
        { family: 4, bytes: [198, 41, 0, 4], text: "198.41.0.4" },
      ],
      isPrivate: false,
    });
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

describe("deny", () => {
  const deny = ["93.184.216.0/24", "2606:4700::1"];
  const exemptions = [{ origin: "http://wiki.lan", name: "wiki" }];

  it.each([
    ["http://93.184.216.34/", [], "address_denied"],
    ["http://[::ffff:93.184.216.34]/", [], "ipv6_embedded"],
    ["http://[2606:4700:0::1]/", [], "address_denied"],
    ["http://example.org/", ["93.184.216.34"], "dns_answer"],
    ["http://example.org/", ["198.41.0.4", "2606:4700::1"], "dns_answer"],
    ["http://wiki.lan/", ["93.184.216.34"], "dns_answer"],
  ])("refuses %s with the answers %j: %s", async (url, answers, rule) => {
    const jail = createJail({ deny, exemptions, resolve: async () => answers });
    expect(await jail.judge(url)).toEqual({ verdict: "deny", rule });
  });

  it("leaves all else alone", async () => {
    const jail = createJail({ deny, exemptions, resolve: async () => ["10.1.2.3"] });
    expect(await jail.judge("http://93.184.217.1/")).toEqual({ verdict: "allow" });
    expect(await jail.judge("http://wiki.lan/")).toEqual({ verdict: "allow" });
  });

  it.each(["example.org", "10.0.0.0/33", "10.0.0.1:80", "", "10.0.0", "x".repeat(65)])("cannot be %j", (text) => {
    expect(() => createJail({ deny: [text] })).toThrow(
      expect.objectContaining({
        code: "invalid_configuration",
        message: `"${text.slice(0, 64)}" is no address and no block.`,
        hint: expect.stringContaining("192.0.2.0/24"),
      }),
    );
  });
});

describe("the exemption of a fake-IP proxy's network", () => {
  const exemptions = [
    { network: "198.18.0.0/15", name: "local proxy" },
    { network: "fc00::/18", name: "local proxy, IPv6" },
    { origin: "http://searx.lan:8888", name: "search" },
  ];
  const jailWith = (...answers: readonly string[]) => createJail({ exemptions, resolve: async () => answers });

  it("opens it to the answers of a look-up, and tells the route", async () => {
    const url = "https://example.org/";
    const jail = jailWith("198.18.0.1", "fc00::1");
    expect(await jail.judge(url)).toEqual({ verdict: "allow" });
    const route = await jail.resolve(jail.checkUrl(url));
    expect(route.addresses.map(({ text }) => text)).toEqual(["198.18.0.1", "fc00::1"]);
    expect(route.exemption).toEqual({ network: "198.18.0.0/15", name: "local proxy" });
    const second = jailWith("198.41.0.4", "fc00:3fff::1");
    expect((await second.resolve(second.checkUrl(url))).exemption?.name).toBe("local proxy, IPv6");
  });

  it("leaves no mark on a route that did not need it", async () => {
    const direct = jailWith("198.41.0.4");
    expect(await direct.resolve(direct.checkUrl("https://example.org/"))).not.toHaveProperty("exemption");
    const own = jailWith("198.18.0.1");
    const url = own.checkUrl("http://searx.lan:8888/");
    expect(url.exemption?.name).toBe("search");
    const route = await own.resolve(url);
    expect(route).not.toHaveProperty("exemption");
    expect(route.isPrivate).toBe(true);
  });

  it.each([
    ["a private address", ["198.18.0.1", "10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["a metadata service", ["198.18.0.1", "100.100.100.200"]],
    ["link-local", ["198.18.0.1", "169.254.1.1"]],
    ["a metadata service", ["169.254.169.254"]],
    ["a metadata service in unique local space", ["fd00:ec2::254"]],
    ["a unique local address beyond it", ["fc00:4000::1"]],
    ["assigned unique local space", ["fd00::1"]],
    ["a neighbour of it", ["198.20.0.1", "198.17.255.255", "192.168.0.1"]],
    ["its addresses behind a NAT64 gateway", ["64:ff9b::198.18.0.1"]],
    ["its addresses as IPv6", ["::ffff:198.18.0.1"]],
  ])("does not open %s", async (_what, answers) => {
    expect(await jailWith(...answers).judge("http://example.org/")).toEqual({ verdict: "deny", rule: "dns_answer" });
  });

  it.each([
    ["http://198.18.0.1/", "ipv4_special"],
    ["http://[fc00::1]/", "ipv6_special"],
    ["http://[::ffff:198.18.0.1]/", "ipv6_embedded"],
    ["http://printer.lan/", "host_name"],
    ["http://metadata.google.internal/", "metadata"],
    ["http://example.org:3000/", "port"],
    ["http://u@example.org/", "userinfo"],
  ])("does not open %s, whatever its answer is", async (url, rule) => {
    expect(await jailWith("198.18.0.1").judge(url)).toEqual({ verdict: "deny", rule });
  });

  it.each([
    "198.18.0.0/16",
    "198.18.0.1/15",
    "198.18.0.0/15 ",
    "10.0.0.0/8",
    "fc00::/7",
    "fd00::/8",
    "0.0.0.0/0",
    "::/0",
    "",
    null as unknown as string,
  ])("cannot be %j", (network) => {
    expect(() => createJail({ exemptions: [{ network, name: "x" }] })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", hint: "Write it as 198.18.0.0/15 or fc00::/18." }),
    );
  });

  it("needs a printable name as well", () => {
    expect(() => createJail({ exemptions: [{ network: "198.18.0.0/15", name: "" }] })).toThrow(/name/);
  });
});

describe("a network's own NAT64 prefix", () => {
  const nat64Prefixes = ["2001:db8:64::/96", "fd00:64::/48"];
  const judge = (answer: string, prefixes?: readonly string[]) =>
    createJail({ nat64Prefixes: prefixes, resolve: async () => [answer] }).judge("http://example.org/");

  it.each([
    ["2001:db8:64::198.41.0.4", "allow"],
    ["fd00:64:0:c629:0:400::", "allow"],
    ["2001:db8:64::10.0.0.1", "deny"],
    ["2001:db8:64::169.254.169.254", "deny"],
    ["2001:db8:64::168.63.129.16", "deny"],
    ["fd00:64:0:c0a8:1:100::", "deny"],
    ["fd00:64:0:c629:100:400::", "deny"],
    ["2001:db8:65::198.41.0.4", "deny"],
    ["fd00:65:0:c629:0:400::", "deny"],
  ] as const)("makes an answer of %s one to %s", async (answer, verdict) => {
    expect(await judge(answer, nat64Prefixes)).toMatchObject({ verdict });
  });

  it("is unknown unless it is set: a global address that hides a private one then passes", async () => {
    expect(await judge("2a01:4f8:64::10.0.0.1")).toEqual({ verdict: "allow" });
    expect(await judge("2a01:4f8:64::10.0.0.1", ["2a01:4f8:64::/96"])).toEqual({ verdict: "deny", rule: "dns_answer" });
    expect(await judge("fd00:64:0:c629:0:400::")).toEqual({ verdict: "deny", rule: "dns_answer" });
  });

  it("holds for addresses in URLs", async () => {
    const jail = createJail({ nat64Prefixes });
    expect(await jail.judge("http://[2001:db8:64::10.0.0.1]/")).toEqual({ verdict: "deny", rule: "ipv6_embedded" });
    expect(await jail.judge("http://[2001:db8:64::198.41.0.4]/")).toEqual({ verdict: "allow" });
  });

  it("opens nothing behind it to an exemption, and no metadata service under it", async () => {
    const origin = "http://[2001:db8:64::a00:1]:3000";
    expect(() => createJail({ nat64Prefixes, exemptions: [{ origin, name: "x" }] })).toThrow(/may reach/);
    const jail = createJail({
      nat64Prefixes: ["fd00:ec2::/48", "2001:db8:64::/96"],
      exemptions: [{ origin: "http://searx.lan:8888", name: "search" }],
      resolve: async (host) => [host === "searx.lan" ? "2001:db8:64::10.0.0.1" : "fd00:ec2:0:c629:0:400::"],
    });
    expect(await jail.judge("http://searx.lan:8888/")).toEqual({ verdict: "deny", rule: "dns_answer" });
    expect(await jail.judge("http://example.org/")).toEqual({ verdict: "deny", rule: "dns_answer" });
  });

  it("is refused when it is none", () => {
    expect(() => createJail({ nat64Prefixes: ["2001:db8:64::/90"] })).toThrow(
      expect.objectContaining({ name: "ConfigError", code: "invalid_configuration" }),
    );
  });
});

describe("names that spell an address", () => {
  it.each(["10.0.0.1.nip.io", "127-0-0-1.sslip.io", "localtest.me", "1.1.1.1.nip.io"])(
    "are decided by what %s resolves to",
    async (host) => {
      const answering = (address: string) => createJail({ resolve: async () => [address] }).judge(`http://${host}/`);
      expect(await answering("127.0.0.1")).toEqual({ verdict: "deny", rule: "dns_answer" });
      expect(await answering("198.41.0.4")).toEqual({ verdict: "allow" });
    },
  );
});

it("opens no metadata service behind a NAT64 prefix inside a fake-IP network", async () => {
  const jail = createJail({
    exemptions: [{ network: "fc00::/18", name: "fake-IP" }],
    nat64Prefixes: ["fc00:64::/96"],
    resolve: async () => ["fc00:64::a9fe:a9fe"],
  });
  expect(await jail.judge("http://example.org/")).toEqual({ verdict: "deny", rule: "dns_answer" });
});
