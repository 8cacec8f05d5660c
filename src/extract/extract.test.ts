import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extract } from "./extract.js";

const PROSE =
  "Tea is made by pouring hot water over cured leaves of a shrub that grows in the hills of many countries, and people drink it in the morning, at noon and at night.";
const page = (body: string, head = ""): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

describe("metadata", () => {
  test("comes from the page's own claims, absolute and in ISO form", () => {
    const { metadata, title, kind } = extract(
      page(
        `<article><h1>How to steep</h1><p>${PROSE}</p></article>`,
        `<title>How to steep | The Kettle</title><meta property="og:site_name" content="The Kettle">
         <meta name="author" content="By Rosa Lind"><meta name="description" content="All about it.">
         <link rel="canonical" href="/steep"><script type="application/ld+json">{"@context":"https://schema.org",
         "@graph":[{"@type":"WebSite","name":"x"},{"@type":"BlogPosting","datePublished":"2024-03-05T10:00:00Z"}]}</script>
         <meta property="article:modified_time" content="yesterday">`,
      ),
      { url: "https://kettle.example.org/2024/steep?ref=x" },
    );
    expect(metadata).toEqual({
      title: "How to steep",
      byline: "Rosa Lind",
      published: "2024-03-05T10:00:00Z",
      language: "en",
      canonical: "https://kettle.example.org/steep",
      siteName: "The Kettle",
      description: "All about it.",
      jsonLd: [{ "@type": "BlogPosting", datePublished: "2024-03-05T10:00:00Z" }],
    });
    expect(title).toBe("How to steep");
    expect(kind).toBe("article");
  });

  test("a title loses the site's name, a page without one has its heading", () => {
    expect(extract(page(`<p>${PROSE}</p>`, "<title>Steeping - Kettle Docs</title>")).title).toBe("Steeping");
    expect(extract(page(`<h1>Only this</h1><p>${PROSE}</p>`)).title).toBe("Only this");
    expect(extract("").title).toBe("");
  });

  test("broken JSON-LD and other schemes are nothing", () => {
    const { metadata } = extract(
      page(
        "<p>x</p>",
        '<script type="application/ld+json">{"@type":</script><link rel="canonical" href="javascript:1">',
      ),
    );
    expect(metadata).toEqual({ title: "", language: "en" });
  });
});

describe("outline", () => {
  test("numbers the sections and points at them", () => {
    const { markdown, outline } = extract(
      page(
        `<main><h1>Tea</h1><p>${PROSE}</p><h2>Green</h2><pre># not a heading</pre><h3>Sencha</h3><h2>Black</h2></main>`,
      ),
    );
    expect(outline.map(({ number, level, title }) => [number, level, title])).toEqual([
      ["1", 1, "Tea"],
      ["1.1", 2, "Green"],
      ["1.1.1", 3, "Sencha"],
      ["1.2", 2, "Black"],
    ]);
    expect(outline.map(({ start, end }) => markdown.slice(start, end).split("\n")[0])).toEqual([
      "# Tea",
      "## Green",
      "### Sencha",
      "## Black",
    ]);
    expect(outline[1] && markdown.slice(outline[1].start, outline[1].end)).toContain("### Sencha");
  });
});

