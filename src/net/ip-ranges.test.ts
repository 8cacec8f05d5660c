import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, parseIpAddress } from "./ip-address.js";
import { classify, IPV4_DENIED, IPV6_DENIED } from "./ip-ranges.js";

function verdictOf(text: string) {
  const address = parseIpAddress(text);
  return address === undefined ? undefined : classify(address);
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
  it("refuses the first and the last address of every IPv4 block, and the neighbours only if another block has them", () => {
    for (const { prefix, bits } of IPV4_DENIED) {
      const first = prefix
        .concat([0, 0, 0])
        .slice(0, 4)
        .reduce((sum, octet) => sum * 256 + octet, 0);
      const last = first + 2 ** (32 - bits) - 1;
      expect(classify({ family: 4, bytes: octets(first) }).verdict, octets(first).join(".")).toBe("deny");
      expect(classify({ family: 4, bytes: octets(last) }).verdict, octets(last).join(".")).toBe("deny");
    }
  });

  it("allows an IPv4 address exactly when no block of the table holds it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const value = text.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
        const isDenied = IPV4_DENIED.some(({ prefix, bits }) => {
          const base = prefix
            .concat([0, 0, 0])
            .slice(0, 4)
            .reduce((sum, octet) => sum * 256 + octet, 0);
          return value >= base && value < base + 2 ** (32 - bits);
        });
        expect(verdictOf(text)?.verdict).toBe(isDenied || text === "168.63.129.16" ? "deny" : "allow");
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

  it.each(IPV6_DENIED.map((range) => [range.source, range] as const))("refuses both edges of %s", (_source, range) => {
    const first = [...range.prefix, ...Array(16).fill(0)].slice(0, 16) as number[];
    const last = first.map((octet, index) => {
      const hostBits = Math.min(8, Math.max(0, (index + 1) * 8 - range.bits));
      return octet | (2 ** hostBits - 1);
    });
    expect(classify({ family: 6, bytes: first }).verdict).toBe("deny");
    expect(classify({ family: 6, bytes: last }).verdict).toBe("deny");
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
  ])("refuses %s by %s: %s", (text, rule) => expect(verdictOf(text)).toMatchObject({ verdict: "deny", rule }));

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
    for (const text of owned) expect(verdictOf(text), text).toMatchObject({ exemptible: true });
    for (const text of never) expect(verdictOf(text), text).toMatchObject({ exemptible: false });
  });
});

function octets(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
}
