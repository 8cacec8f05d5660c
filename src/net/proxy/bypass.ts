import { ConfigError } from "../../errors.js";
import { parseUrl } from "../../parse-url.js";
import { parseIpAddress } from "../ip-address.js";
import { isInAnyRange, isInRange, parseAddressOrBlock } from "../ip-range.js";
import { LOOPBACK_RANGES } from "../ip-ranges.js";
import type { CheckedUrl } from "../url-check.js";

/** Is this URL asked without the proxy? */
export type Bypass = (url: Pick<CheckedUrl, "host" | "port" | "literal">) => boolean;

const MAX_ENTRIES = 10_000;

/**
 * The entries of `NO_PROXY` as curl, Go and Python read them: `*`; a name, for itself and all below it, with or without
 * a leading `.` or `*.`; an address; a block such as `10.0.0.0/8`; each with `:port` if it means one port alone. An
 * address or block is compared with hosts that are written as one: nothing is looked up for it.
 * @throws ConfigError for an entry that means nothing
 */
export function createBypass(entries: readonly string[]): Bypass {
  if (entries.length > MAX_ENTRIES) throw invalid(`has more than ${MAX_ENTRIES} entries`);
  const rules = entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== "");
  const matchers = rules.map(parseEntry);
  return (url) => isLoopback(url) || matchers.some((matches) => matches(url));
}

/** As browsers do: this machine's own servers are not the proxy's. */
function isLoopback({ host, literal }: Parameters<Bypass>[0]): boolean {
  return literal === undefined ? /(?:^|\.)localhost$/.test(host) : isInAnyRange(literal, LOOPBACK_RANGES);
}

function parseEntry(entry: string): Bypass {
  if (entry === "*") return () => true;
  if (entry.includes("/")) return inBlock(entry);
  const [, bracketed, plain = entry, portText] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain).replace(/^\*?\./, "").replace(/\.$/, "");
  const port = portText === undefined ? undefined : Number(portText);
  const isNoHost = name === "" || /[\s*@[\]]/.test(name);
  if (isNoHost || (port ?? 0) > 65_535) throw invalid(`has an entry that is no host: ${printable(entry)}`);
  const isHost =
    parseIpAddress(name) === undefined ? isNameOrBelow(parseUrl(`http://${name}/`)?.hostname ?? name) : inBlock(name);
  return port === undefined ? isHost : (url) => url.port === port && isHost(url);
}

function isNameOrBelow(name: string): Bypass {
  return ({ host }) => host === name || host.endsWith(`.${name}`);
}

function inBlock(entry: string): Bypass {
  const block = parseAddressOrBlock(entry);
  if (block === undefined) throw invalid(`has a block that cannot be read: ${printable(entry)}`);
  return ({ literal }) => literal !== undefined && isInRange(literal, block);
}

const printable = (entry: string): string => entry.slice(0, 80).replace(/[^\x20-\x7e]/g, "?");

function invalid(what: string): ConfigError {
  return new ConfigError("invalid_configuration", `The list of hosts without a proxy ${what}.`, {
    hint: "Entries look like example.com, .example.com, 10.1.2.3, 10.0.0.0/8 or host:8080.",
  });
}
