import type { IpAddress } from "./ip-address.js";
import type { JailRule } from "./rules.js";

/** A block of addresses, by its leading octets and the number of bits that count. */
interface IpRange {
  readonly prefix: readonly number[];
  readonly bits: number;
  /** What lives there, and the document that says so. */
  readonly source: string;
  /** A named exemption may reach it: networks that a user can own. */
  readonly exemptible?: true;
}

/** IPv4 that is never dialled: the IANA special-purpose registry (RFC 6890, RFC 8190), and one address by hand. */
export const IPV4_DENIED: readonly IpRange[] = [
  { prefix: [0], bits: 8, source: "this network; Linux connects 0.0.0.0 to itself (RFC 1122 3.2.1.3)" },
  { prefix: [10], bits: 8, source: "private use (RFC 1918)", exemptible: true },
  { prefix: [100, 64], bits: 10, source: "shared address space, CGNAT (RFC 6598)", exemptible: true },
  { prefix: [127], bits: 8, source: "loopback (RFC 1122 3.2.1.3)", exemptible: true },
  { prefix: [169, 254], bits: 16, source: "link-local and cloud metadata (RFC 3927)" },
  { prefix: [172, 16], bits: 12, source: "private use (RFC 1918)", exemptible: true },
  { prefix: [192, 0, 0], bits: 24, source: "IETF protocol assignments (RFC 6890 2.1)" },
  { prefix: [192, 0, 2], bits: 24, source: "TEST-NET-1 (RFC 5737)" },
  { prefix: [192, 31, 196], bits: 24, source: "AS112 service (RFC 7535)" },
  { prefix: [192, 52, 193], bits: 24, source: "AMT relays (RFC 7450)" },
  { prefix: [192, 88, 99], bits: 24, source: "deprecated 6to4 relay anycast (RFC 7526)" },
  { prefix: [192, 168], bits: 16, source: "private use (RFC 1918)", exemptible: true },
  { prefix: [192, 175, 48], bits: 24, source: "AS112 direct delegation (RFC 7534)" },
  { prefix: [198, 18], bits: 15, source: "benchmarking; fake-IP proxies answer here (RFC 2544)", exemptible: true },
  { prefix: [198, 51, 100], bits: 24, source: "TEST-NET-2 (RFC 5737)" },
  { prefix: [203, 0, 113], bits: 24, source: "TEST-NET-3 (RFC 5737)" },
  { prefix: [224], bits: 4, source: "multicast (RFC 5771)" },
  { prefix: [240], bits: 4, source: "reserved and limited broadcast (RFC 1112 4, RFC 919)" },
];

/** Global unicast as IANA allocates it (RFC 4291 2.4): all else in IPv6 is refused. */
const IPV6_GLOBAL: IpRange = { prefix: [0x20], bits: 3, source: "global unicast (RFC 4291 2.4)" };

/** Blocks inside 2000::/3 where no web host lives. */
export const IPV6_DENIED: readonly IpRange[] = [
  { prefix: [0x20, 0x01, 0x00], bits: 23, source: "IETF protocol assignments, Teredo, ORCHID (RFC 2928, RFC 4380)" },
  { prefix: [0x20, 0x01, 0x0d, 0xb8], bits: 32, source: "documentation (RFC 3849)" },
  { prefix: [0x20, 0x02], bits: 16, source: "6to4 (RFC 3056, deprecated by RFC 7526)" },
  { prefix: [0x26, 0x20, 0x00, 0x4f, 0x80, 0x00], bits: 48, source: "AS112 direct delegation (RFC 7534)" },
  { prefix: [0x3f, 0xff, 0x00], bits: 20, source: "documentation (RFC 9637)" },
];

/** IPv6 outside global unicast that a user can own. */
const IPV6_EXEMPTIBLE: readonly IpRange[] = [
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], bits: 128, source: "loopback (RFC 4291 2.5.3)" },
  { prefix: [0xfc], bits: 7, source: "unique local (RFC 4193)" },
];

