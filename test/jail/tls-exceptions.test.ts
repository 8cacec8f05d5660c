import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadConfig } from "../../src/config/index.js";
import {
  createJail,
  createTransport,
  type NetEvent,
  type TlsException,
  type TransportOptions,
} from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { fingerprintOf, serveWith, TLS_HOST, type TlsSite, tlsFixture, transportTo } from "../helpers/tls-site.js";

afterEach(() => {
  vi.restoreAllMocks();
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
});

const trusted = [tlsFixture("ca.pem")];
const urlOf = ({ port }: TlsSite, host = TLS_HOST): string => `https://${host}:${port}`;
const exceptionFor = (server: TlsSite, site: string): TlsException => ({
  origin: urlOf(server),
  name: "our NAS",
  sha256: fingerprintOf(site),
});

/** A transport with this exception, and what it told of finished hops. */
function transportWith(
  server: TlsSite,
  tlsExceptions: readonly TlsException[],
  options: Partial<TransportOptions> = {},
) {
  const named: (string | undefined)[] = [];
  const onEvent = (event: NetEvent): void => {
    if (event.type === "hop.finished") named.push(event.tlsException);
  };
  const transport = closeAfter(transportTo(server.port, { ca: trusted, tlsExceptions, onEvent, ...options }));
  return { transport, named, ask: (url = urlOf(server)) => transport.request({ url, timeoutMs: 5_000 }) };
}

describe("a TLS exception", () => {
  it.each(["expired", "not-yet", "self-signed", "other-host", "other-authority", "intercepted"])(
    "accepts exactly the pinned certificate (%s), and the event names it",
    async (site) => {
      const server = await serveWith(site);
      const { ask, named } = transportWith(server, [exceptionFor(server, site)]);
      expect(Buffer.from((await ask()).bytes).toString()).toBe("secure");
      expect(named).toEqual(["our NAS"]);
    },
  );

  it("takes the fingerprint in either spelling", async () => {
    const server = await serveWith("self-signed");
    const plain = fingerprintOf("self-signed").replaceAll(":", "").toLowerCase();
    const { ask } = transportWith(server, [{ ...exceptionFor(server, "self-signed"), sha256: plain }]);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    ["another self-signed one", "self-signed-renewed"],
    ["one of a known authority for another host", "other-host"],
  ])("refuses %s, before a byte of the request is sent", async (_which, site) => {
    const server = await serveWith(site);
    const { ask, named } = transportWith(server, [exceptionFor(server, "self-signed")]);
    await expect(ask()).rejects.toMatchObject({
      code: "tls_failed",
      hint: expect.stringContaining("jail.tlsExceptions"),
      details: {
        reason: "pin_mismatch",
        sha256: fingerprintOf(site).replaceAll(":", "").toLowerCase(),
        requests: 0,
      },
    });
    expect([server.received, named]).toEqual([[], []]);
    await expect.poll(() => server.open).toBe(0);
  });

  it("refuses another certificate whatever the environment says", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const server = await serveWith("self-signed-renewed");
    const { ask } = transportWith(server, [exceptionFor(server, "self-signed")]);
    await expect(ask()).rejects.toMatchObject({ details: { reason: "pin_mismatch" } });
  });

  it("is not needed, and not named, once the certificate is a good one", async () => {
    const server = await serveWith("good");
    const { ask, named } = transportWith(server, [exceptionFor(server, "self-signed")]);
    expect((await ask()).status).toBe(200);
    expect(named).toEqual([undefined]);
  });

  it("is asked again when the certificate changes between two connections", async () => {
    const server = await serveWith("self-signed");
    const { ask } = transportWith(server, [exceptionFor(server, "self-signed")], { keepAliveMs: 1 });
    await ask();
    await expect.poll(() => server.open).toBe(0);
    server.present("self-signed-renewed");
    await expect(ask()).rejects.toMatchObject({ details: { reason: "pin_mismatch" } });
  });

  it("is named again for a warm connection", async () => {
    const server = await serveWith("self-signed");
    const { ask, named } = transportWith(server, [exceptionFor(server, "self-signed")]);
    await ask();
    await ask();
    expect([named, server.resumed]).toEqual([["our NAS", "our NAS"], [false]]);
  });

  it("leaves the rest of the handshake's rules as they are", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const server = await serveWith("self-signed", old);
    const { ask } = transportWith(server, [exceptionFor(server, "self-signed")]);
    await expect(ask()).rejects.toMatchObject({ details: { reason: "old_protocol" } });
  });

  it("opens no address and no port", async () => {
    const server = await serveWith("self-signed");
    const hosts = [TLS_HOST, "127.0.0.1"];
    const tlsExceptions = hosts.map((host) => ({
      ...exceptionFor(server, "self-signed"),
      origin: urlOf(server, host),
    }));
    const rulesOf = (ports: readonly number[]): Promise<readonly unknown[]> => {
      const jail = createJail({ ports, resolve: async () => ["127.0.0.1"] });
      const { ask } = transportWith(server, tlsExceptions, { jail });
      return Promise.all(hosts.map((host) => ask(urlOf(server, host)).catch((error) => error.rule)));
    };
    expect(await rulesOf([])).toEqual(["port", "port"]);
    expect(await rulesOf([server.port])).toEqual(["dns_answer", "ipv4_special"]);
    expect(server.open + server.resumed.length).toBe(0);
  });
});

