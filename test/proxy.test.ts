import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPostern, type Postern, type PosternOptions } from "../src/index.js";
import { closeAfter } from "./helpers/close-after.js";
import { createHome, type Home, runCommand } from "./helpers/command.js";
import { LAB_ADDRESS, openHttpProxy, type ProxyServer } from "./helpers/proxy-server.js";
import { article, openSite, type Site } from "./helpers/site.js";

const HOST = "site.example.org";

async function lab(credentials?: string): Promise<{ site: Site; port: string; proxy: ProxyServer }> {
  const results = { results: [{ url: "https://ferns.example/", title: "Ferns", content: "All about spores." }] };
  const site = closeAfter(
    await openSite({
      "/": article("Ferns", "A fern unrolls its fronds."),
      "/search": (_request, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(results)),
    }),
  );
  const options = { knownHosts: [HOST], ...(credentials === undefined ? {} : { credentials }) };
  const proxy = closeAfter(await openHttpProxy(options));
  return { site, proxy, port: new URL(site.origin).port };
}

function open(port: string, options: PosternOptions): Postern {
  return closeAfter(
    createPostern({
      jail: { exemptions: [{ origin: `http://${HOST}:${port}`, name: "lab" }] },
      search: { searxngUrl: `http://${HOST}:${port}/`, provider: "searxng" },
      resolve: async () => [LAB_ADDRESS],
      env: {},
      ...options,
    }),
  );
}

it.each([
  ["by its URL", (url: string): PosternOptions => ({ proxy: { url } })],
  [
    "by the environment, when the user says so",
    (url: string): PosternOptions => ({ proxy: { url: "env" }, env: { ALL_PROXY: url } }),
  ],
  ["by Postern's own variable", (url: string): PosternOptions => ({ env: { POSTERN_PROXY: url } })],
])("one setting serves pages and search: %s", async (_how, options) => {
  const { port, proxy } = await lab();
  const postern = open(port, options(`http://127.0.0.1:${proxy.port}`));
  const page = await postern.fetch({ url: `http://${HOST}:${port}/` });
  expect([page.outcome, page.hops[0]?.via]).toEqual(["ok", "exemption"]);
  const found = await postern.search({ query: "ferns" });
  expect(found.results.map(({ title }) => title)).toEqual(["Ferns"]);
  expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${port}`, `${LAB_ADDRESS}:${port}`]);
});

it("leaves the environment's proxy alone until the user says so", async () => {
  const { port, proxy } = await lab();
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  const postern = open(port, { env, resolve: async () => ["127.0.0.1"] });
  expect((await postern.fetch({ url: `http://${HOST}:${port}/` })).outcome).toBe("ok");
  expect(proxy.connections).toBe(0);
});

it("says in the result that a proxy resolved the name", async () => {
  const { port, proxy } = await lab();
  const never = () => Promise.reject(new Error("nothing is looked up here"));
  const postern = open(port, { proxy: { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" }, resolve: never });
  const page = await postern.fetch({ url: `http://${HOST}:${port}/` });
  expect([page.outcome, page.hops[0]?.via]).toEqual(["ok", "delegated"]);
  expect(proxy.forwards).toEqual([`http://${HOST}:${port}/`]);
});

it("lets no model carry the proxy's password out, and no event tell it", async () => {
  const { port, proxy } = await lab("user:open sesame");
  const events: unknown[] = [];
  const url = `http://user:open%20sesame@127.0.0.1:${proxy.port}`;
  const postern = open(port, { proxy: { url }, policy: { approval: "allow" }, onEvent: (event) => events.push(event) });
  expect((await postern.fetch({ url: `http://${HOST}:${port}/`, caller: "model" })).outcome).toBe("ok");
  const leak = postern.fetch({ url: `http://${HOST}:${port}/?q=open%20sesame`, caller: "model" });
  await expect(leak).rejects.toMatchObject({ code: "policy_refused" });
  expect(JSON.stringify(events)).not.toContain("sesame");
});

it("gives the command of a search the same proxy, and its own none", async () => {
  const home: Home = await createHome();
  closeAfter({ close: home.remove });
  const bin = mkdtempSync(join(tmpdir(), "postern-bin-"));
  closeAfter({ close: () => rmSync(bin, { recursive: true }) });
  const seen = join(bin, "seen");
  const fake = `#!/bin/sh\nenv | grep -i _proxy= > '${seen}'\nexec sh '${join(import.meta.dirname, "fixtures/search/ddgs.sh")}' "$@"\n`;
  writeFileSync(join(bin, "ddgs"), fake, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH ?? ""}`, HTTPS_PROXY: "http://environment:3128" };
  const run = async (...flags: string[]) => {
    await runCommand(["search", "--provider", "ddgs", ...flags, "ferns"], home, { env });
    return readFileSync(seen, "utf8");
  };
  expect(await run("--proxy", "socks5://127.0.0.1:1080")).toMatch(/^HTTPS_PROXY=socks5:\/\/127\.0\.0\.1:1080$/m);
  expect(await run("--proxy", "env")).toMatch(/^HTTPS_PROXY=http:\/\/environment:3128$/m);
  expect(await run()).toMatch(/^HTTPS_PROXY=$/m);

  // In a CGI program HTTP_PROXY is a request's header (CVE-2016-5385).
  Object.assign(env, { HTTP_PROXY: "http://stranger:3128", REQUEST_METHOD: "GET" });
  expect(await run("--proxy", "env")).not.toContain("stranger");
});
