import { ConfigError } from "../errors.js";
import type { IpAddress } from "./ip-address.js";
import { type IpRange, ipRange, isInAnyRange, isInRange, parseIpRange } from "./ip-range.js";

/**
 * The octets of an IPv6 address that hold the IPv4 one, by the length of the NAT64 prefix (RFC 6052 2.2). Octet 8 holds
 * none and is zero.
 */
const IPV4_OCTETS: ReadonlyMap<number, readonly number[]> = new Map([
  [32, [4, 5, 6, 7]],
  [40, [5, 6, 7, 9]],
  [48, [6, 7, 9, 10]],
  [56, [7, 9, 10, 11]],
  [64, [9, 10, 11, 12]],
  [96, [12, 13, 14, 15]],
]);
const ZERO_OCTET = 8;

/** The prefix that every network may use (RFC 6052 2.1). */
const WELL_KNOWN_PREFIX: IpRange = ipRange("64:ff9b::/96");

/** Where a network takes its own prefix from: its global addresses, unique local ones, or the block made for it. */
const PREFIX_SPACE: readonly IpRange[] = [
  ipRange("2000::/3"), // RFC 4291 2.4
  ipRange("fc00::/7"), // RFC 4193
  ipRange("64:ff9b:1::/48"), // RFC 8215
];

/** What a NAT64 gateway makes of an address, by each prefix it lies below: the IPv4 it dials, or nothing it can read. */
export interface Translation {
  readonly targets: readonly (IpAddress | undefined)[];
}

/** `undefined` for an address that no gateway translates. `ownPrefixes` are the network's, beside the well-known one. */
export function translateNat64(address: IpAddress, ownPrefixes: readonly IpRange[]): Translation | undefined {
  const prefixes = [WELL_KNOWN_PREFIX, ...ownPrefixes].filter((candidate) => isInRange(address, candidate));
  if (prefixes.length === 0) return undefined;
  if (address.bytes[ZERO_OCTET] !== 0) return { targets: [undefined] };
  const targets = prefixes.map(({ bits }): IpAddress => {
    const bytes = (IPV4_OCTETS.get(bits) ?? []).map((octet) => address.bytes[octet] ?? 0);
    return { family: 4, bytes };
  });
  return { targets };
}

/** @throws ConfigError for what no network can have as its NAT64 prefix. */
export function checkedNat64Prefix(text: string): IpRange {
  const prefix = typeof text === "string" ? parseIpRange(text) : undefined;
  if (
    prefix === undefined ||
    !IPV4_OCTETS.has(prefix.bits) ||
    prefix.bytes[ZERO_OCTET] !== 0 ||
    !isInAnyRange(prefix, PREFIX_SPACE)
  ) {
    const hint =
      "Write it like 2001:db8:64::/96: a length of 32, 40, 48, 56, 64 or 96, and zeros below it (RFC 6052 2.2).";
    throw new ConfigError("invalid_configuration", `"${String(text).slice(0, 64)}" is not a NAT64 prefix.`, { hint });
  }
  return prefix;
}
