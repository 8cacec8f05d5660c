// Leanings of words: how much more, or less, of the text under a name or round a word is content than elsewhere.

import { measureText } from "../../../dist/extract/selection/block-text.js";
import { CUE_STEPS, eachNameWord } from "../../../dist/extract/selection/cues.js";
import { kindWordsOf } from "../../../dist/extract/selection/kind-words.js";
import { LEARNED_KINDS } from "../../../dist/extract/selection/page-columns.js";
import { MAX_SHORT_WORDS } from "../../../dist/extract/selection/repetition.js";
import { attribute } from "../../../dist/extract/tree.js";

const NAMES = { minPages: 6, prior: 4 };
const WORDS = { minPages: 16, prior: 6 };
const KIND_WORDS = { minPages: 20, prior: 8, minLeaning: 1 };
const MIN_LEANING = 0.25;
const MAX_LEANING = 5;

/** Per page: each name's share of content under it, each word's share of content round it, by hash. */
export function gatherEvidence(page) {
  const text = measureText(page.tree, page.hidden, page.blocks);
  return {
    names: nameEvidence(page),
    words: wordEvidence(page, text),
    kind: LEARNED_KINDS.indexOf(page.type),
    kindWords: kindWordsOf(text, page.url),
  };
}

function nameEvidence({ tree, hidden, blocks, shares, lengths }) {
  const content = [0];
  const all = [0];
  for (const [block, length] of lengths.entries()) {
    content.push(content[block] + length * shares[block]);
    all.push(all[block] + length);
  }
  const found = new Map();
  for (const node of tree.nodes) {
    if (node.text !== "" || hidden[node.index] === 1 || !node.hasAttributes) continue;
    const [start, end] = [blocks.before[node.index], blocks.before[node.end]];
    const length = all[end] - all[start];
    if (length === 0) continue;
    const names = new Set();
    eachNameWord(node.className, (hash) => names.add(hash));
    eachNameWord(attribute(node, "id") ?? "", (hash) => names.add(hash));
    // Large elements say more than small ones, but a page's largest not everything.
    const weight = Math.sqrt(length);
    for (const name of names) {
      const sums = found.get(name) ?? [0, 0];
      sums[0] += ((content[end] - content[start]) / length) * weight;
      sums[1] += weight;
      found.set(name, sums);
    }
  }
  return new Map([...found].map(([name, [sum, weight]]) => [name, sum / weight]));
}

function wordEvidence({ shares }, { wordHashes, wordStarts }) {
  const found = new Map();
  for (const [block, share] of shares.entries()) {
    const words = wordHashes.subarray(wordStarts[block], wordStarts[block + 1]);
    if (words.length > MAX_SHORT_WORDS) continue;
    for (const word of new Set(words)) {
      const sums = found.get(word) ?? [0, 0];
      sums[0] += share;
      sums[1] += 1;
      found.set(word, sums);
    }
  }
  return new Map([...found].map(([word, [sum, count]]) => [word, sum / count]));
}

/** `{ names, words, kindWords }`, each a map from hash to a leaning in whole steps, or to one a kind. */
export function learnCues(evidence) {
  return {
    names: leanings(
      evidence.map(({ names }) => names),
      NAMES,
    ),
    words: leanings(
      evidence.map(({ words }) => words),
      WORDS,
    ),
    kindWords: kindLeanings(evidence),
  };
}

/** Naive Bayes by presence: how much likelier a word is on a page of the kind than on any. */
function kindLeanings(evidence) {
  const pagesOfKind = LEARNED_KINDS.map((_, kind) => evidence.filter((page) => page.kind === kind).length);
  const counts = new Map();
  for (const { kind, kindWords } of evidence) {
    for (const word of kindWords) {
      const entry = counts.get(word) ?? LEARNED_KINDS.map(() => 0);
      entry[kind] += 1;
      counts.set(word, entry);
    }
  }
  const leaning = new Map();
  for (const [word, entry] of [...counts].sort(([a], [b]) => a - b)) {
    const pages = entry.reduce((sum, count) => sum + count, 0);
    if (pages < KIND_WORDS.minPages) continue;
    const usual = pages / evidence.length;
    const values = entry.map((count, kind) =>
      Math.log((count + KIND_WORDS.prior * usual) / (pagesOfKind[kind] + KIND_WORDS.prior) / usual),
    );
    if (values.every((value) => Math.abs(value) < KIND_WORDS.minLeaning)) continue;
    leaning.set(
      word,
      values.map((value) => Math.round(Math.max(-MAX_LEANING, Math.min(MAX_LEANING, value)) * CUE_STEPS)),
    );
  }
  return leaning;
}

const logit = (share) => Math.log(share / (1 - share));

function leanings(maps, { minPages, prior }) {
  const sums = new Map();
  let total = 0;
  let count = 0;
  for (const map of maps) {
    for (const [hash, share] of map) {
      const entry = sums.get(hash) ?? [0, 0];
      entry[0] += share;
      entry[1] += 1;
      sums.set(hash, entry);
      total += share;
      count += 1;
    }
  }
  const mean = total / count;
  const leaning = new Map();
  for (const [hash, [sum, pages]] of [...sums].sort(([a], [b]) => a - b)) {
    if (pages < minPages) continue;
    const value = logit((sum + prior * mean) / (pages + prior)) - logit(mean);
    if (Math.abs(value) < MIN_LEANING) continue;
    leaning.set(hash, Math.round(Math.max(-MAX_LEANING, Math.min(MAX_LEANING, value)) * CUE_STEPS));
  }
  return leaning;
}
