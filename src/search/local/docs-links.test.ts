import { describe, expect, it } from "vitest";
import { linkDocs } from "./docs-links.js";

const PAGES = new Set([
  "docs:loom@3.0.0/README.md",
  "docs:loom@3.0.0/docs/api/shuttle.md",
  "docs:loom@3.0.0/docs/warp.md",
]);
const link = (markdown: string) => linkDocs(markdown, "docs:loom@3.0.0/docs/warp.md", (url) => PAGES.has(url));

describe("links between the pages of one package", () => {
  it.each([
    ["beside the page", "[s](api/shuttle.md)", "[s](docs:loom@3.0.0/docs/api/shuttle.md)"],
    ["with a place on it", "[s](./api/shuttle.md#throw)", "[s](docs:loom@3.0.0/docs/api/shuttle.md#throw)"],
    ["without its ending", "[s](api/shuttle)", "[s](docs:loom@3.0.0/docs/api/shuttle.md)"],
    ["above it", "[r](../README.md)", "[r](docs:loom@3.0.0/README.md)"],
    ["from the package's root", "[s](/docs/api/shuttle.md)", "[s](docs:loom@3.0.0/docs/api/shuttle.md)"],
    ["to a folder with a README", "[r](..)", "[r](docs:loom@3.0.0/README.md)"],
    ["with a title", '[s](api/shuttle.md "Shuttle")', '[s](docs:loom@3.0.0/docs/api/shuttle.md "Shuttle")'],
  ])("%s become docs: URLs", (_what, markdown, linked) => {
    expect(link(`See ${markdown}.`)).toBe(`See ${linked}.`);
  });

  it.each([
    ["to another host", "[x](https://loom.example/docs)"],
    ["to a place on the same page", "[x](#threads)"],
    ["to what is not indexed", "[x](api/reed.md)"],
    ["out of the package", "[x](../../../etc/passwd)"],
    ["without a scheme to another host", "[x](//loom.example/)"],
    ["in code", "```md\n[s](api/shuttle.md)\n```"],
  ])("%s stay as they are", (_what, markdown) => {
    expect(link(markdown)).toBe(markdown);
  });

  it("take time in step with the text", () => {
    const timed = (repeat: number) => {
      const text = "[a](b".repeat(repeat);
      const started = performance.now();
      link(text);
      return performance.now() - started;
    };
    timed(2_000);
    expect(timed(40_000)).toBeLessThan(Math.max(200, timed(4_000) * 60));
  });
});
