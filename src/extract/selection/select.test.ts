import { describe, expect, test } from "vitest";
import { extract } from "../extract.js";

const sentence = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `The ${topic} of chapter ${at + 1} was written slowly, with care, and read aloud before anybody else saw it.`,
  ).join(" ");

const LINKS = ["Home", "News", "Prices", "Careers", "Contact"]
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join("");

function page(content: string): string {
  return `<!doctype html><html lang="en"><head><title>Letters of a printer</title></head><body>
<header class="site-header"><nav><ul>${LINKS}</ul></nav></header>
<main><article><h1>Letters of a printer</h1>${content}</article></main>
<aside class="sidebar"><h2>Most read</h2><ul>${LINKS}</ul></aside>
<footer class="footer"><p>© 2024 Example Press. All rights reserved.</p><ul>${LINKS}</ul></footer></body></html>`;
}

describe("the content of a page", () => {
  const body = `<p>${sentence("letter", 4)}</p><h2>The second year</h2><p>${sentence("journal", 4)}</p>`;

  test("keeps its text and leaves the menus, the side and the foot", () => {
    const { markdown } = extract(page(body), { url: "https://press.example/blog/letters-of-a-printer" });
    expect(markdown).toContain(sentence("letter", 4));
    expect(markdown).toContain(`## The second year\n\n${sentence("journal", 4)}`);
    for (const litter of ["Careers", "Most read", "All rights reserved"]) expect(markdown).not.toContain(litter);
  });

  test("keeps code, tables and lists that stand in it", () => {
    const table = "<table><tr><th>Size</th><th>Ink</th></tr><tr><td>A4</td><td>12 g</td></tr></table>";
    const { markdown, quality } = extract(
      page(`${body}<pre>make proof</pre>${table}<ul><li>fold the sheet twice</li></ul>`),
      {
        url: "https://press.example/docs/printing",
      },
    );
    expect(markdown).toContain("```\nmake proof\n```");
    expect(markdown).toContain("| A4 | 12 g |");
    expect(markdown).toContain("- fold the sheet twice");
    expect(quality.tables).toEqual({ kept: 1, total: 1 });
  });

  test("full mode keeps everything that is seen", () => {
    const { markdown } = extract(page(body), { mode: "full" });
    for (const litter of ["Careers", "Most read", "All rights reserved"]) expect(markdown).toContain(litter);
  });

  test.each(["<p>Just this.</p>", "<li>an item", "<b>bold</b> text", "<table><tr><td>1<td>2</table>"])(
    "a fragment is all content: %s",
    (html) => {
      expect(extract(html).text).toBe(extract(html, { mode: "full" }).text);
    },
  );

  test("a page without text is empty in either mode", () => {
    for (const html of ["", "<html></html>", "<script>x</script>", "<p> </p>"]) expect(extract(html).markdown).toBe("");
  });

  test("the same page is read the same way twice", () => {
    expect(extract(page(body))).toEqual(extract(page(body)));
  });
});
