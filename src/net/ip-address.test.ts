import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, parseIpAddress } from "./ip-address.js";

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

  it("gives one key to all spellings of an address, and another to every other", () => {
    const spellings = ["2001:0DB8:0:0:0:0:0:1", "2001:db8::1", "2001:db8:0::0:1"];
    expect(new Set(spellings.map(keyOf)).size).toBe(1);
    const addresses = ["1.23.4.5", "12.3.4.5", "1.2.34.5", "0.0.0.1", "::1", "1::", "::1.23.4.5", "::12.3.4.5"];
    expect(new Set(addresses.map(keyOf)).size).toBe(addresses.length);
  });
});

function keyOf(text: string): string {
  return addressKey(parseIpAddress(text) ?? expect.fail(text));
}
