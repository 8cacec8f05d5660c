import { describe, expect, it, test } from "vitest";
import { extract } from "../extract.js";
import type { Metadata } from "./metadata.js";

const PROSE = "Tea is made by pouring hot water over the cured leaves of a shrub that grows in the hills.";
const of = (head: string, body = `<h1>How to steep</h1><p>${PROSE}</p>`, url?: string): Metadata =>
  extract(`<!doctype html>\n<html lang="en">\n<head>${head}</head><body>${body}</body></html>`, { url }).metadata;
const jsonLd = (json: string): string => `<script type="application/ld+json">${json}</script>`;

describe("JSON-LD", () => {
  const ARTICLE = `"@type":"Article","headline":"How to steep","datePublished":"2024-03-05","author":{"name":"Rosa Lind"}`;
  test.each([
    ["alone", `{${ARTICLE}}`],
    ["in a list", `[{"@type":"WebSite","name":"x"},{${ARTICLE}}]`],
    ["in a graph", `{"@graph":[{"@type":"Person","name":"Otto"},{${ARTICLE}}]}`],
    ["as the main entity of a page", `{"@type":"WebPage","mainEntity":{${ARTICLE}}}`],
    ["in a comment", `<!-- {${ARTICLE}} -->`],
    ["in a CDATA section", `//<![CDATA[\n{${ARTICLE}}\n//]]>`],
    ["with comments and commas too many", `{/* ours */ ${ARTICLE}, // that is all\n}`],
    ["with line breaks in strings", `{${ARTICLE},"description":"one\ntwo\tthree"}`],
    ["with wrong escapes", `{${ARTICLE},"description":"it\\'s \\\\ \\"quoted\\" \\u00e9"}`],
    ["with a semicolon behind", `{${ARTICLE},};`],
    [
      "with an author by reference",
      `{"@graph":[{"@id":"#r","@type":"Person","name":"Rosa Lind"},{${ARTICLE.replace('{"name":"Rosa Lind"}', '[{"@id":"#r"}]')}}]}`,
    ],
  ])("is read %s", (_name, json) => {
    expect(of(jsonLd(json))).toMatchObject({ byline: "Rosa Lind", published: "2024-03-05" });
  });

  test.each([
    "",
    "{",
    "null",
    "[[[[",
    '{"@type":',
    `${'{"a":['.repeat(50_000)}`,
    '"'.repeat(100_000),
    "/*".repeat(100_000),
  ])("that is broken says nothing", (json) => {
    expect(of(jsonLd(json), "<p>x</p>")).toEqual({ title: "", language: "en" });
  });

  test("of teasers is not the page's", () => {
    const teasers = [1, 2, 3].map(
      (n) => `{"@type":"NewsArticle","url":"/${n}","author":"Otto Berg","datePublished":"2024-01-0${n}"}`,
    );
    const metadata = of(jsonLd(`[${teasers.join()}]`));
    expect(metadata).not.toHaveProperty("byline");
    expect(metadata).not.toHaveProperty("published");
    const own = `{"@type":"NewsArticle","url":"https://kettle.example/steep/","author":"Rosa Lind"}`;
    const html = `${jsonLd(`[${[...teasers, own].join()}]`)}<p>x</p>`;
    expect(extract(html, { url: "https://www.kettle.example/steep?ref=1" }).metadata.byline).toBe("Rosa Lind");
  });

  test("is handed on, bounded and without what describes the site", () => {
    const metadata = of(
      jsonLd(
        `[{"@type":"WebSite","name":"x"},{${ARTICLE},"articleBody":"${"long ".repeat(9_000)}","__proto__":{"a":1}}]`,
      ),
    );
    expect(metadata.jsonLd).toHaveLength(1);
    expect(metadata.jsonLd?.[0]).toMatchObject({ headline: "How to steep", author: { name: "Rosa Lind" } });
    expect(Object.keys(metadata.jsonLd?.[0] ?? {})).not.toContain("__proto__");
    const many = Array.from({ length: 100 }, () => `{"@type":"Article","text":"${"x".repeat(4_000)}"}`);
    expect(JSON.stringify(of(jsonLd(`[${many.join()}]`)).jsonLd).length).toBeLessThan(55_000);
  });
});

