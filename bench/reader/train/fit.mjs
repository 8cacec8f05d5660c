// Fits the whole model. Everything that a later step takes from an earlier one it takes from a model that has not seen
// the page, or it would trust it too much.
import { CueTable, HashTable, nameCues } from "../../../dist/extract/selection/cues.js";
import { KindWords } from "../../../dist/extract/selection/kind-words.js";
import { BLOCK_WIDTH, blockRows, ROW_WIDTH } from "../../../dist/extract/selection/opinion.js";
import { measurePage } from "../../../dist/extract/selection/page-blocks.js";
import { LEARNED_KINDS, pageRow } from "../../../dist/extract/selection/page-columns.js";
import { itself } from "../../../dist/extract/selection/representatives.js";
import { OPINION_COLUMNS, opinionsOf } from "../../../dist/extract/selection/second-opinion.js";
import { predict, random, train } from "./boost.mjs";
import { learnCues } from "./learn-cues.mjs";
import { packModel } from "./pack.mjs";

const PARTS = 4;
const BLOCK_FOREST = {
  trees: 150,
  leaves: 20,
  rate: 0.09,
  featureShare: 0.35,
  rowShare: 0.6,
  minWeight: 20,
  lambda: 5,
  bins: 64,
};
const KIND_FOREST = {
  trees: 60,
  leaves: 6,
  rate: 0.1,
  featureShare: 0.5,
  rowShare: 0.7,
  minWeight: 3,
  lambda: 2,
  bins: 32,
};
/** More blocks of one page teach little and cost time. */
const MAX_BLOCKS = 250;
/** A page is one vote; long blocks count more in it, but not by their whole length. */
const LENGTH_POWER = 0.7;

const KINDS_AT = ROW_WIDTH;
const OPINIONS_AT = KINDS_AT + LEARNED_KINDS.length;
export const STRIDE = OPINIONS_AT + OPINION_COLUMNS.length;

/** @returns {Buffer} packed weights; the same for the same pages and seed */
export function fit(pages, evidence, seed, log = () => {}) {
  const next = random(seed);
  const parts = pages.map(() => Math.floor(next() * PARTS));
  const rows = new Map();
  const measured = new Map();
  const about = new Map();
  const elsewhere = (part) => pages.filter((_, at) => parts[at] !== part);
  const inPart = (part) => pages.filter((_, at) => parts[at] === part);
  for (let part = 0; part < PARTS; part += 1) {
    const learned = asLearned(learnCues(evidence.filter((_, at) => parts[at] !== part)));
    for (const page of inPart(part)) {
      const measure = measurePage(page.tree, page.hidden, page.facts, learned);
      measured.set(page, measure);
      const all = itself(measure.blocks.count);
      rows.set(page, blockRows(measure, STRIDE, all.blocks));
      about.set(page, pageRow(measure, rows.get(page), STRIDE, all));
    }
  }
  log("measured");
  for (let part = 0; part < PARTS; part += 1) {
    const kinds = fitKinds(elsewhere(part), about, seed);
    for (const page of inPart(part)) fillPage(rows.get(page), about.get(page), probabilities(kinds, about.get(page)));
  }
  const kinds = fitKinds(pages, about, seed);
  log("kinds");
  const first = fitBlocks(pages, rows, OPINIONS_AT, seed);
  log("first opinion");
  for (const half of [0, 1]) {
    const model = fitBlocks(
      pages.filter((_, at) => parts[at] % 2 !== half),
      rows,
      OPINIONS_AT,
      seed + 1,
    );
    for (const [at, page] of pages.entries())
      if (parts[at] % 2 === half) fillOpinions(measured.get(page), rows.get(page), model);
  }
  const second = fitBlocks(pages, rows, STRIDE, seed + 2);
  log("second opinion");
  return packModel({ cues: learnCues(evidence), kinds, first, second });
}

const asTable = (leanings) => new CueTable(Int32Array.from(leanings.keys()), Int8Array.from(leanings.values()));
const asLearned = ({ names, words, kindWords }) => ({
  names: nameCues(asTable(names)),
  words: asTable(words),
  kindWords: new KindWords(
    new HashTable(Int32Array.from(kindWords.keys())),
    Int8Array.from([...kindWords.values()].flat()),
    LEARNED_KINDS.length,
  ),
});

function fitKinds(pages, about, seed) {
  const width = about.get(pages[0]).length;
  const rows = new Float32Array(pages.length * width);
  for (const [at, page] of pages.entries()) rows.set(about.get(page), at * width);
  const weights = Float32Array.from(pages, ({ weight }) => weight);
  return LEARNED_KINDS.map((kind) => {
    const targets = Float32Array.from(pages, ({ type }) => (type === kind ? 1 : 0));
    return train({ rows, width, targets, weights }, { ...KIND_FOREST, seed });
  });
}

function probabilities(kinds, about) {
  const scores = kinds.map((forest) => predict(forest, about));
  const sum = scores.reduce((total, score) => total + score, 0);
  return Float32Array.from(scores, (score) => score / Math.max(sum, 1e-6));
}

function fillPage(rows, about, kinds) {
  for (let at = 0; at < rows.length; at += STRIDE) {
    rows.set(about, at + BLOCK_WIDTH);
    rows.set(kinds, at + KINDS_AT);
  }
}

function fillOpinions(measured, rows, model) {
  const { count } = measured.blocks;
  const opinions = Float32Array.from({ length: count }, (_, block) => predict(model, rows, block * STRIDE));
  const fill = opinionsOf(measured, opinions);
  for (let block = 0; block < count; block += 1) fill(block, rows, block * STRIDE + OPINIONS_AT);
}

function fitBlocks(pages, rows, width, seed) {
  const next = random(seed);
  const picked = [];
  for (const page of pages) {
    const { count } = page.blocks;
    const keep = Math.min(1, MAX_BLOCKS / Math.max(1, count));
    const lengths = page.lengths.map((length) => (length + 0.3) ** LENGTH_POWER);
    const sum = lengths.reduce((total, length) => total + length, 0);
    for (let block = 0; block < count; block += 1) {
      if (keep < 1 && next() >= keep) continue;
      picked.push({ page, block, weight: (page.weight * lengths[block] * 1_000) / sum / keep });
    }
  }
  const data = {
    rows: new Float32Array(picked.length * width),
    width,
    targets: Float32Array.from(picked, ({ page, block }) => page.shares[block]),
    weights: Float32Array.from(picked, ({ weight }) => weight),
  };
  for (const [at, { page, block }] of picked.entries())
    data.rows.set(rows.get(page).subarray(block * STRIDE, block * STRIDE + width), at * width);
  return train(data, { ...BLOCK_FOREST, seed });
}
