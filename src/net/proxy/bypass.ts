import { ConfigError } from "../../errors.js";
import { parseIpAddress } from "../ip-address.js";
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
  if (literal === undefined) return host === "localhost" || host.endsWith(".localhost");
  const octets = literal.family === 6 && isMapped(literal.bytes) ? literal.bytes.slice(12) : literal.bytes;
  return octets.length === 4 ? octets[0] === 127 : octets.every((octet, i) => octet === (i === 15 ? 1 : 0));
}

/** RFC 4291 2.5.5.2. */
function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((octet) => octet === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

function parseEntry(entry: string): Bypass {
  if (entry === "*") return () => true;
  const block = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(entry);
  if (block !== null) return inBlock(entry, block[1] ?? "", Number(block[2]));

  const [, bracketed, plain = entry, portText] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain).replace(/^\*?\./, "").replace(/\.$/, "");
  const port = portText === undefined ? undefined : Number(portText);
  const address = parseIpAddress(name);
  if (name === "" || /[\s*/@[\]]/.test(name)) throw invalid(`has an entry that is no host: ${printable(entry)}`);
  const isHost: Bypass =
    address === undefined
      ? ({ host }) => host === name || host.endsWith(`.${name}`)
      : ({ literal }) => literal !== undefined && String(literal.bytes) === String(address.bytes);
  return port === undefined ? isHost : (url) => url.port === port && isHost(url);
}

function inBlock(entry: string, prefix: string, bits: number): Bypass {
  const base = parseIpAddress(prefix);
  if (base === undefined || bits > base.bytes.length * 8)
    throw invalid(`has a block that is none: ${printable(entry)}`);
  const wanted = leadingBits(base.bytes, bits);
  return ({ literal }) => literal?.family === base.family && leadingBits(literal.bytes, bits) === wanted;
}

function leadingBits(bytes: readonly number[], bits: number): string {
  const all = bytes.map((octet) => octet.toString(2).padStart(8, "0")).join("");
  return all.slice(0, bits);
}

const printable = (entry: string): string => entry.slice(0, 80).replace(/[^\x20-\x7e]/g, "?");

function invalid(what: string): ConfigError {
  return new ConfigError("invalid_configuration", `The list of hosts without a proxy ${what}.`, {
    hint: "Entries look like example.com, .example.com, 10.1.2.3, 10.0.0.0/8 or host:8080.",
  });
}