const IPV4_MAPPED: IpRange = {
  prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  bits: 96,
  source: "IPv4-mapped (RFC 4291 2.5.5.2)",
};

/** Embeddings whose IPv4 is what the packet reaches; DNS64 answers with the second on an IPv6-only network. */
const IPV4_CARRIERS: readonly IpRange[] = [
  IPV4_MAPPED,
  { prefix: [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96, source: "NAT64 well-known prefix (RFC 6052)" },
];

/** Credential services of clouds: no exemption reaches them, even where the block around them can be exempted. */
const IPV4_METADATA: readonly IpRange[] = [
  { prefix: [169, 254, 169, 254], bits: 32, source: "AWS, Azure, GCP, Oracle and others" },
  { prefix: [168, 63, 129, 16], bits: 32, source: "Azure wire server, a global address" },
  { prefix: [100, 100, 100, 200], bits: 32, source: "Alibaba Cloud, inside CGNAT" },
  { prefix: [192, 0, 0, 192], bits: 32, source: "Oracle Cloud classic" },
];
const IPV6_METADATA: readonly IpRange[] = [
  { prefix: [0xfd, 0x00, 0x0e, 0xc2], bits: 32, source: "AWS, unique local" },
  { prefix: [0xfd, 0x20, 0x00, 0xce], bits: 32, source: "GCP, unique local" },
  { prefix: [0xfd, 0x00, 0x00, 0xc1], bits: 32, source: "Oracle Cloud, unique local" },
  { prefix: [0xfd, 0x00, 0x00, 0x42], bits: 32, source: "Scaleway, unique local" },
];

/** `exemptible`: refused, but a named exemption may still reach it. */
export type AddressVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly rule: JailRule; readonly exemptible: boolean };

const ALLOW: AddressVerdict = { verdict: "allow" };

/** May this address be dialled? Anything that is not plainly a public address is refused. */
export function classify(address: IpAddress): AddressVerdict {
  return address.family === 4 ? classifyIpv4(address.bytes) : classifyIpv6(address.bytes);
}

function classifyIpv4(bytes: readonly number[]): AddressVerdict {
  if (isInAny(IPV4_METADATA, bytes)) return deny("metadata");
  const range = IPV4_DENIED.find((candidate) => contains(candidate, bytes));
  return range === undefined ? ALLOW : deny("ipv4_special", range.exemptible);
}

function classifyIpv6(bytes: readonly number[]): AddressVerdict {
  if (isInAny(IPV6_METADATA, bytes)) return deny("metadata");
  if (isInAny(IPV4_CARRIERS, bytes)) {
    const inner = classifyIpv4(bytes.slice(12));
    if (inner.verdict === "allow") return ALLOW;
    // A mapped address is the IPv4 host itself; through a NAT64 gateway it would be the gateway's network.
    return deny("ipv6_embedded", contains(IPV4_MAPPED, bytes) && inner.exemptible);
  }
  if (!contains(IPV6_GLOBAL, bytes)) return deny("ipv6_special", isInAny(IPV6_EXEMPTIBLE, bytes));
  if (isInAny(IPV6_DENIED, bytes)) return deny("ipv6_special");
  if (isIsatap(bytes) && classifyIpv4(bytes.slice(12)).verdict === "deny") return deny("ipv6_embedded");
  return ALLOW;
}

/** RFC 5214 6.1: an interface id of 0:5efe or 200:5efe carries an IPv4 address in any prefix. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function deny(rule: JailRule, exemptible = false): AddressVerdict {
  return { verdict: "deny", rule, exemptible };
}

function isInAny(ranges: readonly IpRange[], bytes: readonly number[]): boolean {
  return ranges.some((range) => contains(range, bytes));
}

function contains(range: IpRange, bytes: readonly number[]): boolean {
  const whole = range.bits >> 3;
  for (let i = 0; i < whole; i += 1) {
    if (range.prefix[i] !== bytes[i]) return false;
  }
  const shift = 8 - (range.bits & 7);
  return shift === 8 || (range.prefix[whole] ?? 0) >> shift === (bytes[whole] ?? 0) >> shift;
}
