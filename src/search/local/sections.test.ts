import { describe, expect, it } from "vitest";
import { plainHeading } from "./plain-heading.js";
import { MAX_SECTIONS, slugify, splitSections } from "./sections.js";

const outline = (text: string, markup: "markdown" | "restructuredtext" | "text" = "markdown") =>
  splitSections(text, markup).map(({ level, heading, slug }) => `${level} ${heading} #${slug}`);

describe("splitSections", () => {
  it("cuts Markdown at its headings, without gaps, and knows the headings above", () => {
    const text = "intro\n\n# Gate\n\ntext\n\n## Opening\n\nmore\n\n### By hand\n\nx\n\n## Closing\n\ny\n";
    const sections = splitSections(text, "markdown");
    expect(sections.map(({ slug }) => slug)).toEqual(["", "gate", "opening", "by-hand", "closing"]);
    expect(sections.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    expect(sections[3]?.ancestors).toEqual(["Gate", "Opening"]);
    const [, gate, opening] = sections;
    expect(text.slice(opening?.start, opening?.treeEnd)).toContain("By hand");
    expect(text.slice(opening?.start, opening?.treeEnd)).not.toContain("Closing");
    expect(gate?.treeEnd).toBe(text.length);
  });

  it("takes no heading from fences, indented code or front matter", () => {
    expect(
      outline("---\ntitle: Gates\n---\n# One\n\n```sh\n# not one\n```\n\n~~~\n## nor this\n~~~\n\n    # nor that\n"),
    ).toEqual(["0  #", "1 One #one"]);
  });

  it("knows underlined and HTML headings, and names that a document gives itself", () => {
    expect(
      outline('Gate\n====\n\nBolt\n----\n\n<h2 align="center">\n  Hinges\n</h2>\n\n## Lock {#the-lock}\n'),
    ).toEqual(["1 Gate #gate", "2 Bolt #bolt", "2 Hinges #hinges", "2 Lock #the-lock"]);
  });

  it("numbers repeated headings as GitHub does", () => {
    expect(outline("# A\n# A\n# A-1\n# A\n").map((line) => line.split("#")[1])).toEqual(["a", "a-1", "a-1-1", "a-2"]);
  });

  it("cuts reStructuredText at its rules", () => {
    expect(
      outline("=====\nGates\n=====\n\nOpening\n-------\n\ntext\n\nClosing\n-------\n", "restructuredtext"),
    ).toEqual(["1 Gates #gates", "2 Opening #opening", "2 Closing #closing"]);
  });

  it("makes plain and empty text one section", () => {
    expect(outline("# no heading here\n", "text")).toEqual(["0  #"]);
    expect(outline("")).toEqual(["0  #"]);
  });

  it("stops at a limit and loses no text", () => {
    const text = "# x\n".repeat(MAX_SECTIONS + 50);
    const sections = splitSections(text, "markdown");
    expect(sections).toHaveLength(MAX_SECTIONS);
    expect(sections.at(-1)?.end).toBe(text.length);
  });

  it.each([
    "#",
    "# a\n",
    "<h1>\n",
    "[",
    "---\n",
    "[a](",
    "a\n=\n",
    "<",
    "`",
    "_",
    "![",
    "# <\n",
    "# [](\n",
    "# ![a](b(",
    "# *a ",
    "# [a](",
  ])("takes linear time over repeated %j", (unit) => {
    const time = (count: number): number => {
      const started = performance.now();
      splitSections(unit.repeat(count), "markdown");
      splitSections(unit.repeat(count), "restructuredtext");
      return performance.now() - started;
    };
    time(10_000);
    expect(time(160_000)).toBeLessThan(32 * time(10_000) + 400);
  });
});

describe("headings", () => {
  it.each([
    ["`new Gate([options])`", "new Gate([options])"],
    ["[Opening](#opening) the **gate**", "Opening the gate"],
    ["Declaring _gate_ variable", "Declaring gate variable"],
    ["`__dirname` and snake_case_name", "__dirname and snake_case_name"],
    ['<a id="x"></a>Bolts ![b](b.svg)', "Bolts"],
    ["Bolts [![b](b.svg)](https://ci.example/a_(b)) [![ci][badge]][ci]", "Bolts"],
    ["Bolts [nuts](https://nuts.example/cut/of", "Bolts nuts"],
    ['Bolts <img src="cut/of', "Bolts"],
    ["*Bolts* and ~~nuts~~, 2 * 3 * 4, `*.md`, *.ts", "Bolts and nuts, 2 * 3 * 4, *.md, *.ts"],
    ["a < b &amp; `&amp;`", "a < b & &amp;"],
    [`${"[![b](b.svg)](https://ci.example/bolts) ".repeat(20)}Bolts`, "Bolts"],
    ["x".repeat(9_000), "x".repeat(300)],
  ])("reads %s as a person does", (source, expected) => {
    expect(plainHeading(source)).toBe(expected);
  });

  it.each([
    ["Class: ProxyAgent", "class-proxyagent"],
    ["new Gate([options])", "new-gateoptions"],
    ["Event: 'drain'", "event-drain"],
    ["🚪 Doors & gates", "-doors--gates"],
    ["Über uns", "über-uns"],
  ])("gives %s GitHub's fragment", (heading, expected) => {
    expect(slugify(heading)).toBe(expected);
  });
});
