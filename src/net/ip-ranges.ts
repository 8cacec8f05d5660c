import type { IpAddress } from "./ip-address.js";
import { type IpRange, ipRange, isInAnyRange, isInRange } from "./ip-range.js";
import { translateNat64 } from "./nat64.js";
import type { JailRule } from "./rules.js";

/** A block with what lives there, and the document that says so. */
export interface ListedRange extends IpRange {
  readonly source: string;
  /** In `IPV4_DENIED`: an exempted origin may lead there, since a user can own such a network. */
  readonly isExemptible?: true;
}

const listed = (cidr: string, source: string): ListedRange => ({ ...ipRange(cidr), source });
const owned = (cidr: string, source: string): ListedRange => ({ ...listed(cidr, source), isExemptible: true });

/** IPv4 that is never dialled: the IANA special-purpose registry (RFC 6890, RFC 8190) and multicast. */
export const IPV4_DENIED: readonly ListedRange[] = [
  listed("0.0.0.0/8", "this network; Linux connects 0.0.0.0 to itself (RFC 791 3.2, RFC 1122 3.2.1.3)"),
  owned("10.0.0.0/8", "private use (RFC 1918)"),
  owned("100.64.0.0/10", "shared address space, CGNAT and overlay networks (RFC 6598)"),
  owned("127.0.0.0/8", "loopback (RFC 1122 3.2.1.3)"),
  listed("169.254.0.0/16", "link-local and cloud metadata (RFC 3927)"),
  owned("172.16.0.0/12", "private use (RFC 1918)"),
  listed("192.0.0.0/24", "IETF protocol assignments (RFC 6890 2.1)"),
  listed("192.0.2.0/24", "TEST-NET-1 (RFC 5737)"),
  listed("192.31.196.0/24", "AS112 service (RFC 7535)"),
  listed("192.52.193.0/24", "AMT relays (RFC 7450)"),
  listed("192.88.99.0/24", "deprecated 6to4 relay anycast (RFC 7526)"),
  owned("192.168.0.0/16", "private use (RFC 1918)"),
  listed("192.175.48.0/24", "AS112 direct delegation (RFC 7534)"),
  owned("198.18.0.0/15", "benchmarking; fake-IP proxies answer here (RFC 2544)"),
  listed("198.51.100.0/24", "TEST-NET-2 (RFC 5737)"),
  listed("203.0.113.0/24", "TEST-NET-3 (RFC 5737)"),
  listed("224.0.0.0/4", "multicast (RFC 5771)"),
  listed("240.0.0.0/4", "reserved, and limited broadcast (RFC 1112 4, RFC 919)"),
];

/** The one block of IPv6 whose addresses are dialled as they are: all outside it is refused. */
export const IPV6_GLOBAL: ListedRange = listed("2000::/3", "global unicast as IANA allocates it (RFC 4291 2.4)");

/** Blocks inside global unicast where no web host lives. */
export const IPV6_DENIED: readonly ListedRange[] = [
  listed("2001::/23", "IETF protocol assignments: Teredo, ORCHID, AMT and others (RFC 2928, RFC 4380, RFC 7343)"),
  listed("2001:db8::/32", "documentation (RFC 3849)"),
  listed("2002::/16", "6to4 (RFC 3056, deprecated by RFC 7526)"),
  listed("2620:4f:8000::/48", "AS112 direct delegation (RFC 7534)"),
  listed("3fff::/20", "documentation (RFC 9637)"),
];

/** What a user can own outside global unicast. */
export const IPV6_OWNED: readonly ListedRange[] = [
  listed("::1/128", "loopback (RFC 4291 2.5.3)"),
  listed("fc00::/7", "unique local (RFC 4193)"),
];

/** Credential services of clouds: no exemption reaches them, even where the block around them can be exempted. */
export const METADATA_RANGES: readonly ListedRange[] = [
  listed("169.254.169.254/32", "RFC 3927 link-local: AWS, Azure, Google Cloud, Oracle, DigitalOcean and most others"),
  listed("168.63.129.16/32", "Azure's wire server, a global address"),
  listed("100.100.100.200/32", "Alibaba Cloud, inside CGNAT"),
  listed("192.0.0.192/32", "Oracle Cloud Classic"),
  listed("fd00:ec2::/32", "AWS, unique local"),
  listed("fd20:ce::/32", "Google Cloud, unique local"),
  listed("fd00:c1::/32", "Oracle Cloud, unique local"),
  listed("fd00:42::/32", "Scaleway, unique local"),
  listed("fd00:100::/32", "Alibaba Cloud, unique local"),
  listed("fd00:a9fe:a9fe::/48", "Akamai (Linode), unique local"),
];

