import { ConfigError } from "../errors.js";
import { parseUrl } from "../parse-url.js";

/**
 * Hosts by what becomes of them. `example.com` is that host; `*.example.com` everything below it and not itself; `*`
 * every host; `example.com:8443` only that port. In `ask` and `deny`, which tighten, a bare host covers everything below
 * it too. `domain:example.com` and `WebFetch(domain:example.com)`, as other hosts write it, are understood. Names in
 * other scripts are compared in their ASCII form (UTS #46), IPv4 addresses inside IPv6 literals as IPv4.
 */
export interface HostRuleLists {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export type HostVerdict = "allow" | "ask" | "deny";

export interface HostRules {
  /** Deny wins, then ask, then allow; `undefined` when no rule speaks of the host. */
  judge(url: URL): HostVerdict | undefined;
}

interface HostPattern {
  /** Lower-case ASCII without a trailing dot; empty for every host. */
  readonly host: string;
  readonly below: boolean;
  readonly port: string;
}

interface HostList {
  readonly hosts: Set<string>;
  readonly below: Set<string>;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const ORDER: readonly HostVerdict[] = ["deny", "ask", "allow"];

/** Throws `ConfigError` (`invalid_configuration`) for a rule that cannot be read. */
export function createHostRules(lists: HostRuleLists): HostRules {
  const compiled = ORDER.map((verdict) => ({
    verdict,
    list: compile(lists[verdict] ?? [], verdict !== "allow"),
  }));
  return { judge: (url) => compiled.find(({ list }) => matches(list, url))?.verdict };
}

function compile(rules: readonly string[], bareCoversBelow: boolean): HostList {
  const list: HostList = { hosts: new Set(), below: new Set() };
  for (const { host, below, port } of rules.map(parseHostRule)) {
    if (!below) list.hosts.add(`${host}:${port}`);
    if (below || bareCoversBelow) list.below.add(`${host}:${port}`);
  }
  return list;
}

function matches(list: HostList, url: URL): boolean {
  const host = hostOf(url);
  const ports = ["", url.port === "" ? (DEFAULT_PORTS[url.protocol] ?? "") : url.port];
  const has = (set: Set<string>, name: string): boolean => ports.some((port) => set.has(`${name}:${port}`));
  return has(list.hosts, host) || parents(host).some((parent) => has(list.below, parent));
}

/** `a.b.c` is below `b.c`, `c` and, as every host is, the empty name. */
function parents(host: string): readonly string[] {
  const labels = host.startsWith("[") ? [host] : host.split(".");
  return labels.map((_, index) => labels.slice(index + 1).join("."));
}

function parseHostRule(rule: string): HostPattern {
  const bare = rule
    .trim()
    .replace(/^WebFetch\((.*)\)$/i, "$1")
    .replace(/^domain:/i, "")
    .trim();
  if (bare === "*") return { host: "", below: true, port: "" };
  const [, wildcard, name, port = ""] =
    /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]*%]+)(?::(\d{1,5}))?$/i.exec(bare) ?? [];
  const host = name === undefined ? undefined : canonicalHost(name);
  if (host === undefined) {
    throw new ConfigError(
      "invalid_configuration",
      `The host rule ${JSON.stringify(rule.slice(0, 100))} cannot be read.`,
      {
        hint: "Write a host (`example.com`), everything below one (`*.example.com`), either with a port (`example.com:8443`), or `*`.",
        details: { rule: rule.slice(0, 100) },
      },
    );
  }
  return { host, below: wildcard !== undefined, port: port === "" ? "" : String(Number(port)) };
}

function canonicalHost(name: string): string | undefined {
  const url = parseUrl(`http://${name}/`);
  return url && (hostOf(url) || undefined);
}

/** Without a trailing dot; an IPv6 literal that carries an IPv4 address (RFC 4291 2.5.5.2, RFC 6052 2.1) as that address. */
function hostOf(url: URL): string {
  const host = url.hostname.replace(/\.$/, "");
  const [carried, high = "0", low = "0"] =
    /^\[(?:::ffff:|64:ff9b::)(?:(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4}))?\]$/.exec(host) ?? [];
  if (carried === undefined) return host;
  const groups = [high, low].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}
