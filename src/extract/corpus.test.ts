import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extract } from "./extract.js";
import type { ExtractOptions } from "./extraction.js";

/**
 * Every `corpus/markdown/<topic>/<case>.case`: first a line that says why the case is there, then options as
 * `name: value`, then the page below `--- html` and what it says below `--- markdown`. Adding a case is adding a file.
 */
interface Case {
  readonly name: string;
  readonly why: string;
  readonly options: ReadonlyMap<string, string>;
  readonly html: string;
  readonly markdown: string;
}

const ROOT = join(import.meta.dirname, "../../corpus/markdown");

function readCase(file: string): Case {
  const [head = "", rest = ""] = readFileSync(join(ROOT, file), "utf8").split("\n--- html\n");
  const [html = "", markdown = ""] = rest.split("\n--- markdown\n");
  const [why = "", ...lines] = head.split("\n");
  const options = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
  return { name: file.replace(/\.case$/, ""), why, options, html, markdown: markdown.replace(/\n$/, "") };
}

const cases = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".case"))
  .sort()
  .map(readCase);

describe("corpus", () => {
  test("is there", () => {
    expect(cases.length).toBeGreaterThan(100);
  });

  test.each(cases)("$name: $why", ({ options, html, markdown }) => {
    const read = extract(html, {
      mode: (options.get("mode") ?? "full") as ExtractOptions["mode"],
      url: options.get("url"),
      images: options.get("images") as ExtractOptions["images"],
    });
    expect(read.markdown).toBe(markdown);
    const removed = options.get("removed");
    if (removed === undefined) return;
    const counts = Object.entries(read.removed).map(([reason, count]) => `${reason}=${count}`);
    expect(counts.sort().join(" ")).toBe(removed);
  });
});