/** Blocks in which no real host lives, so that a local proxy may hand them out in place of every address. */
export const FAKE_IP_RANGES: readonly ListedRange[] = [
  listed("198.18.0.0/15", "RFC 2544 benchmarking: Clash, mihomo, Surge, sing-box, V2Ray"),
  listed("fc00::/18", "the half of unique local that RFC 4193 3.2 leaves undefined: sing-box, V2Ray"),
];

/** This machine itself: refused by the tables above, and where an exemption opens it, no proxy's to reach. */
export const LOOPBACK_RANGES: readonly ListedRange[] = [
  listed("127.0.0.0/8", "RFC 1122 3.2.1.3"),
  listed("::1/128", "RFC 4291 2.5.3"),
  listed("::ffff:127.0.0.0/104", "the first as IPv6 (RFC 4291 2.5.5.2)"),
];

/** IPv4 written as IPv6; the host is the IPv4 one (RFC 4291 2.5.5.2). */
const IPV4_MAPPED: IpRange = ipRange("::ffff:0:0/96");

/** `isExemptible`: refused, but an exempted origin may still lead there. */
export type AddressVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly rule: JailRule; readonly isExemptible: boolean };

const ALLOW: AddressVerdict = { verdict: "allow" };

/** What a user says of addresses beyond the tables. */
export interface AddressRules {
  /** The network's own, beside the well-known one. */
  readonly nat64Prefixes: readonly IpRange[];
  /** Blocks that are refused, public or not; no exemption opens them. */
  readonly denied: readonly IpRange[];
}

const NO_RULES: AddressRules = { nat64Prefixes: [], denied: [] };

/** May this address be dialled? Anything that is not plainly a public address is refused. */
export function classify(address: IpAddress, rules: AddressRules = NO_RULES): AddressVerdict {
  if (isInAnyRange(address, METADATA_RANGES)) return deny("metadata");
  if (isInAnyRange(address, rules.denied)) return deny("address_denied");
  return address.family === 4 ? classifyIpv4(address) : classifyIpv6(address, rules);
}

function classifyIpv4(address: IpAddress): AddressVerdict {
  const range = IPV4_DENIED.find((candidate) => isInRange(address, candidate));
  return range === undefined ? ALLOW : deny("ipv4_special", range.isExemptible === true);
}

function classifyIpv6(address: IpAddress, rules: AddressRules): AddressVerdict {
  if (isInRange(address, IPV4_MAPPED)) {
    const host = classify(lastFourOctets(address), rules);
    return host.verdict === "allow" ? ALLOW : deny("ipv6_embedded", host.isExemptible);
  }
  const translation = translateNat64(address, rules.nat64Prefixes);
  if (translation !== undefined) {
    // What lies behind the gateway is its network and not the user's: nothing of it can be exempted.
    const isOpen = translation.targets.every((target) => isPublic(target, rules));
    return isOpen ? ALLOW : deny("ipv6_embedded");
  }
  if (!isInRange(address, IPV6_GLOBAL)) return deny("ipv6_special", isInAnyRange(address, IPV6_OWNED));
  if (isInAnyRange(address, IPV6_DENIED)) return deny("ipv6_special");
  if (isIsatap(address) && !isPublic(lastFourOctets(address), rules)) return deny("ipv6_embedded");
  return ALLOW;
}

function isPublic(address: IpAddress | undefined, rules: AddressRules): boolean {
  return address !== undefined && classify(address, rules).verdict === "allow";
}

/** RFC 5214 6.1: an interface id of 0:5efe or 200:5efe carries an IPv4 address, under any prefix. */
function isIsatap({ bytes }: IpAddress): boolean {
  return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function lastFourOctets({ bytes }: IpAddress): IpAddress {
  return { family: 4, bytes: bytes.slice(-4) };
}

function deny(rule: JailRule, isExemptible = false): AddressVerdict {
  return { verdict: "deny", rule, isExemptible };
}
