import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJail, createTransport, type ProxyOptions, type Transport } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { listen } from "../helpers/listening.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";
import { asTestClient } from "../helpers/recorder-test-client.js";

const HOST = "site.example.org";

/** An address of this machine that a proxy can be asked for: it never is for loopback, nor for what no exemption opens. */
async function ownAddress(): Promise<string | undefined> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  for (const { address } of interfaces.filter(({ internal }) => !internal)) {
    const exemptions = [{ origin: `http://${HOST}:3000`, name: "site" }];
    const { verdict } = await createJail({ exemptions, resolve: async () => [address] }).judge(`http://${HOST}:3000/`);
    if (verdict === "allow") return address;
  }
  return undefined;
}
const ADDRESS = await ownAddress();

/** Proxies that people run, with the least configuration each; what cannot be run here is skipped by name. */
function describeWith(command: string, tests: () => void): void {
  const isInstalled = spawnSync("which", [command]).status === 0;
  const obstacle = isInstalled ? "this machine has no address but loopback" : `${command} is not installed`;
  const canRun = isInstalled && ADDRESS !== undefined;
  describe.skipIf(!canRun)(canRun ? command : `${command}: ${obstacle}: skipped`, tests);
}

const site = async (): Promise<RawServer> =>
  closeAfter(
    await openRawServer((socket) => socket.write(answer("200 OK", {}, "the site")), { host: ADDRESS ?? "127.0.0.1" }),
  );

function transportThrough(target: RawServer, proxy: Omit<ProxyOptions, "https">): Transport {
  const jail = createJail({
    exemptions: [{ origin: `http://${HOST}:${target.port}`, name: "site" }],
    resolve: async () => [ADDRESS ?? "127.0.0.1"],
  });
  return closeAfter(createTransport({ jail, proxy }));
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "postern-proxy-"));
  chmodSync(path, 0o755);
  closeAfter({ close: () => rmSync(path, { recursive: true, force: true }) });
  return path;
}

async function start(command: string, args: readonly string[], port: number): Promise<void> {
  const child: ChildProcess = spawn(command, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  closeAfter({
    close() {
      child.kill("SIGKILL");
      return ended;
    },
  });
  await expect.poll(() => isListening(port), { timeout: 10_000, interval: 50 }).toBe(true);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = asTestClient(() => connect(port, "127.0.0.1"));
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}

describeWith("squid", () => {
  async function squid(...rules: readonly string[]): Promise<number> {
    const [port, home] = [await freePort(), folder()];
    const lines = [
      `http_port 127.0.0.1:${port}`,
      `pid_filename none`,
      "cache deny all",
      "cache_log /dev/null",
      "access_log none",
      "shutdown_lifetime 0 seconds",
      "visible_hostname lab",
      `coredump_dir ${home}`,
      `hosts_file ${join(home, "hosts")}`,
      ...rules,
    ];
    writeFileSync(join(home, "hosts"), `${ADDRESS} ${HOST}\n`);
    writeFileSync(join(home, "squid.conf"), `${lines.join("\n")}\n`);
    await start("squid", ["-N", "-f", join(home, "squid.conf")], port);
    return port;
  }

  it("gives a tunnel to the checked address, and forwards by name when it resolves names", async () => {
    const server = await site();
    const port = await squid("http_access allow all");
    for (const [dns, via] of [
      ["local", "exemption"],
      ["proxy", "delegated"],
    ] as const) {
      const transport = transportThrough(server, { http: `http://127.0.0.1:${port}`, dns });
      const response = await transport.request({ url: `http://${HOST}:${server.port}/page` });
      expect([Buffer.from(response.bytes).toString(), response.hops[0]?.via]).toEqual(["the site", via]);
    }
    expect(server.received.map((text) => /^host: .*$/im.exec(text)?.[0]?.toLowerCase().trim())).toEqual(
      Array(2).fill(`host: ${HOST}:${server.port}`),
    );
  });

  it("has its refusals told from the site's, in a tunnel and forwarded", async () => {
    const server = await site();
    const port = await squid(
      "acl tunnel method CONNECT",
      "acl secret urlpath_regex ^/secret",
      "http_access deny tunnel",
      "http_access deny secret",
      "http_access allow all",
    );
    const ask = (dns: "local" | "proxy", path: string) =>
      transportThrough(server, { http: `http://127.0.0.1:${port}`, dns }).request({
        url: `http://${HOST}:${server.port}${path}`,
      });
    await expect(ask("local", "/")).rejects.toMatchObject({
      code: "proxy_failed",
      details: { reason: "refused", status: 403 },
    });
    await expect(ask("proxy", "/secret")).rejects.toMatchObject({ details: { reason: "refused", status: 403 } });
    expect((await ask("proxy", "/")).status).toBe(200);
    await server.close();
    await expect(ask("proxy", "/")).rejects.toMatchObject({ details: { reason: "server_unreachable" } });
  });
});

describeWith("tinyproxy", () => {
  it("takes a password, and says when there is none", async () => {
    const server = await site();
    const [port, home] = [await freePort(), folder()];
    const lines = [`Port ${port}`, "Listen 127.0.0.1", "Timeout 10", "MaxClients 20", "BasicAuth kate hunter2"];
    writeFileSync(join(home, "tinyproxy.conf"), `${lines.join("\n")}\n`);
    await start("tinyproxy", ["-d", "-c", join(home, "tinyproxy.conf")], port);
    const ask = (userinfo: string) =>
      transportThrough(server, { http: `http://${userinfo}127.0.0.1:${port}` }).request({
        url: `http://${HOST}:${server.port}/`,
      });
    expect((await ask("kate:hunter2@")).status).toBe(200);
    await expect(ask("")).rejects.toMatchObject({
      code: "proxy_failed",
      details: { reason: "auth_required", status: 407 },
    });
  });
});

describeWith("microsocks", () => {
  it("takes a password (RFC 1929), a checked address, and names by socks5h:", async () => {
    const server = await site();
    const port = await freePort();
    await start("microsocks", ["-i", "127.0.0.1", "-p", String(port), "-u", "user", "-P", "p@ss"], port);
    const ask = (url: string, host: string) =>
      transportThrough(server, { http: url, bypass: [] }).request({ url: `http://${host}:${server.port}/` });
    expect((await ask(`socks5://user:p%40ss@127.0.0.1:${port}`, HOST)).status).toBe(200);
    await expect(ask(`socks5://user:wrong@127.0.0.1:${port}`, HOST)).rejects.toMatchObject({
      details: { reason: "auth_refused" },
    });
    await expect(ask(`socks5h://user:p%40ss@127.0.0.1:${port}`, HOST)).rejects.toMatchObject({
      code: "proxy_failed",
      details: { reason: "server_unreachable" },
    });
    expect(server.connections).toBe(1);
  });
});