describe("what is reported", () => {
  test("hidden words are counted and kept for detectors, never read", () => {
    const read = extract(page(`<p>${PROSE}</p><p hidden>obey the kettle</p><!-- and the cup -->`));
    expect(read.removed).toEqual({ hidden_attribute: 1, comment: 1 });
    expect(read.removedText).toEqual(["obey the kettle", "and the cup"]);
    expect(read.markdown).not.toContain("obey");
    expect(read.text).not.toContain("obey");
  });

  test("the list of hidden words is bounded", () => {
    const { removed, removedText } = extract(page(`<p hidden>${"words ".repeat(2_000)}</p>`.repeat(500)));
    expect(removed.hidden_attribute).toBe(500);
    expect(removedText.length).toBeLessThanOrEqual(200);
    expect(removedText.join("").length).toBeLessThanOrEqual(102_000);
  });

  test("quality says how much of the page was kept", () => {
    const { quality } = extract(
      page(
        `<nav><a href="/">Home</a></nav><main><h1>Tea</h1><p>${PROSE}</p><pre>pour</pre></main><footer><h2>Imprint</h2></footer>`,
      ),
    );
    expect(quality.codeBlocks).toEqual({ kept: 1, total: 1 });
    expect(quality.headings).toEqual({ kept: 1, total: 2 });
    expect(quality.links).toEqual({ kept: 0, total: 1 });
    expect(quality.keptChars).toBe("Tea".length + PROSE.length + "pour".length);
    expect(quality.coverage).toBeCloseTo(quality.keptChars / quality.visibleChars);
  });

  test("signals tell a shell from a page", () => {
    const { signals, markdown } = extract(
      page('<div id="root"></div><noscript>Please enable JavaScript.</noscript><script>boot("kettle")</script>'),
    );
    expect(signals).toEqual({
      scriptBytes: 14,
      textChars: 0,
      noscriptText: "Please enable JavaScript.",
      emptyRoot: true,
    });
    expect(markdown).toBe("");
  });

  test("text is the Markdown without its marks", () => {
    const { text } = extract(
      page(
        '<h2>A <em>fine</em> title</h2><p>See <a href="https://example.org/x">the <b>pot</b></a>, <code>a_b</code> 2 * 3.</p><pre>x = "*"</pre>',
      ),
      { mode: "full" },
    );
    expect(text).toBe('A fine title\n\nSee the pot, a_b 2 * 3.\n\nx = "*"');
  });
});

describe("modes", () => {
  const html = page(`<nav><a href="/a">Menu</a></nav><main><p>${PROSE}</p></main><footer>Imprint</footer>`);

  test("main keeps the content", () => {
    expect(extract(html).markdown).toBe(PROSE);
  });

  test("full keeps all that is seen", () => {
    expect(extract(html, { mode: "full" }).markdown).toBe(`[Menu](/a)\n\n${PROSE}\n\nImprint`);
  });
});

const TAGS =
  "div p b i a ul ol li table tr td th pre code span h1 h2 blockquote br img svg math template noscript select option form button dl dt dd details summary section nav".split(
    " ",
  );
const token = fc.oneof(
  fc.constantFrom(...TAGS).map((tag) => `<${tag}>`),
  fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
  fc.constantFrom(
    "<a href='/x y)('>",
    "<td colspan=99 rowspan=3>",
    "<p hidden>",
    "<p style='color:#fff;background:#fff'>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<style>p{display:none}",
    "</style>",
    "<script>",
    "</script>",
    "&amp;",
    "&#xd800;",
    "\ud83d",
    "```",
    "| * _ [x](y) #",
  ),
  fc.string({ maxLength: 12, unit: "binary" }),
);
const soup = fc.array(token, { maxLength: 120 }).map((tokens) => tokens.join(""));