describe("an exception does not help", () => {
  it("the same server by another name: it gets neither the warm connection nor one of its own", async () => {
    const server = await serveWith("self-signed");
    const other = "other.example.org";
    const jail = createJail({
      exemptions: [TLS_HOST, other].map((host) => ({ origin: urlOf(server, host), name: host })),
      resolve: async () => ["127.0.0.1"],
    });
    const { ask, named } = transportWith(server, [exceptionFor(server, "self-signed")], { jail });
    await ask();
    expect(server.open, "the connection stays warm").toBe(1);
    await expect(ask(urlOf(server, other))).rejects.toMatchObject({ details: { reason: "self_signed" } });
    await expect(ask(urlOf(server, other))).rejects.toMatchObject({ details: { reason: "self_signed" } });
    await ask();
    expect(server.received.join("").match(/GET /g)).toHaveLength(2);
    expect(server.received.join("")).not.toContain(other);
    expect(named).toEqual(["our NAS", "our NAS"]);
  });

  it("another server with the very same certificate, on another port", async () => {
    const server = await serveWith("self-signed");
    const second = await serveWith("self-signed");
    const { ask } = transportWith(second, [exceptionFor(server, "self-signed")]);
    await expect(ask()).rejects.toMatchObject({ details: { reason: "self_signed" } });
  });

  it("a transport that does not have it", async () => {
    const server = await serveWith("self-signed");
    await transportWith(server, [exceptionFor(server, "self-signed")]).ask();
    await expect(transportWith(server, []).ask()).rejects.toMatchObject({ details: { reason: "self_signed" } });
  });
});

describe("an exception that cannot be one", () => {
  const good: TlsException = { origin: "https://nas.example.org", name: "NAS", sha256: fingerprintOf("self-signed") };
  it.each<[string, object, RegExp]>([
    ["http", { origin: "http://nas.example.org" }, /no origin with https:/],
    ["a path", { origin: "https://nas.example.org/admin" }, /not an exact origin/],
    ["a slash", { origin: "https://nas.example.org/" }, /not an exact origin/],
    ["another spelling", { origin: "https://NAS.example.org:443" }, /not an exact origin/],
    ["a wildcard", { origin: "*" }, /no origin/],
    ["no name", { name: "" }, /printable/],
    ["a name with a line break", { name: "a\nb" }, /printable/],
    ["half a fingerprint", { sha256: good.sha256.slice(0, 47) }, /no SHA-256 fingerprint/],
    ["a SHA-1 fingerprint", { sha256: "00:".repeat(19).concat("00") }, /no SHA-256 fingerprint/],
    ["no fingerprint", { sha256: undefined }, /no SHA-256 fingerprint/],
    ["a fingerprint with words around it", { sha256: `SHA256:${good.sha256}` }, /no SHA-256 fingerprint/],
  ])("%s", (_what, wrong, words) => {
    const tlsExceptions = [{ ...good, ...wrong } as TlsException];
    expect(() => createTransport({ jail: createJail(), tlsExceptions })).toThrow(words);
    expect(() => createTransport({ jail: createJail(), tlsExceptions: [good] })).not.toThrow();
  });
});

describe("the setting `jail.tlsExceptions`", () => {
  const exception = { origin: "https://nas.example.org", name: "NAS", sha256: fingerprintOf("self-signed") };

  async function settingsFrom(files: { readonly user?: object; readonly project?: object }) {
    const home = await mkdtemp(join(tmpdir(), "postern-tls-"));
    closeAfter({ close: () => rm(home, { recursive: true }) });
    await mkdir(join(home, "postern"));
    await mkdir(join(home, "repo", ".git"), { recursive: true });
    if (files.user !== undefined) await writeFile(join(home, "postern", "config.json"), JSON.stringify(files.user));
    if (files.project !== undefined) {
      await writeFile(join(home, "repo", "postern.config.json"), JSON.stringify(files.project));
    }
    const env = { XDG_CONFIG_HOME: home, POSTERN_TLS_EXCEPTIONS: JSON.stringify([exception]) };
    const { settings, warnings } = await loadConfig({ env, cwd: join(home, "repo") });
    return { tlsExceptions: settings.jail.tlsExceptions, warnings: warnings.join("\n") };
  }

  it("is the user's file's alone: no project and no variable can set it", async () => {
    const files = { jail: { tlsExceptions: [exception] } };
    expect((await settingsFrom({ user: files })).tlsExceptions).toEqual([exception]);
    const { tlsExceptions, warnings } = await settingsFrom({ project: files });
    expect(tlsExceptions).toEqual([]);
    expect(warnings).toContain("`jail.tlsExceptions` is ignored");
    expect(warnings).toContain("POSTERN_TLS_EXCEPTIONS is no setting");
  });
});
