import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IpAddress, parseIpAddress } from "./ip-address.js";
import { type IpRange, ipRange, isInAnyRange, isInRange } from "./ip-range.js";
import {
  classify,
  FAKE_IP_RANGES,
  IPV4_DENIED,
  IPV6_DENIED,
  IPV6_GLOBAL,
  IPV6_OWNED,
  LOOPBACK_RANGES,
  METADATA_RANGES,
} from "./ip-ranges.js";

function parsed(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (address === undefined) throw new TypeError(`${text} is no address`);
  return address;
}

function verdictOf(text: string, ...nat64Prefixes: readonly string[]) {
  return classify(parsed(text), { nat64Prefixes: nat64Prefixes.map(ipRange), denied: [] });
}

describe("classify", () => {
  // Written out, so that no row of the tables is its own witness.
  it.each<[first: string, last: string, neighbours: string, owned?: "owned"]>([
    ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
    ["10.0.0.0", "10.255.255.255", "9.255.255.255 11.0.0.0", "owned"],
    ["100.64.0.0", "100.127.255.255", "100.63.255.255 100.128.0.0", "owned"],
    ["127.0.0.0", "127.255.255.255", "126.255.255.255 128.0.0.0", "owned"],
    ["169.254.0.0", "169.254.255.255", "169.253.255.255 169.255.0.0"],
    ["172.16.0.0", "172.31.255.255", "172.15.255.255 172.32.0.0", "owned"],
    ["192.0.0.0", "192.0.0.255", "191.255.255.255 192.0.1.0"],
    ["192.0.2.0", "192.0.2.255", "192.0.1.255 192.0.3.0"],
    ["192.31.196.0", "192.31.196.255", "192.31.195.255 192.31.197.0"],
    ["192.52.193.0", "192.52.193.255", "192.52.192.255 192.52.194.0"],
    ["192.88.99.0", "192.88.99.255", "192.88.98.255 192.88.100.0"],
    ["192.168.0.0", "192.168.255.255", "192.167.255.255 192.169.0.0", "owned"],
    ["192.175.48.0", "192.175.48.255", "192.175.47.255 192.175.49.0"],
    ["198.18.0.0", "198.19.255.255", "198.17.255.255 198.20.0.0", "owned"],
    ["198.51.100.0", "198.51.100.255", "198.51.99.255 198.51.101.0"],
    ["203.0.113.0", "203.0.113.255", "203.0.112.255 203.0.114.0"],
    ["224.0.0.0", "239.255.255.255", "223.255.255.255"],
    ["240.0.0.0", "255.255.255.255", "223.255.255.255"],
    ["::", "1fff:f:f:f:f:f:f:f", "2000::"],
    ["2001::", "2001:1ff:f:f:f:f:f:f", "2000:f:f:f:f:f:f:f 2001:200::"],
    ["2001:db8::", "2001:db8:f:f:f:f:f:f", "2001:db7:f:f:f:f:f:f 2001:db9::"],
    ["2002::", "2002:f:f:f:f:f:f:f", "2001:f:f:f:f:f:f:f 2003::"],
    ["2620:4f:8000::", "2620:4f:8000:f:f:f:f:f", "2620:4f:7fff:f:f:f:f:f 2620:4f:8001::"],
    ["3fff::", "3fff:fff:f:f:f:f:f:f", "3ffe:f:f:f:f:f:f:f 3fff:1000::"],
    ["4000::", "fbff:f:f:f:f:f:f:f", "3fff:f:f:f:f:f:f:f"],
    ["fc00::", "fdff:f:f:f:f:f:f:f", "3fff:f:f:f:f:f:f:f", "owned"],
    ["fe00::", "f:f:f:f:f:f:f:f", "3fff:f:f:f:f:f:f:f"],
    ["::1", "::1", "2000::", "owned"],
    ["::2", "::2", "2000::"],
  ])("refuses %s to %s, and not %s beside them", (first, last, neighbours, owned) => {
    const rule = first.includes(":") ? "ipv6_special" : "ipv4_special";
    for (const text of [first, last]) {
      expect(verdictOf(filled(text)), text).toEqual({ verdict: "deny", rule, isExemptible: owned !== undefined });
    }
    for (const text of neighbours.split(" ")) expect(verdictOf(filled(text)), text).toEqual({ verdict: "allow" });
  });

  it.each([
    ["169.254.169.254", "169.254.169.254", "169.254.169.253 169.254.169.255"],
    ["168.63.129.16", "168.63.129.16", "168.63.129.15 168.63.129.17"],
    ["100.100.100.200", "100.100.100.200", "100.100.100.199 100.100.100.201"],
    ["192.0.0.192", "192.0.0.192", "192.0.0.191 192.0.0.193"],
    ["fd00:ec2::", "fd00:ec2:f:f:f:f:f:f", "fd00:ec1:f:f:f:f:f:f fd00:ec3::"],
    ["fd20:ce::", "fd20:ce:f:f:f:f:f:f", "fd20:cd:f:f:f:f:f:f fd20:cf::"],
    ["fd00:c1::", "fd00:c1:f:f:f:f:f:f", "fd00:c0:f:f:f:f:f:f fd00:c2::"],
    ["fd00:42::", "fd00:42:f:f:f:f:f:f", "fd00:41:f:f:f:f:f:f fd00:43::"],
    ["fd00:100::", "fd00:100:f:f:f:f:f:f", "fd00:ff:f:f:f:f:f:f fd00:101::"],
    ["fd00:a9fe:a9fe::", "fd00:a9fe:a9fe:f:f:f:f:f", "fd00:a9fe:a9fd:f:f:f:f:f fd00:a9fe:a9ff::"],
  ])("knows %s to %s as a metadata service's, and not %s beside them", (first, last, neighbours) => {
    for (const text of [first, last]) {
      expect(verdictOf(filled(text)), text).toEqual({ verdict: "deny", rule: "metadata", isExemptible: false });
    }
    for (const text of neighbours.split(" ")) {
      expect(verdictOf(filled(text)), text).not.toMatchObject({ rule: "metadata" });
    }
  });

  it("allows an IPv4 address exactly when no block of the tables holds it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const address = parsed(text);
        const isHeld = isInAnyRange(address, [...IPV4_DENIED, ...METADATA_RANGES]);
        expect(classify(address).verdict).toBe(isHeld ? "deny" : "allow");
      }),
      { numRuns: 500 },
    );
  });

  it("never allows IPv6 outside 2000::/3 unless it carries a public IPv4", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (raw) => {
        const bytes = [...raw];
        const isGlobal = (bytes[0] ?? 0) >> 5 === 1;
        fc.pre(!isGlobal);
        expect(classify({ family: 6, bytes }).verdict).toBe("deny");
      }),
    );
  });

  it.each([
    ["::ffff:198.41.0.4", "mapped"],
    ["64:ff9b::198.41.0.4", "NAT64"],
    ["2a01:4f8::5efe:c629:4", "ISATAP with a public address"],
  ])("allows %s: %s", (text) => expect(verdictOf(text)).toEqual({ verdict: "allow" }));

  it.each([
    ["::198.41.0.4", "ipv6_special", "IPv4-compatible"],
    ["::ffff:0:198.41.0.4", "ipv6_special", "SIIT"],
    ["64:ff9b:1::198.41.0.4", "ipv6_special", "local NAT64"],
    ["2002:c629:4::1", "ipv6_special", "6to4"],
    ["2001:0:c629:4::1", "ipv6_special", "Teredo"],
    ["::ffff:168.63.129.16", "ipv6_embedded", "mapped wire server"],
    ["168.63.129.16", "metadata", "wire server"],
    ["fd00:ec2::254", "metadata", "AWS"],
    ["169.254.169.254", "metadata", "most clouds"],
    ["169.254.170.2", "ipv4_special", "a container's credentials"],
    ["fd00:a9fe:a9fe::1", "metadata", "Akamai"],
    ["fd00:100::100:200", "metadata", "Alibaba"],
    ["fec0::1", "ipv6_special", "site-local"],
    ["100:0:0:1::1", "ipv6_special", "dummy prefix"],
    ["5f00::1", "ipv6_special", "segment routing"],
    ["::", "ipv6_special", "unspecified"],
    ["2a01:4f8::200:5efe:10.0.0.1", "ipv6_embedded", "ISATAP with a private address"],
    ["2a01:4f8::5efe:127.0.0.1", "ipv6_embedded", "ISATAP with loopback"],
  ])("refuses %s by %s: %s", (text, rule) => expect(verdictOf(text)).toMatchObject({ verdict: "deny", rule }));

  it.each([
    ["2a01:4f8::100:5efe:10.0.0.1", "the first octet of its mark"],
    ["2a01:4f8::300:5efe:10.0.0.1", "the first octet of its mark, by the group bit"],
    ["2a01:4f8::1:5efe:10.0.0.1", "the second octet"],
    ["2a01:4f8::201:5efe:10.0.0.1", "the second octet below the universal bit"],
    ["2a01:4f8::5ffe:10.0.0.1", "the third octet"],
    ["2a01:4f8::5eff:10.0.0.1", "the fourth octet"],
    ["2a01:4f8:0:0:ffff:fffe:10.0.0.1", "all but the fourth octet"],
    ["2a01:4f8:0:5efe:0:0:10.0.0.1", "its place"],
  ])("leaves %s alone, which is no ISATAP address by %s", (text) => {
    expect(verdictOf(text)).toEqual({ verdict: "allow" });
  });

  it("refuses as embedded what a NAT64 gateway cannot read, and opens it to nobody", () => {
    expect(verdictOf("2001:db8:64:0:c6:2900:400::", "2001:db8:64::/64")).toEqual({ verdict: "allow" });
    for (const text of ["2001:db8:64:0:100::", "2001:db8:64:0:1c6:2900:400::"]) {
      const refused = { verdict: "deny", rule: "ipv6_embedded", isExemptible: false };
      expect(verdictOf(text, "2001:db8:64::/64"), text).toEqual(refused);
    }
  });

  it("says which refused addresses a user can own", () => {
    const owned = [
      "127.0.0.1",
      "10.0.0.1",
      "192.168.1.1",
      "172.16.0.1",
      "100.64.0.1",
      "198.18.0.1",
      "::1",
      "fd12::1",
      "::ffff:127.0.0.1",
    ];
    const never = [
      "169.254.1.1",
      "169.254.169.254",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "0.0.0.0",
      "224.0.0.1",
      "fe80::1",
      "fd00:ec2::254",
      "fd20:ce::254",
      "64:ff9b::10.0.0.1",
      "::ffff:169.254.169.254",
      "::10.0.0.1",
      "ff02::1",
      "2002:a00:1::",
    ];
    for (const text of owned) expect(verdictOf(text), text).toMatchObject({ isExemptible: true });
    for (const text of never) expect(verdictOf(text), text).toMatchObject({ isExemptible: false });
  });
});

