import { describe, expect, test } from "vitest";
import { parse } from "../parse.js";
import { ENDING, measureText } from "./block-text.js";
import { splitBlocks } from "./blocks.js";
import { hashOf } from "./hash.js";

function measure(html: string) {
  const tree = parse(html);
  const gone = new Uint8Array(tree.nodes.length);
  return measureText(tree, gone, splitBlocks(tree, gone));
}

describe("measureText", () => {
  test("counts characters with white space collapsed", () => {
    expect(measure("<p>  a \n\n b  c\u00a0 </p>").chars[0]).toBe("a b c".length);
  });

  test("counts what stands in links, also when the link is round the block", () => {
    const { chars, linkChars, links } = measure(
      '<p>see <a href="/x">the page</a></p><a href="/y"><div>all of it</div></a>',
    );
    expect([...linkChars]).toEqual(["the page".length, "all of it".length]);
    expect([...chars]).toEqual(["see the page".length, "all of it".length]);
    expect([...links]).toEqual([1, 1]);
  });

  test("a word goes on through inline elements and ends at cells and breaks", () => {
    const { wordHashes } = measure("<p>un<b>believ</b>able<br>yes</p>");
    expect([...wordHashes]).toEqual([hashOf("unbelievable"), hashOf("yes")]);
  });

  test("words are compared without case and punctuation", () => {
    const { wordHashes } = measure("<p>“Stop!” (stop) STOP</p>");
    expect(new Set(wordHashes)).toEqual(new Set([hashOf("stop")]));
  });

  test.each([
    ["It ends.", ENDING.sentence],
    ["Does it end?", ENDING.question],
    ["It ends:", ENDING.colon],
    ["“It ends.”", ENDING.sentence],
    ["終わり。", ENDING.sentence],
    ["No end", ENDING.none],
  ])("%s", (text, ending) => {
    expect(measure(`<p>${text}</p>`).endings[0]).toBe(ending);
  });

  test("prices and years are told from other numbers", () => {
    const { prices, years, digits } = measure("<p>$12 and €7.50 in 2024, not 12345 or 3000</p>");
    expect([prices[0], years[0], digits[0]]).toEqual([2, 1, 2 + 3 + 4 + 5 + 4]);
  });
});
