import * as z from "zod";
import type { Setting, SettingPath, ValueAt } from "./setting.js";

const whole = (minimum: number, maximum: number) => z.int().min(minimum).max(maximum);
const hosts = z.array(z.string().min(1).max(300)).max(10_000).readonly();
const key = z
  .string()
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, "a key has only printable ASCII characters and no spaces");
const providerId = z.string().regex(/^[a-z][a-z0-9-]*$/, "a provider's id looks like `brave`");
const chainMember = providerId.refine((id) => id !== "auto" && id !== "none", "`auto` and `none` stand alone");
const exemptionName = z.string().min(1).max(64);
const path = z.string().min(1).max(4_096);

/** Every setting there is, by its dotted path in `config.json`. `docs/configuration.md` is generated from this table. */
export const SETTINGS: { readonly [P in SettingPath]: Setting<ValueAt<P>> } = {
  "search.provider": {
    schema: z.union([providerId, z.array(chainMember).min(1).max(20).readonly()]),
    doc: "`auto`, `none`, one provider's id, or an ordered list of ids.",
    project: "choose",
    env: ["POSTERN_SEARCH_PROVIDER"],
    fallback: "auto",
  },
  "search.searxngUrl": {
    schema: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .regex(/^[^@]*$/, "a user name and password cannot stand in it"),
    doc: "Base URL of your own SearXNG. Exactly its origin is trusted, a private one too.",
    project: "never",
    env: ["SEARXNG_URL", "WEB_SEARCH_URL"],
  },
  "search.timeoutMs": {
    schema: whole(100, 120_000),
    doc: "Deadline of a whole search.",
    project: "lower",
    env: ["POSTERN_SEARCH_TIMEOUT_MS"],
    fallback: 15_000,
  },
  "keys.brave": {
    schema: key,
    doc: "Brave Search API key.",
    project: "never",
    env: ["BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"],
    secret: true,
  },
  "keys.tavily": { schema: key, doc: "Tavily API key.", project: "never", env: ["TAVILY_API_KEY"], secret: true },
  "fetch.timeoutMs": {
    schema: whole(100, 120_000),
    doc: "Deadline of a whole fetch: DNS, connect, every hop, body, conversion.",
    project: "lower",
    env: ["POSTERN_FETCH_TIMEOUT_MS"],
    fallback: 15_000,
  },
  "fetch.maxBytes": {
    schema: whole(1_000, 100_000_000),
    doc: "Bytes read of one page, counted encoded and decoded.",
    project: "lower",
    env: ["POSTERN_FETCH_MAX_BYTES"],
    fallback: 2_000_000,
  },
  "fetch.maxRedirects": { schema: whole(0, 20), doc: "Redirects followed.", project: "lower", fallback: 5 },
  "fetch.maxChars": {
    schema: whole(2_000, 10_000_000),
    doc: "Characters of one answer with its envelope. Hosts cut longer ones in the middle.",
    project: "lower",
    env: ["POSTERN_MAX_CHARS"],
    fallback: 11_000,
  },
  "fetch.cacheTtlMs": {
    schema: whole(0, 86_400_000),
    doc: "How long a page is remembered.",
    project: "lower",
    fallback: 900_000,
  },
  "fetch.cacheMaxBytes": {
    schema: whole(0, 10_000_000_000),
    doc: "Memory for remembered pages.",
    project: "lower",
    fallback: 50_000_000,
  },
  "fetch.userAgent": {
    schema: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x20-\x7e]+$/, "only printable ASCII"),
    doc: "`User-Agent` of page requests.",
    project: "never",
    env: ["POSTERN_USER_AGENT"],
  },
  "jail.ports": {
    schema: z.array(whole(1, 65_535)).max(100).readonly(),
    doc: "Ports a URL may name besides 80, 443, 8080 and 8443.",
    project: "never",
    fallback: [],
  },
  "jail.exemptions": {
    schema: z
      .array(
        z.union([
          z.strictObject({ origin: z.string().max(300), name: exemptionName }).readonly(),
          z.strictObject({ network: z.string().max(100), name: exemptionName }).readonly(),
        ]),
      )
      .max(1_000)
      .readonly(),
    doc: "Exact origins, each with a name, that may be private: a dev server, an intranet host. Never link-local or metadata addresses. Or, as `network`, the block a fake-IP proxy answers from: `198.18.0.0/15` or `fc00::/18`.",
    project: "never",
    fallback: [],
  },
  "jail.deny": {
    schema: z.array(z.string().min(2).max(50)).max(10_000).readonly(),
    doc: "Addresses and blocks that are refused, public ones too, in every spelling and whatever name leads there: `192.0.2.1`, `192.0.2.0/24`. Wins over exemptions.",
    project: "extend",
    fallback: [],
  },
  "jail.nat64Prefixes": {
    schema: z.array(z.string().max(50)).max(20).readonly(),
    doc: "This network's own NAT64 prefixes, such as `2001:db8:64::/96`: addresses below them are judged by the IPv4 address inside, as below 64:ff9b::/96 everywhere.",
    project: "never",
    fallback: [],
  },
  "jail.caFiles": {
    schema: z.array(path).max(100).readonly(),
    doc: "PEM files of further certificate authorities. Those of Node.js, of the system, and of `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` and `SSL_CERT_DIR` are trusted anyway.",
    project: "never",
    fallback: [],
  },
  "jail.tlsExceptions": {
    schema: z
      .array(
        z
          .strictObject({ origin: z.string().max(300), name: z.string().min(1).max(64), sha256: z.string().max(100) })
          .readonly(),
      )
      .max(1_000)
      .readonly(),
    doc: "Exact `https:` origins, each with a name and the SHA-256 fingerprint of the one certificate that is accepted although it is expired, self-signed or another host's. Opens no address.",
    project: "never",
    fallback: [],
  },
  "proxy.url": {
    schema: z
      .string()
      .min(1)
      .max(2_000)
      .regex(/^[\x21-\x7e]+$/, "a proxy's URL has only printable ASCII characters and no spaces"),
    doc: "The proxy that everything goes through: `none`, `env` for `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or a URL: `http://`, `https://`, `socks5://` or `socks5h://`, with `user:password@` if it wants them.",
    project: "never",
    env: ["POSTERN_PROXY"],
    fallback: "none",
    secret: true,
    // Scheme and host alone, however the rest was written.
    shown: (value) =>
      String(value)
        .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/i, "$1…@")
        .replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#\\]*).*$/i, "$1"),
  },
  "proxy.bypass": {
    schema: z.array(z.string().min(1).max(300)).max(1_000).readonly(),
    doc: "Hosts that are asked without the proxy, as in `NO_PROXY`: `example.com` and all below it, an address, a block such as `10.0.0.0/8`, `host:port`. This machine's own loopback always is. `NO_PROXY` itself counts when `proxy.url` is `env`.",
    project: "never",
    env: ["POSTERN_PROXY_BYPASS"],
    fallback: [],
  },
  "proxy.dns": {
    schema: z.enum(["local", "proxy"]),
    doc: "Who resolves names. `local`: here; every address is checked, and the proxy is asked for that address. `proxy`: the proxy, where only it can; its choice cannot be checked, results say `delegated`, and names inside its network are reached too unless `policy.deny` has them.",
    project: "never",
    env: ["POSTERN_PROXY_DNS"],
    fallback: "local",
  },
  "policy.allow": { schema: hosts, doc: "Hosts a model may reach without asking.", project: "never", fallback: [] },
  "policy.ask": { schema: hosts, doc: "Hosts that are asked for each time.", project: "extend", fallback: [] },
  "policy.deny": {
    schema: hosts,
    doc: "Hosts that are refused, subdomains included. Wins over everything.",
    project: "extend",
    env: ["POSTERN_DENY_HOSTS"],
    fallback: [],
  },
  "policy.approval": {
    schema: z.enum(["ask", "allow"]),
    doc: "Whether a model's first call asks (and is refused when nobody can be asked) or was allowed beforehand. Where it is not set, `postern mcp` leaves it to the host.",
    project: "never",
    env: ["POSTERN_APPROVAL"],
    fallback: "ask",
  },
  "policy.seenOnly": {
    schema: z.boolean(),
    doc: "A model may fetch only URLs that the user gave or a tool returned.",
    project: "enable",
    env: ["POSTERN_SEEN_ONLY"],
    fallback: false,
  },
  "policy.offline": {
    schema: z.boolean(),
    doc: "Nothing leaves the machine; only the documentation index answers.",
    project: "enable",
    env: ["POSTERN_OFFLINE"],
    fallback: false,
  },
  "budget.maxRequests": {
    schema: whole(0, 1_000_000_000),
    doc: "Requests in one session.",
    project: "lower",
    env: ["POSTERN_MAX_REQUESTS"],
  },
  "budget.maxBytes": {
    schema: whole(0, 1_000_000_000_000),
    doc: "Bytes of pages received in one session.",
    project: "lower",
  },
  "budget.maxResults": { schema: whole(0, 1_000_000_000), doc: "Search results in one session.", project: "lower" },
  "budget.maxDurationMs": {
    schema: whole(0, 1_000_000_000),
    doc: "Time spent in calls in one session.",
    project: "lower",
  },
  "budget.maxCostUsd": {
    schema: z.number().min(0),
    doc: "Money in one session. A call whose price is unknown is then refused.",
    project: "lower",
    env: ["POSTERN_MAX_COST_USD"],
  },
  "index.directory": {
    schema: path,
    doc: "Where the documentation index lives.",
    project: "never",
    env: ["POSTERN_INDEX_DIRECTORY"],
  },
  "log.file": {
    schema: path,
    doc: "Where events are appended as JSON lines.",
    project: "never",
    env: ["POSTERN_LOG_FILE"],
  },
};

export const SETTING_PATHS: readonly SettingPath[] = Object.keys(SETTINGS) as SettingPath[];

export function isSettingPath(value: string): value is SettingPath {
  return Object.hasOwn(SETTINGS, value);
}

/** The row of a path, its value type widened for code that walks the table. */
export function settingAt(path: SettingPath): Setting {
  return SETTINGS[path] as Setting;
}
