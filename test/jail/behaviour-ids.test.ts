import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const rows = join(process.env.POSTERN_SHARED ?? join(process.cwd(), "..", "shared"), "data/jail/behaviours.jsonl");
const isPresent = existsSync(rows);
/** They need a browser, which `src/net` is not. */
const OF_THE_BROWSER = ["html-page-calls-home", "rendered-redirect"];

const folder = new URL(".", import.meta.url);
const titles = readdirSync(folder, { encoding: "utf8", recursive: true })
  .filter((name) => name.endsWith(".test.ts") && name !== "behaviour-ids.test.ts")
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .join("\n");

/** In a title, `id: what is promised`, or as the first thing in the row of a table whose title begins with it. */
const isTested = (id: string): boolean => titles.includes(`"${id}: `) || titles.includes(`"${id}"`);

describe.skipIf(!isPresent)(`the behaviours${isPresent ? "" : " (behaviours.jsonl is absent: not compared)"}`, () => {
  it("have a test each, but for the browser's", () => {
    const ids = readFileSync(rows, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { readonly id: string }).id);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !isTested(id)).sort()).toEqual([...OF_THE_BROWSER].sort());
  });
});
