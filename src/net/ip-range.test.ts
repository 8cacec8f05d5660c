import { describe, expect, it } from "vitest";
import { parseIpAddress } from "./ip-address.js";
import { ipRange, isInRange, parseIpRange } from "./ip-range.js";

describe("parseIpRange", () => {
  it("reads an address and a length", () => {
    expect(parseIpRange("198.18.0.0/15")).toEqual({
      family: 4,
      bytes: [198, 18, 0, 0],
      cidr: "198.18.0.0/15",
      bits: 15,
    });
    expect(parseIpRange("fc00::/18")).toMatchObject({ family: 6, bits: 18 });
    expect(parseIpRange("0.0.0.0/0")).toMatchObject({ bits: 0 });
    expect(parseIpRange("1.2.3.4/32")).toMatchObject({ bits: 32 });
    expect(parseIpRange("::1/128")).toMatchObject({ bits: 128 });
  });

  it.each([
    "10.0.0.1/8",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "10.0.0.0/8.0",
    "10.0.0.0/",
    "10.0.0.0",
    "10/8",
    "0x0a.0.0.0/8",
    "10.0.0.0/8 ",
    " 10.0.0.0/8",
    "x10.0.0.0/8",
    "::/129",
    "fc00::1/18",
    "fc00:4000::/17",
    "fe80::%1/64",
    "2001:DB8::/32",
    "",
  ])("does not read %j", (cidr) => expect(parseIpRange(cidr)).toBeUndefined());

  it("does not read a long text", () => {
    for (const filler of ["0", ":", "/", "1."]) expect(parseIpRange(`${filler.repeat(100_000)}/8`)).toBeUndefined();
  });

  it("ends the program for a mistake in the source", () => {
    expect(() => ipRange("10.0.0.1/8")).toThrow(new TypeError("10.0.0.1/8 is not a block of addresses"));
  });
});

describe("isInRange", () => {
  it.each([
    ["198.18.0.0/15", "198.18.0.0 198.19.255.255", "198.17.255.255 198.20.0.0 ::c612:0"],
    ["0.0.0.0/0", "0.0.0.0 255.255.255.255", ":: ::ffff:1.2.3.4"],
    ["1.2.3.4/32", "1.2.3.4", "1.2.3.5 0.2.3.4"],
    ["fc00::/18", "fc00:: fc00:3fff::1", "fc00:4000:: fd00::1 252.0.0.0"],
    ["::1/128", "::1", ":: ::2 1::1 0.0.0.1"],
    ["2001:db8:4::/47", "2001:db8:4::1 2001:db8:5::1", "2001:db8:3::1 2001:db8:6::1"],
  ])("%s holds %s and not %s", (cidr, inside, outside) => {
    const range = ipRange(cidr);
    const holds = (text: string) => isInRange(parseIpAddress(text) ?? expect.fail(text), range);
    for (const text of inside.split(" ")) expect(holds(text), text).toBe(true);
    for (const text of outside.split(" ")) expect(holds(text), text).toBe(false);
  });
});