describe("the tables", () => {
  const tables = [
    IPV4_DENIED,
    IPV6_DENIED,
    IPV6_OWNED,
    METADATA_RANGES,
    FAKE_IP_RANGES,
    LOOPBACK_RANGES,
    [IPV6_GLOBAL],
  ];

  it("name the document or the cloud that each block comes from", () => {
    for (const { cidr, source } of tables.flat()) {
      expect(source, cidr).toMatch(/RFC \d+|Azure|Cloud|AWS|Scaleway|Akamai/);
    }
  });

  it("keep everything that IANA lists as not globally reachable", () => {
    const registry = [
      "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.0.1 172.16.0.1 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1",
      "192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255",
      "::1 :: ::ffff:10.0.0.1 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:2::1 2001:10::1 2001:db8::1 2002::1",
      "3fff::1 5f00::1 fc00::1 fe80::1",
    ];
    for (const text of registry.join(" ").split(" ")) expect(verdictOf(text).verdict, text).toBe("deny");
  });

  it("hand out fake addresses only where no metadata service and no public host is", () => {
    for (const range of FAKE_IP_RANGES) {
      const [first, last] = edgesOf(range);
      for (const address of [first, last]) expect(classify(address)).toMatchObject({ isExemptible: true });
      for (const metadata of METADATA_RANGES) {
        expect(isInRange(metadata, range) || isInRange(range, metadata), metadata.cidr).toBe(false);
      }
    }
  });
});

