import { describe, expect, it } from "vitest";
import { readFeed } from "./feed.js";

const options = {
  url: "https://blog.example/feed.xml",
  htmlToText: (html: string): string =>
    html
      .replace(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll("&lt;", "<"),
};
const read = (text: string): string => readFeed(text, options)?.markdown ?? "";

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Harbour notes</title><link>https://blog.example/</link><atom:link rel="self" href="https://blog.example/feed.xml"/>
  <description>Tides &amp; boats</description>
  <image><title>Logo</title><url>/logo.png</url><link>/logo</link></image>
  <item>
    <title>Low water &lt;b&gt;today&lt;/b&gt;</title><link>/low</link><pubDate>Tue, 03 Mar 2026 23:30:00 -0500</pubDate>
    <description><![CDATA[<p>The <em>pier</em> is dry.</p>]]></description>
    <content:encoded><![CDATA[<p>All of it.</p>]]></content:encoded>
  </item>
  <item><title>Second</title><guid isPermaLink="true">https://blog.example/second</guid><content:encoded>&lt;p&gt;Only content&lt;/p&gt;</content:encoded></item>
</channel></rss>`;

describe("readFeed", () => {
  it("reads RSS 2.0", () => {
    expect(read(RSS)).toBe(
      `${[
        "# Harbour notes",
        "https://blog.example/",
        "Tides & boats",
        "## Low water today",
        "2026-03-03 — https://blog.example/low",
        "The pier is dry.",
        "## Second",
        "https://blog.example/second",
        "Only content",
      ].join("\n\n")}\n`,
    );
    expect(readFeed(RSS, options)).toMatchObject({ title: "Harbour notes", itemCount: 2, warnings: [] });
  });

  it("reads RSS 1.0, whose items stand beside the channel", () => {
    const rdf = `<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/" xmlns:dc="y"><channel><title>Old</title></channel>
      <item><title>One</title><link>https://a.example/1</link><dc:date>2025-12-31T10:00:00Z</dc:date></item></rdf:RDF>`;
    expect(read(rdf)).toContain("## One\n\n2025-12-31 — https://a.example/1");
  });

  it("reads Atom with text, HTML and XHTML", () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">AT&amp;T &lt;notes&gt;</title>
      <link rel="self" href="/feed"/><link href="https://a.example/"/>
      <entry><title type="html">A &lt;i&gt;b&lt;/i&gt;</title><link rel="enclosure" href="/x.mp3"/><link rel="alternate" href="/b"/>
        <updated>2026-01-05T00:00:00Z</updated><published>2026-01-04T00:00:00Z</published>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>1 &lt; 2</p></div></content></entry>
      <entry><title>Plain &lt;tag&gt;</title><summary>Just text</summary></entry></feed>`;
    const text = read(atom);
    expect(text).toContain("# AT&T \\<notes\\>\n\nhttps://a.example/");
    expect(text).toContain("## A b\n\n2026-01-04 — https://blog.example/b\n\n1 < 2");
    expect(text).toContain("## Plain \\<tag\\>\n\nJust text");
  });

  it("reads JSON Feed", () => {
    const feed = {
      version: "https://jsonfeed.org/version/1.1",
      title: "Json",
      home_page_url: "https://a.example/",
      items: [
        {
          id: "1",
          url: "https://a.example/1",
          title: "One \ud800",
          content_html: "<p>Hi</p>",
          date_published: "2026-02-01T00:00:00Z",
        },
        7,
      ],
    };
    expect(read(JSON.stringify(feed))).toBe(
      "# Json\n\nhttps://a.example/\n\n## One \uFFFD\n\n2026-02-01 — https://a.example/1\n\nHi\n",
    );
  });

  it("keeps a feed's words from becoming structure or links that do not lead to the web", () => {
    const text = read(
      `<rss><channel><title>T</title><item><title>[x](y) # z</title><link>javascript:alert(1)</link><description>&lt;p&gt;
# not a heading
\`\`\`
- no list&lt;/p&gt;</description></item></channel></rss>`,
    );
    expect(text).toBe("# T\n\n## \\[x\\](y) # z\n\n\\# not a heading\n\\```\n\\- no list\n");
  });

  it("expands no entity of a DOCTYPE and fetches nothing it names", () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
      <rss><channel><title>&b;&x;</title><item><title>ok</title></item></channel></rss>`;
    expect(read(bomb)).toContain("# &b;&x;");
  });

  it("says what it leaves out", () => {
    const items = `<item><title>i</title><description>${"word ".repeat(1_000)}</description></item>`.repeat(150);
    const feed = readFeed(`<rss><channel><title>T</title>${items}</channel></rss>`, options);
    expect(feed?.itemCount).toBe(150);
    expect(feed?.warnings).toEqual([
      "The feed has 150 items; the first 100 are shown.",
      "100 item texts are cut after 2000 characters; fetch an item's link for the whole.",
    ]);
    expect(feed?.markdown).toContain("word […]");
  });

  it.each(["", "{}", "[1]", "<html><body>x</body></html>", "<rss></rss>", "plain", '{"version":"2"}', "{"])(
    "is undefined for %j",
    (text) => {
      expect(readFeed(text, options)).toBeUndefined();
    },
  );

  it("reads what a cut feed still holds", () => {
    expect(read(RSS.slice(0, RSS.indexOf("<content:encoded>")))).toContain("## Low water today");
  });

  it("stays linear on broken nesting", () => {
    const started = performance.now();
    readFeed(`<rss>${"<a>".repeat(300_000)}${"</b>".repeat(300_000)}`, options);
    readFeed(`<rss><channel><title>${"<b>".repeat(500_000)}`, options);
    readFeed(`<rss><channel>${"<item>".repeat(300_000)}`, options);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
