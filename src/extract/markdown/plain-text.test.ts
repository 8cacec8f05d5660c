import { describe, expect, it } from "vitest";
import { extract } from "../extract.js";

const textOf = (html: string): string => extract(html, { mode: "full" }).text;

describe("the plain text", () => {
  it.each([
    ["<p>hi <b>bold</b></p>", "hi bold"],
    ["<p>a <b>b</b> and <b>c</b></p>", "a b and c"],
    ["<p><strong>Note:</strong> text</p>", "Note: text"],
    ["<p><b><i>both</i></b></p>", "both"],
    ["<p>use <code>co*de*</code> or <code>a**b</code></p>", "use co*de* or a**b"],
    ["<p>a tick <code>`x`</code></p>", "a tick `x`"],
    ["<p>2 * 3 * 4 and <s>gone</s></p>", "2 * 3 * 4 and gone"],
    ["<p>a_b and _c_</p>", "a_b and _c_"],
    ["<p>5* of <b>b*</b></p>", "5* of b*"],
    ["<p>5* and *note</p>", "5* and *note"],
    ["<p><b>two<br>lines</b> <i>a <b>b</b></i></p>", "two\nlines a b"],
    ["<table><tr><th>*a<th><b>b</b><tr><td>c*<td>d|e</table>", "| *a | b |\n| c* | d|e |"],
    ["<p><code>```</code></p><p><b>after</b></p>", "```\n\nafter"],
    ["<p><a href='https://a.example/'>a <b>link</b></a></p>", "a link"],
  ])("of %s is %s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it("keeps code as it is", () => {
    expect(textOf("<pre><code>a ** b // `c`</code></pre>")).toBe("a ** b // `c`");
  });

  it("of a heading is its title in the outline", () => {
    expect(extract("<h2>The <code>a*b</code> op</h2><p>x</p>", { mode: "full" }).outline[0]?.title).toBe("The a*b op");
  });

  it("takes time in step with the text", () => {
    const timed = (repeat: number) => {
      const html = `<p>${"`*~\\".repeat(repeat)}</p>`;
      const started = performance.now();
      textOf(html);
      return performance.now() - started;
    };
    timed(1_000);
    expect(timed(40_000)).toBeLessThan(Math.max(300, timed(4_000) * 60));
  });
});
