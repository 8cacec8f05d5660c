import ipaddr from "ipaddr.js";

/** What the fuzzer asks about: an address as a number, or text that is none. */
export interface ModelAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export type Verdict = "allow" | "deny";

/**
 * The IANA special-purpose address registries (RFC 6890 and its successors) and the multicast blocks, one line a block:
 * `+` for "globally reachable: true", `-` for false, not applicable or deprecated. Written here a second time and read
 * another way than src/net reads its own tables, so that a slip in one of them shows.
 */
const REGISTRY = `
- 0.0.0.0/8
- 0.0.0.0/32
- 10.0.0.0/8
- 100.64.0.0/10
- 127.0.0.0/8
- 169.254.0.0/16
- 172.16.0.0/12
- 192.0.0.0/24
- 192.0.0.0/29
- 192.0.0.8/32
+ 192.0.0.9/32
+ 192.0.0.10/32
- 192.0.0.170/32
- 192.0.0.171/32
- 192.0.2.0/24
+ 192.31.196.0/24
+ 192.52.193.0/24
- 192.88.99.0/24
- 192.168.0.0/16
+ 192.175.48.0/24
- 198.18.0.0/15
- 198.51.100.0/24
- 203.0.113.0/24
- 224.0.0.0/4
- 240.0.0.0/4
- 255.255.255.255/32
- ::/0
+ 2000::/3
- ::1/128
- ::/128
- ::ffff:0:0/96
+ 64:ff9b::/96
- 64:ff9b:1::/48
- 100::/64
- 100:0:0:1::/64
- 2001::/23
- 2001::/32
+ 2001:1::1/128
+ 2001:1::2/128
+ 2001:1::3/128
- 2001:2::/48
+ 2001:3::/32
+ 2001:4:112::/48
- 2001:10::/28
+ 2001:20::/28
+ 2001:30::/28
- 2001:db8::/32
- 2002::/16
+ 2620:4f:8000::/48
- 3fff::/20
- 5f00::/16
- fc00::/7
- fe80::/10
- ff00::/8
`;

/** A block as its first and its last address. */
export interface Block {
  readonly cidr: string;
  readonly family: 4 | 6;
  readonly length: number;
  readonly first: bigint;
  readonly last: bigint;
}

export function parseBlock(cidr: string): Block {
  const [text = "", length = ""] = cidr.split("/");
  const { family, value } = parseOrThrow(text);
  const size = 1n << BigInt((family === 4 ? 32 : 128) - Number(length));
  return { cidr, family, length: Number(length), first: value, last: value + size - 1n };
}

export function isWithin({ family, value }: ModelAddress, block: Block): boolean {
  return family === block.family && value >= block.first && value <= block.last;
}

const ENTRIES = REGISTRY.trim()
  .split("\n")
  .map((line) => ({ block: parseBlock(line.slice(2)), isReachable: line.startsWith("+") }));

export const BLOCKS: readonly Block[] = ENTRIES.map(({ block }) => block);

/** Opinion one: the longest block of the registries that holds the address decides. */
export function registryOpinion(address: ModelAddress): Verdict {
  let best: (typeof ENTRIES)[number] | undefined;
  for (const entry of ENTRIES) {
    if (isWithin(address, entry.block) && entry.block.length >= (best?.block.length ?? 0)) best = entry;
  }
  if (best === undefined) return address.family === 4 ? "allow" : "deny";
  return best.isReachable ? "allow" : "deny";
}

/** Opinion two: a library that guards are built with; only its plain unicast is public. */
export function ipaddrOpinion(text: string): Verdict {
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === "unicast" ? "allow" : "deny";
}

/** Reads an address strictly: four decimal octets without leading zeros, or hextets with at most one `::`. */
export function parseModelAddress(text: string): ModelAddress | undefined {
  const octets = parseOctets(text);
  if (octets !== undefined) return { family: 4, value: octets };
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(parseHextets);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? { family: 6, value: fold(head) } : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return { family: 6, value: fold([...head, ...Array<bigint>(8 - head.length - tail.length).fill(0n), ...tail]) };
}

function parseHextets(text: string): bigint[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const words: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    const octets = index === parts.length - 1 ? parseOctets(part) : undefined;
    if (octets !== undefined) words.push(octets >> 16n, octets & 0xffffn);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) words.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return words;
}

function parseOctets(text: string): bigint | undefined {
  const parts = text.split(".");
  const isPlain = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isPlain ? parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) : undefined;
}

function fold(words: readonly bigint[]): bigint {
  return words.reduce((sum, word) => (sum << 16n) | word, 0n);
}

function parseOrThrow(text: string): ModelAddress {
  const address = parseModelAddress(text);
  if (address === undefined) throw new TypeError(`${text} is no address`);
  return address;
}

/** The last 32 bits as an IPv4 address. */
export function tailOf({ value }: ModelAddress): ModelAddress {
  return { family: 4, value: value & 0xffffffffn };
}

const LOCAL =
  "localhost test invalid local onion arpa alt internal intranet private corp home lan mail localdomain svc";
const METADATA = `metadata metadata.google.internal metadata.goog metadata.azure.internal metadata.tencentyun.com
  metadata.platformequinix.com metadata.packet.net api.metadata.cloud.ibm.com instance-data instance-data.ec2.internal
  rancher-metadata rancher-metadata.rancher.internal`.split(/\s+/);

/** Is this name refused whatever it resolves to? One expression over the whole text, where src/net walks labels. */
export function isLocalName(name: string): boolean {
  const isPublicShape = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(name);
  const isMetadata = METADATA.some((own) => `.${name}`.endsWith(`.${own}`));
  return !isPublicShape || isMetadata || LOCAL.split(" ").some((tld) => name.endsWith(`.${tld}`));
}

/** RFC 3986 appendix B, which knows nothing of WHATWG's repairs: the host as it is written, in lower case. */
export function rfc3986Host(text: string): string | undefined {
  const [, , , , authority] = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/.exec(text) ?? [];
  const hostAndPort = authority?.slice(authority.lastIndexOf("@") + 1);
  return hostAndPort?.replace(/:\d*$/, "").toLowerCase();
}
