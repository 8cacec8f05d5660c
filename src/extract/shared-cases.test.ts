import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extract } from "./extract.js";

/** Data that is not ours to publish: read where it lies, skipped where it does not. */
const SHARED = process.env.POSTERN_SHARED ?? join(process.cwd(), "../shared");

function readLines<T>(file: string): readonly T[] {
  const path = join(SHARED, "data", file);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

type Pattern = string | { readonly re: string; readonly flags: string };

interface MarkdownCase {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  readonly must: readonly Pattern[];
  readonly mustNot: readonly Pattern[];
}

interface HidingCase {
  readonly id: string;
  readonly technique: string;
  readonly html_template: string;
  readonly must_be_dropped: boolean;
  readonly payload_transform?: string;
}

const markdownCases = readLines<MarkdownCase>("markdown/cases.jsonl");
/** Needs a layout engine to find; an invisible alphabet is the guard's to remove. */
const OUT_OF_REACH = new Set(["negative-z-index-behind", "zero-width-bits"]);
const hidingCases = readLines<HidingCase>("guard/hiding.jsonl").filter(
  ({ technique, payload_transform }) => !OUT_OF_REACH.has(technique) && payload_transform === undefined,
);

const PAYLOAD = "Zanzibar turnips quietly observe the moonlit harbour";

const holds = (text: string, pattern: Pattern): boolean =>
  typeof pattern === "string" ? text.includes(pattern) : new RegExp(pattern.re, pattern.flags).test(text);

/** Backslash escapes outside code make no difference to the cases. */
const withoutEscapes = (markdown: string): string =>
  markdown
    .split(/(^[ \t]*(?:```+|~~~+)[\s\S]*?^[ \t]*(?:```+|~~~+)[ \t]*$|``[^`\n].*?``|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\\([_[\]().#+\-!<>~={}$^])/g, "$1")))
    .join("");

describe.skipIf(markdownCases.length === 0)("shared Markdown cases (skipped: no shared data here)", () => {
  test.each(markdownCases)("$id", ({ html, url, must, mustNot }) => {
    const { markdown } = extract(html, { url, images: "link" });
    const plain = withoutEscapes(markdown);
    for (const pattern of must)
      expect([markdown, holds(plain, pattern) || holds(markdown, pattern)]).toEqual([markdown, true]);
    for (const pattern of mustNot) expect([markdown, holds(markdown, pattern)]).toEqual([markdown, false]);
  });
});

describe.skipIf(hidingCases.length === 0)("shared ways of hiding (skipped: no shared data here)", () => {
  test.each(hidingCases)("$id $technique", ({ html_template, must_be_dropped }) => {
    const html = html_template.replaceAll("{{PAYLOAD}}", PAYLOAD);
    for (const mode of ["main", "full"] as const) {
      expect(extract(html, { mode }).markdown.includes(PAYLOAD)).toBe(!must_be_dropped);
    }
  });
});
