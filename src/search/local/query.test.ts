import { describe, expect, it } from "vitest";
import { differsByOne } from "./query.js";
import { compareVersions } from "./rank.js";

describe("differsByOne", () => {
  it.each([
    ["socket", "sockets", true],
    ["socket", "soket", true],
    ["socket", "sockat", true],
    ["socket", "scoket", true],
    ["socket", "scokte", false],
    ["socket", "packets", false],
    ["aa", "aaaa", false],
  ])("%s and %s: %s", (one, other, expected) => {
    expect(differsByOne(one, other)).toBe(expected);
    expect(differsByOne(other, one)).toBe(expected);
  });
});

describe("compareVersions", () => {
  it("orders by number, a prerelease before its release", () => {
    const ordered = ["1.9.0", "1.10.0", "2.0.0-beta.1", "2.0.0", "10.0.0"];
    expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
  });
});
