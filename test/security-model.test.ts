import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const page = readFileSync("docs/security-model.md", "utf8");
const named = [...new Set(page.match(/[\w/*.-]+\.test\.ts/g))];

describe("the security model", () => {
  it.each(named)("names a test that exists: %s", (name) => {
    const folders = [".", "test", "test/jail", "src/net"];
    const [folder = "", pattern = ""] = [
      name.slice(0, name.lastIndexOf("/") + 1),
      name.slice(name.lastIndexOf("/") + 1),
    ];
    const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    const places = folders.map((place) => join(place, folder)).filter((place) => existsSync(place));
    expect(places.flatMap((place) => readdirSync(place)).some((file) => expression.test(file))).toBe(true);
  });

  it("names a test for every guarantee", () => {
    const [, guarantees = ""] = /## Guarantees\n([\s\S]*?)\n## What is not promised/.exec(page) ?? [];
    const rows = guarantees.split("\n").filter((line) => /^\| (?!guarantee|---)/.test(line));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatch(/\.test\.ts/);
  });
});
