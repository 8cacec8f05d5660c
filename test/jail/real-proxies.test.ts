import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { PROXIED_ORIGIN, PROXIED_SITE, PROXY, playThroughProxy } from "./namespace/proxy-plays.js";
import { OBSTACLE, titled } from "./namespace/scene.js";

/** Proxies that people run, with the least configuration each; what cannot be run here is skipped by name. */
function describeWith(command: string, tests: () => void): void {
  const isInstalled = spawnSync("which", [command]).status === 0;
  const title = isInstalled ? titled(command) : `${command} is not installed: skipped`;
  describe.skipIf(!isInstalled || OBSTACLE !== undefined)(title, tests);
}

const PROXY_HOST = `${PROXY.address}:${PROXY.port}`;
const SITE_HOST = new URL(PROXIED_ORIGIN).host;
const REACHED = { status: 200, text: `${PROXY.outgoing} asked ${PROXIED_SITE.address}` };

describeWith("squid", () => {
  // It gives up root by becoming another user, and a namespace of the user's own has no other: there it starts as none.
  const asNoRoot = process.getuid?.() === 0 ? [] : ["unshare", "--user", "--map-user=1", "--map-group=1"];
  const command = [...asNoRoot, "squid", "-N", "-f", "squid.conf"];
  const files = (...rules: readonly string[]) => ({
    "squid.conf": [
      `http_port ${PROXY_HOST}`,
      `tcp_outgoing_address ${PROXY.outgoing}`,
      "pid_filename none",
      "cache deny all",
      "cache_log /dev/null",
      "access_log none",
      "shutdown_lifetime 0 seconds",
      "visible_hostname lab",
      "hosts_file /etc/hosts",
      ...rules,
    ],
  });

  it("gives a tunnel to the checked address, and forwards by name when it resolves names", async () => {
    const { outcomes, hosts } = await playThroughProxy({
      command,
      files: files("http_access allow all"),
      asks: { tunnelled: { dns: "local" }, forwarded: { dns: "proxy" } },
    });
    expect(outcomes).toEqual({
      tunnelled: { ...REACHED, via: "exemption" },
      forwarded: { ...REACHED, via: "delegated" },
    });
    expect(hosts).toEqual([SITE_HOST, SITE_HOST]);
  });

  it("has its refusals told from the site's, in a tunnel and forwarded", async () => {
    const { outcomes } = await playThroughProxy({
      command,
      files: files(
        "acl tunnel method CONNECT",
        "acl secret urlpath_regex ^/secret",
        "http_access deny tunnel",
        "http_access deny secret",
        "http_access allow all",
      ),
      asks: {
        tunnelled: { dns: "local" },
        secret: { dns: "proxy", url: `${PROXIED_ORIGIN}/secret` },
        forwarded: { dns: "proxy" },
        gone: { dns: "proxy", isSiteGone: true },
      },
    });
    expect(outcomes).toMatchObject({
      tunnelled: { code: "proxy_failed", reason: "refused", status: 403 },
      secret: { code: "proxy_failed", reason: "refused", status: 403 },
      forwarded: REACHED,
      gone: { code: "proxy_failed", reason: "server_unreachable" },
    });
  });
});

describeWith("tinyproxy", () => {
  it("takes a password, and says when there is none", async () => {
    const { outcomes } = await playThroughProxy({
      command: ["tinyproxy", "-d", "-c", "tinyproxy.conf"],
      files: {
        "tinyproxy.conf": [
          `Port ${PROXY.port}`,
          `Listen ${PROXY.address}`,
          `Bind ${PROXY.outgoing}`,
          "Timeout 10",
          "MaxClients 20",
          "BasicAuth kate hunter2",
        ],
      },
      asks: { right: { proxy: `http://kate:hunter2@${PROXY_HOST}` }, missing: {} },
    });
    expect(outcomes).toMatchObject({
      right: REACHED,
      missing: { code: "proxy_failed", reason: "auth_required", status: 407 },
    });
  });
});

describeWith("microsocks", () => {
  it("takes a password (RFC 1929), a checked address, and names by socks5h:", async () => {
    const { outcomes, hosts } = await playThroughProxy({
      command: `microsocks -i ${PROXY.address} -p ${PROXY.port} -b ${PROXY.outgoing} -u user -P p@ss`.split(" "),
      asks: {
        right: { proxy: `socks5://user:p%40ss@${PROXY_HOST}` },
        wrong: { proxy: `socks5://user:wrong@${PROXY_HOST}` },
        named: { proxy: `socks5h://user:p%40ss@${PROXY_HOST}` },
        unknown: { proxy: `socks5h://user:p%40ss@${PROXY_HOST}`, url: "http://unknown.example.org/" },
      },
    });
    expect(outcomes).toMatchObject({
      right: { ...REACHED, via: "exemption" },
      wrong: { code: "proxy_failed", reason: "auth_refused" },
      named: { ...REACHED, via: "delegated" },
      unknown: { code: "proxy_failed", reason: "server_unreachable" },
    });
    expect(hosts).toEqual([SITE_HOST, SITE_HOST]);
  });
});