describe("names and dates", () => {
  it.each([
    [
      "a card's own label",
      '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Rosa Lind">',
      "",
    ],
    [
      "Sailthru",
      '<meta name="sailthru.author" content="Rosa Lind"><meta name="sailthru.date" content="2024-03-05">',
      "",
    ],
    [
      "Dublin Core",
      '<meta name="DC.Creator" content="Rosa Lind"><meta name="DC.date.issued" content="2024-03-05">',
      "",
    ],
    ["a publisher's own name", '<meta name="kettle_author" content="Rosa Lind">', ""],
    [
      "microdata",
      "",
      '<div itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop="headline">How to steep</h1><span itemprop="author" itemscope itemtype="https://schema.org/Person"><meta itemprop="name" content="Rosa Lind"></span><time itemprop="datePublished" datetime="2024-03-05">May</time></div>',
    ],
    [
      "RDFa",
      "",
      '<article typeof="schema:Article"><h1>How to steep</h1><span property="schema:author">Rosa Lind</span><span property="dc:date dc:created" content="2024-03-05"></span></article>',
    ],
    [
      "microformats",
      "",
      '<h1>How to steep</h1><a rel="author" href="/r">Rosa Lind</a> <abbr class="published" title="5">March 5, 2024</abbr>',
    ],
    ["a class name", "", '<h1>How to steep</h1><div class="post__authorName">Rosa Lind</div><p>March 5, 2024</p>'],
    ["a line under the heading", "", "<h1>How to steep</h1><p>By <b>Rosa Lind</b> | <i>5 March 2024</i></p>"],
    [
      "a label on its own line",
      "",
      "<h1>How to steep</h1><div>Written by</div><div>Rosa Lind</div><div>Published on</div><div>05 Mar 2024</div>",
    ],
    ["a line above the heading", "", "<p>5 March 2024</p><p>By Rosa Lind</p><h1>How to steep</h1>"],
  ])("come from %s", (_name, head, body) => {
    const metadata = of(`<title>How to steep</title>${head}`, body === "" ? undefined : body);
    expect(metadata.byline).toBe("Rosa Lind");
    if (/2024/.test(head + body)) expect(metadata.published?.slice(0, 10)).toBe("2024-03-05");
  });

  test("a date is the one its label says", () => {
    const body =
      '<h1>How to steep</h1><p>Updated: <time datetime="2024-04-01T08:00:00Z">1 April</time></p><p>Posted 5 March 2024</p>';
    expect(of("", body)).toMatchObject({ published: "2024-03-05", modified: "2024-04-01T08:00:00Z" });
    expect(of("", "<h1>How to steep</h1><p>Offer ends March 5, 2024</p>")).not.toHaveProperty("published");
  });

  test("several authors are named once each", () => {
    const names = ["Lind, Rosa", "Otto Berg", "otto berg"].map(
      (name) => `<meta name="citation_author" content="${name}">`,
    );
    expect(of(names.join("")).byline).toBe("Lind, Rosa, Otto Berg");
  });

  test("nobody is invented", () => {
    const comments =
      '<h1>How to steep</h1><p>x</p><div class="comment-list"><span class="comment-author">Otto Berg says</span></div>';
    for (const body of [comments, "<h1>x</h1><p>By far the best.</p>", '<h1>x</h1><a href="/author/x">Sign up</a>']) {
      expect(of("", body)).not.toHaveProperty("byline");
    }
  });

  test("an address gives its date when nothing else does", () => {
    expect(of("", undefined, "https://kettle.example/2024/03/05/steep").published).toBe("2024-03-05");
    expect(of("", undefined, "https://kettle.example/2024/03/steep").published).toBe("2024-03");
  });
});

describe("the title", () => {
  it.each([
    ["How to steep | The Kettle", "<h1>The Kettle</h1><h1>How to steep</h1>", "How to steep"],
    ["Steep like a pro: 7 ways to steep tea", "<h1>7 Ways to Steep Tea Well</h1>", "7 Ways to Steep Tea Well"],
    ["Steeping - Kettle", "<h1>Welcome</h1>", "Steeping"],
    ["Tom &amp;amp; Otto", "<p>x</p>", "Tom & Otto"],
    ["List&lt;T&gt; and the &lt;/div&gt; tag", "<p>x</p>", "List<T> and the </div> tag"],
    ["", "<h1>Only this</h1>", "Only this"],
  ])("of %s over %s", (title, body, expected) => {
    expect(of(`<title>${title}</title>`, body, "https://thekettle.example/").title).toBe(expected);
  });

  test("is not a drawing's", () => {
    expect(of("", "<svg><title>Menu</title></svg><p>x</p>").title).toBe("");
  });
});

test("the site's name is the part of the title that the host has", () => {
  const siteName = (title: string): string | undefined =>
    of(`<title>${title}</title>`, "<p>x</p>", "https://www.the-kettle.example/").siteName;
  expect(siteName("Steeping | The Kettle")).toBe("The Kettle");
  expect(siteName("TheKettle: Steeping")).toBe("TheKettle");
  expect(siteName("Steeping | Tea")).toBeUndefined();
});

test("the language comes from what names it first", () => {
  const language = (html: string): string | undefined => extract(html).metadata.language;
  expect(language('<!doctype html>\n\n<html lang="pt-BR">\n<p>x')).toBe("pt-BR");
  expect(language('<meta http-equiv="Content-Language" content="de"><p>x')).toBe("de");
  expect(language('<meta property="og:locale" content="fr_CA"><p>x')).toBe("fr-CA");
  expect(language('<html lang="{{ lang }}"><p>x')).toBeUndefined();
});

test("every value is one line of bounded, well-formed text", () => {
  const long = `\u0000 a\n${"word ".repeat(3_000)}\ud83d`;
  const metadata = of(
    `<title>${long}</title><meta name="author" content="${long}"><meta name="description" content="${long}"><meta property="og:site_name" content="${long}"><meta property="og:image" content="/${"x".repeat(5_000)}"><link rel="canonical" href="/${"x".repeat(5_000)}">`,
    "<p>x</p>",
    "https://kettle.example/",
  );
  for (const value of Object.values(metadata)) {
    expect(value).toMatch(/^\S(?:[^\p{Cc}\p{Cs}]{0,499})$/u);
  }
  expect(metadata.image).toBeUndefined();
});
