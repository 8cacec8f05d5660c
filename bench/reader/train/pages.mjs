// The pages to learn from, each with its tree, its facts and the share of every block that its reference text holds.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { readPage } from "../../../dist/extract/page.js";
import { splitBlocks } from "../../../dist/extract/selection/blocks.js";
import { alignBlocks, words } from "./align.mjs";

/** Pages of one set are one vote each; the smaller set's references follow other habits and count less. */
const SETS = [
  { name: "wcxb", weight: 1 },
  { name: "aeb", weight: 1 },
];
const MIN_COPY_WORDS = 4;

export const SHARED = process.env.POSTERN_SHARED ?? join(import.meta.dirname, "../../../../shared");
export const DATA = join(SHARED, "data/extraction/dev");
export const hasData = () => existsSync(join(DATA, "wcxb/ground-truth.jsonl.br"));

const unpacked = (file) => brotliDecompressSync(readFileSync(file)).toString("utf8");

/** Every page with a reference text, as `{ id, set, type, url, html, reference }`. */
export function* references() {
  for (const { name, weight } of SETS) {
    for (const line of unpacked(join(DATA, name, "ground-truth.jsonl.br")).split("\n")) {
      if (line === "") continue;
      const { id, type, url, text } = JSON.parse(line);
      if (!text) continue;
      yield {
        id,
        set: name,
        weight,
        type,
        url,
        reference: text,
        html: unpacked(join(DATA, name, "html", `${id}.html.br`)),
      };
    }
  }
}

/** Loads and labels all pages. */
export function loadPages() {
  const pages = [];
  for (const { html, reference, ...about } of references()) {
    const { tree, hidden, facts } = readPage(html, about.url);
    const blocks = splitBlocks(tree, hidden);
    const texts = blockTexts(tree, hidden, blocks).map(words);
    const shares = alignBlocks(texts, words(reference));
    preferFirstCopies(texts, shares);
    pages.push({ ...about, tree, hidden, facts, blocks, shares, lengths: texts.map((text) => text.length) });
  }
  return pages;
}

/** Of blocks with the same words the first are the content: which copy the alignment took is chance. */
function preferFirstCopies(texts, shares) {
  const copies = new Map();
  for (const [block, text] of texts.entries()) {
    if (text.length < MIN_COPY_WORDS) continue;
    const key = text.join(" ");
    if (!copies.has(key)) copies.set(key, []);
    copies.get(key).push(block);
  }
  for (const group of copies.values()) {
    let left = group.reduce((sum, block) => sum + shares[block], 0);
    for (const block of group) {
      shares[block] = Math.min(1, Math.max(0, left));
      left -= 1;
    }
  }
}

function blockTexts(tree, hidden, { count, starts, ends }) {
  return Array.from({ length: count }, (_, block) => {
    let text = "";
    for (let at = starts[block]; at < ends[block]; ) {
      const node = tree.nodes[at];
      if (hidden[at] === 1) {
        at = node.end;
        continue;
      }
      text += node.text === "" && /^(?:br|td|th)$/.test(node.tag.name) ? " " : node.text;
      at += 1;
    }
    return text;
  });
}

/** Pages of one host stand in one fold: a site's habits must not be learned and tested on. */
export function foldOf({ id, url }, folds) {
  const host = URL.canParse(url) ? new URL(url).hostname.split(".").slice(-2).join(".") : id;
  let hash = 17;
  for (const char of host) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  return (hash >>> 7) % folds;
}