describe("any input", () => {
  test.each(["main", "full"] as const)("%s mode takes any markup and gives well-formed text", (mode) => {
    fc.assert(
      fc.property(soup, (html) => {
        const { markdown, text, outline, quality } = extract(html, { mode, url: "https://example.org/" });
        for (const written of [markdown, text]) expect(/\p{Surrogate}/u.test(written)).toBe(false);
        expect(markdown).toBe(markdown.trim());
        for (const { start, end } of outline) expect(start < end && end <= markdown.length).toBe(true);
        expect(quality.coverage).toBeGreaterThanOrEqual(0);
        expect(quality.coverage).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test("no scheme but http and https becomes a link", () => {
    fc.assert(
      fc.property(
        fc.webUrl(),
        fc.constantFrom("javascript:", "data:", "file:", "vbscript:", "JaVaScRiPt:"),
        (url, scheme) => {
          const { markdown } = extract(`<a href="${scheme}alert(1)">one</a> <a href="${url}">two</a>`, {
            mode: "full",
          });
          expect(markdown.startsWith("one ")).toBe(true);
        },
      ),
    );
  });
});

/** Grows with `n`; each kind once made some reader take quadratic time. */
const GROWING: readonly (readonly [string, (n: number) => string])[] = [
  ["nested divisions", (n) => "<div>".repeat(n) + PROSE],
  ["nested formatting", (n) => "<b><i><a href=/x><div>".repeat(n) + "</b></i></a>".repeat(n)],
  ["unclosed lists", (n) => "<ul><li>a".repeat(n)],
  ["ruby", (n) => "<ruby>a<rt>b".repeat(n)],
  ["links", (n) => `<p>${'<a href="../x y">link text</a> '.repeat(n)}`],
  ["table cells", (n) => `<table>${"<tr><td>cell <b>x</b></td><td>y</td></tr>".repeat(n)}</table>`],
  ["spans", (n) => `<table>${"<tr><td colspan=1000 rowspan=1000>c</td></tr>".repeat(n)}</table>`],
  ["nested tables", (n) => "<table><tr><td>".repeat(n)],
  [
    "style rules",
    (n) => `<style>${"div p > b:nth-child(3) { display: none } ".repeat(n)}</style>${"<p><b>x</b></p>".repeat(500)}`,
  ],
  ["nested style rules", (n) => `<style>${"a{".repeat(n)}`],
  ["open addresses in styles", (n) => `<style>${"a{b:url(".repeat(n)}</style>`],
  ["open comments in styles", (n) => `<style>${"/*".repeat(n)}`],
  ["siblings under a rule", (n) => `<style>p ~ p ~ i { display: none }</style>${"<p>a</p>".repeat(n)}`],
  ["special characters", (n) => "*_[`<\\&;~".repeat(n)],
  ["backticks", (n) => `<pre>${"`".repeat(n)}</pre>`],
  ["data addresses", (n) => `<p>${"data:image/png;base64,".repeat(n)}`],
  ["white space", (n) => `${" ".repeat(n * 10)}x`],
  ["text that tables cannot hold", (n) => `<table>${"<tr><td>a</td>b<i>c</i></tr>".repeat(n)}</table>`],
  ["tables in rows", (n) => "<table><tr>a".repeat(n)],
  ["stray ends of paragraphs", (n) => `<div>${"a</p>".repeat(n)}`],
  ["comments in text", (n) => `<p>${"a &amp; b<!-- c -->".repeat(n)}`],
  ["references", (n) => `<p title="${"&amp;".repeat(n)}">${"&nbsp;&lt;&unknown".repeat(n)}`],
  ["names of attributes", (n) => `<p ${Array.from({ length: n }, (_, index) => `a${index}=b`).join(" ")}>x`],
  ["character data sections", (n) => `<p>${"a<![CDATA[b".repeat(n)}`],
  [
    "rules for what is around an element",
    (n) => `<style>${Array.from({ length: n }, (_, index) => `.a .b${index} > p{top:0}`).join("")}</style>
      ${Array.from({ length: n }, (_, index) => `<div class="a b${index}"><p>x</p></div>`).join("")}`,
  ],
];

describe("time", () => {
  test.each(GROWING)("is linear in %s", (_name, make) => {
    // CPU time, the better of two: other tests and the collection of garbage are not measured.
    const spent = (n: number): number => {
      const html = make(n);
      const times = [1, 2].map(() => {
        const start = process.cpuUsage();
        extract(html, { url: "https://example.org/a" });
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1_000;
      });
      return Math.min(...times);
    };
    spent(500);
    const small = Math.max(spent(2_000), 4);
    // Eight times the input: linear code stays far below the 64 times of quadratic code.
    expect(spent(16_000)).toBeLessThan(small * 30);
  });
});
