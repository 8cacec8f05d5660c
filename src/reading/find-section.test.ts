import { describe, expect, it } from "vitest";
import { findSection } from "./find-section.js";
import { outlineOf } from "./outline.js";

const OUTLINE = outlineOf(
  [
    "# Proxy guide",
    "## Class: `ProxyAgent`",
    "### Options",
    "## Class: `Pool`",
    "### Options",
    "### Événements & erreurs",
    "## 3 ways to fail",
    "## 4.2. Retries",
    "",
  ].join("\n\n"),
);

function numberOf(query: string): string | undefined {
  const match = findSection(OUTLINE, query);
  return match.found ? match.entry.number : undefined;
}

describe("findSection", () => {
  it.each([
    ["1.1", "1.1"],
    ["1.2.1", "1.2.1"],
    ["1.2.1 Options (34)", "1.2.1"],
    ["Class: ProxyAgent", "1.1"],
    ["  class:   PROXYAGENT ", "1.1"],
    ["## Class: `Pool`", "1.2"],
    ["class-proxyagent", "1.1"],
    ["#class-pool", "1.2"],
    ["options-1", "1.2.1"],
    ["événements--erreurs", "1.2.2"],
    ["3 ways to fail", "1.3"],
    ["4.2", "1.4"],
    ["4.2.", "1.4"],
    ["proxyagent", "1.1"],
    ["9.9", undefined],
    ["#", undefined],
    ["   ", undefined],
  ])("finds %j as %j", (query, expected) => {
    expect(numberOf(query)).toBe(expected);
  });

  it("takes the first of several and names the others", () => {
    const match = findSection(OUTLINE, "options");
    expect(match.found && [match.entry.number, match.others.map((entry) => entry.number)]).toEqual([
      "1.1.1",
      ["1.2.1"],
    ]);
  });

  it("offers what comes near when nothing matches", () => {
    const match = findSection(OUTLINE, "Clas: ProxyAgnet");
    expect(match.found ? [] : match.nearest.map((entry) => entry.number)[0]).toBe("1.1");
  });

  it("names the section whose own number was meant beside ours", () => {
    const rfc = outlineOf("# Abstract\n\n# 1. Introduction\n\n# 2. Terms\n");
    const match = findSection(rfc, "2");
    expect(match.found && [match.entry.number, match.others.map((entry) => entry.title)]).toEqual(["2", ["2. Terms"]]);
  });

  it("survives a query of any length", () => {
    expect(findSection(OUTLINE, "9.".repeat(100_000)).found).toBe(false);
    expect(findSection(OUTLINE, "\\".repeat(100_000)).found).toBe(false);
  });
});