/** The first and the last address of a block. */
function edgesOf({ family, bytes, bits }: IpRange): [first: IpAddress, last: IpAddress] {
  const last = bytes.map((octet, index) => octet | (0xff >> Math.min(8, Math.max(0, bits - index * 8))));
  return [
    { family, bytes },
    { family, bytes: last },
  ];
}

/** Every hextet that is a lone `f` stands for `ffff`, the last there is. */
function filled(text: string): string {
  return text.replace(/\bf\b/g, "ffff");
}

describe("the user's own denials", () => {
  const denied = ["93.184.216.0/24", "2606:4700::/32"].map(ipRange);
  const nat64Prefixes = ["2a01:64::/96"].map(ipRange);

  it.each([
    ["93.184.216.34", "address_denied"],
    ["2606:4700::1", "address_denied"],
    ["::ffff:93.184.216.34", "ipv6_embedded"],
    ["64:ff9b::93.184.216.34", "ipv6_embedded"],
    ["2a01:64::93.184.216.34", "ipv6_embedded"],
    ["2a01:4f8::5efe:93.184.216.34", "ipv6_embedded"],
  ])("refuse %s, which no exemption opens", (text, rule) => {
    expect(classify(parsed(text), { nat64Prefixes, denied })).toEqual({ verdict: "deny", rule, isExemptible: false });
    expect(classify(parsed(text), { nat64Prefixes, denied: [] })).toEqual({ verdict: "allow" });
  });

  it.each(["93.184.217.34", "2606:4701::1", "2a01:64::93.184.217.1"])("leave %s alone", (text) => {
    expect(classify(parsed(text), { nat64Prefixes, denied })).toEqual({ verdict: "allow" });
  });
});

describe("overlapping NAT64 prefixes", () => {
  it("judge an address by each of them", () => {
    const nat64Prefixes = ["2a01::/32", "2a01:0:808:808::/96"].map(ipRange);
    const address = parsed("2a01:0:808:808::a9fe:a9fe");
    for (const order of [nat64Prefixes, nat64Prefixes.toReversed()]) {
      expect(classify(address, { nat64Prefixes: order, denied: [] })).toMatchObject({ verdict: "deny" });
    }
  });
});

it.each([
  ["127.0.0.0", true],
  ["127.255.255.255", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:127.255.255.255", true],
  ["126.255.255.255", false],
  ["128.0.0.0", false],
  ["::", false],
  ["::2", false],
  ["::ffff:128.0.0.1", false],
])("%s is this machine itself: %s", (text, isLoopback) => {
  expect(isInAnyRange(parsed(text), LOOPBACK_RANGES)).toBe(isLoopback);
});
