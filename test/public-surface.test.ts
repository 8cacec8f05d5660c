import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Every exported name, by door. A change here is a change of the contract: argue for it. */
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  postern: [
    "BlockedError",
    "BudgetError",
    "ConfigError",
    "FetchError",
    "ModelError",
    "PosternError",
    "ProviderError",
    "VERSION",
    "createPostern",
    "isPosternError",
  ],
  "postern/mcp": ["createMcpDoor", "serveMcp"],
  "postern/extract": ["createExtractor", "extract"],
  "postern/guard": ["fence", "judgeOutgoing", "sanitise", "screen"],
  "postern/net": ["JAIL_RULES", "createJail", "createJailedFetch", "createTransport", "proxiesFromEnvironment"],
};

describe("the public surface", () => {
  it.each(Object.entries(SURFACE))("of %s", async (door, names) => {
    expect(Object.keys((await import(door)) as object).sort()).toEqual([...names].sort());
  });

  it("has a test for each door of package.json", () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };
    const doors = Object.keys(exports).filter((door) => door !== "./package.json");
    expect(doors.map((door) => door.replace(/^\./, "postern"))).toEqual(Object.keys(SURFACE));
  });
});
