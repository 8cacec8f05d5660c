import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, type IpAddress, parseIpAddress } from "./ip-address.js";
import { type IpRange, ipRange, isInAnyRange, isInRange } from "./ip-range.js";
import {
  classify,
  FAKE_IP_RANGES,
  IPV4_DENIED,
  IPV6_DENIED,
  IPV6_GLOBAL,
  IPV6_OWNED,
  METADATA_RANGES,
} from "./ip-ranges.js";

function parsed(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (address === undefined) throw new TypeError(`${text} is no address`);
  return address;
}

function verdictOf(text: string, ...nat64Prefixes: readonly string[]) {
  return classify(parsed(text), nat64Prefixes.map(ipRange));
}

describe("parseIpAddress", () => {
  it.each([
    "0177.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "",
    " 1.2.3.4",
    "1.2.3.4\n",
  ])("does not read %j", (text) => expect(parseIpAddress(text)).toBeUndefined());

  it.each(["fe80::1%eth0", "::1%25lo", "1::2::3", ":::", "12345::", "::1.2.3", "[::1]", "1:2:3:4:5:6:7:8:9"])(
    "does not read %j",
    (text) => expect(parseIpAddress(text)).toBeUndefined(),
  );

  it("reads a dotted tail as the last two hextets, whatever stands before it", () => {
    expect(parseIpAddress("::8.8.8.8")).toEqual(parseIpAddress("::808:808"));
    expect(parseIpAddress("::ffff:8.8.8.8")).toEqual(parseIpAddress("::ffff:808:808"));
    expect(parseIpAddress("64:ff9b::192.168.1.1")).toEqual(parseIpAddress("64:ff9b::c0a8:101"));
  });

  it("agrees with the URL parser on every IPv6 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        expect(parseIpAddress(text)).toEqual(parseIpAddress(canonical));
      }),
    );
  });

  it("gives one key to all spellings", () => {
    const spellings = ["2001:0DB8:0:0:0:0:0:1", "2001:db8::1", "2001:db8:0::0:1"];
    expect(new Set(spellings.map((text) => addressKey(parseIpAddress(text) ?? { family: 6, bytes: [] }))).size).toBe(1);
  });
});

describe("classify", () => {
  it.each([...IPV4_DENIED, ...IPV6_DENIED].map((range) => [range.cidr, range] as const))(
    "refuses %s from its first address to its last, and no neighbour that no other block holds",
    (_cidr, range) => {
      const [first, last] = edgesOf(range);
      for (const address of [first, last])
        expect(classify(address), addressKey(address)).toMatchObject({ verdict: "deny" });
      for (const neighbour of [step(first, -1), step(last, 1)]) {
        if (neighbour === undefined) continue;
        const isHeld = isInAnyRange(neighbour, neighbour.family === 4 ? IPV4_DENIED : IPV6_DENIED);
        const isGlobal = neighbour.family === 4 || isInRange(neighbour, IPV6_GLOBAL);
        expect(classify(neighbour).verdict, addressKey(neighbour)).toBe(isHeld || !isGlobal ? "deny" : "allow");
      }
    },
  );

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

  it.each(METADATA_RANGES.map((range) => [range.cidr, range] as const))("never opens %s to anyone", (_cidr, range) => {
    for (const address of edgesOf(range)) {
      expect(classify(address)).toEqual({ verdict: "deny", rule: "metadata", isExemptible: false });
    }
  });

  it.each(IPV6_OWNED.map((range) => [range.cidr, range] as const))("says that a user can own %s", (_cidr, range) => {
    for (const address of edgesOf(range)) {
      expect(classify(address)).toEqual({ verdict: "deny", rule: "ipv6_special", isExemptible: true });
    }
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
  const tables = [IPV4_DENIED, IPV6_DENIED, IPV6_OWNED, METADATA_RANGES, FAKE_IP_RANGES, [IPV6_GLOBAL]];

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

/** The address `by` away; `undefined` beyond either end. */
function step({ family, bytes }: IpAddress, by: bigint | number): IpAddress | undefined {
  const value = bytes.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n) + BigInt(by);
  if (value < 0n || value >> BigInt(bytes.length * 8) !== 0n) return undefined;
  return { family, bytes: bytes.map((_, index) => Number((value >> BigInt((bytes.length - 1 - index) * 8)) & 0xffn)) };
}
