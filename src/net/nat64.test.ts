import { describe, expect, it } from "vitest";
import { parseIpAddress } from "./ip-address.js";
import { ipRange } from "./ip-range.js";
import { checkedNat64Prefix, translateNat64 } from "./nat64.js";

function targetOf(text: string, ...prefixes: readonly string[]): string | undefined {
  const translation = translateNat64(parseIpAddress(text) ?? expect.fail(text), prefixes.map(ipRange));
  return translation === undefined
    ? undefined
    : translation.targets.map((target) => target?.bytes.join(".") ?? "malformed").join();
}

describe("translateNat64", () => {
  // RFC 6052 2.4, table 1: 192.0.2.33 below each prefix.
  it.each([
    ["2001:db8::/32", "2001:db8:c000:221::"],
    ["2001:db8:100::/40", "2001:db8:1c0:2:21::"],
    ["2001:db8:122::/48", "2001:db8:122:c000:2:2100::"],
    ["2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"],
    ["2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"],
    ["2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"],
  ])("reads the IPv4 address below %s", (prefix, address) => {
    expect(targetOf(address, prefix)).toBe("192.0.2.33");
  });

  it("reads it below the well-known prefix in every network", () => {
    expect(targetOf("64:ff9b::192.0.2.33")).toBe("192.0.2.33");
    expect(targetOf("64:ff9b::192.0.2.33", "2001:db8:64::/96")).toBe("192.0.2.33");
  });

  it("leaves addresses alone that no gateway translates", () => {
    for (const text of ["64:ff9b:0:0:0:1:c000:221", "64:ff9b:1::192.0.2.33", "2001:db8:65::192.0.2.33", "100.64.0.1"]) {
      expect(targetOf(text, "2001:db8:64::/96"), text).toBeUndefined();
    }
  });

  it("reads nothing where octet 8 is not zero", () => {
    const address = parseIpAddress("2001:db8:122:344:1c0:2:2100::") ?? expect.fail();
    expect(translateNat64(address, [ipRange("2001:db8:122:344::/64")])).toStrictEqual({ targets: [undefined] });
  });
});

describe("checkedNat64Prefix", () => {
  it.each(["2001:db8:64::/96", "2a01:4f8::/32", "fd00:64::/48", "64:ff9b:1::/48", "64:ff9b:1:fffe::/96"])(
    "takes %s",
    (prefix) => expect(checkedNat64Prefix(prefix)).toMatchObject({ family: 6, cidr: prefix }),
  );

  it.each([
    ["a length that RFC 6052 does not know", "2001:db8:64::/95"],
    ["bits below the length", "2001:db8:64::1/96"],
    ["an octet 8 that is not zero", "2001:db8:64:0:100::/96"],
    ["IPv4", "10.0.0.0/32"],
    ["IPv4-compatible addresses", "::/96"],
    ["mapped addresses", "::ffff:0:0/96"],
    ["link-local addresses", "fe80::/64"],
    ["multicast", "ff00::/32"],
    ["more than unique local space", "f800::/32"],
    ["an address", "2001:db8:64::"],
    ["nothing", ""],
    ["no text", 96 as unknown as string],
    ["an object of text", Object("2001:db8:64::/96") as string],
  ])("refuses %s", (_what, prefix) => {
    expect(() => checkedNat64Prefix(prefix)).toThrow(
      expect.objectContaining({
        name: "ConfigError",
        code: "invalid_configuration",
        message: `"${prefix}" is not a NAT64 prefix.`,
        hint: expect.stringContaining("2001:db8:64::/96"),
      }),
    );
  });

  it("says little of much", () => {
    expect(() => checkedNat64Prefix("x".repeat(1_000_000))).toThrow(/^"x{64}" is not/);
  });
});
