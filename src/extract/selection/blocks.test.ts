import { describe, expect, test } from "vitest";
import { parse } from "../parse.js";
import { splitBlocks } from "./blocks.js";

function blocksOf(html: string, hiddenClass = "hidden"): readonly string[] {
  const tree = parse(html);
  const gone = new Uint8Array(tree.nodes.length);
  for (const node of tree.nodes) if (node.className === hiddenClass) gone.fill(1, node.index, node.end);
  const { count, starts, ends, owners, before } = splitBlocks(tree, gone);
  expect(before[tree.nodes.length]).toBe(count);
  return Array.from({ length: count }, (_, block) => {
    let text = "";
    for (let at = starts[block] ?? 0; at < (ends[block] ?? 0); at++) if (gone[at] !== 1) text += tree.nodes[at]?.text;
    return `${tree.nodes[owners[block] ?? 0]?.tag.name}: ${text.trim()}`;
  });
}

describe("splitBlocks", () => {
  test.each([
    ["paragraphs with their inline elements", "<p>One <b>bold</b> word</p><p>Two", ["p: One bold word", "p: Two"]],
    [
      "text round a block is two blocks",
      "<div>before<p>inside</p>after</div>",
      ["div: before", "p: inside", "div: after"],
    ],
    ["an item and the list inside it", "<ul><li>outer<ul><li>inner</ul></ul>", ["li: outer", "li: inner"]],
    ["a row of values", "<table><tr><th>Size</th><td>9 cm</td></tr></table>", ["tr: Size9 cm"]],
    [
      "a cell that holds blocks is a column of the page",
      "<table><tr><td><p>One</p><p>Two</p></td><td>side</td></tr></table>",
      ["p: One", "p: Two", "tr: side"],
    ],
    ["code whole, whatever is in it", "<pre><div>a</div><div>b</div></pre>", ["pre: ab"]],
    ["what is hidden is no block and breaks none", '<p>seen <i class="hidden">not</i> seen</p>', ["p: seen  seen"]],
    ["the head is no block", "<head><title>Name</title></head><body>text", ["body: text"]],
    ["white space is no block", "<div> \n <p>text</p> \t </div>", ["p: text"]],
  ])("%s", (_, html, expected) => {
    expect(blocksOf(html)).toEqual(expected);
  });
});
