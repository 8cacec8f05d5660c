import { describe, expect, test } from "vitest";
import { ByteReader } from "../../src/extract/selection/byte-reader.js";
import { predict, unpackForest } from "../../src/extract/selection/forest.js";
import { loadTraining } from "../helpers/reader-training.js";

const { alignBlocks, words, predict: predictPlain, random, train, packForest } = await loadTraining();

const blocksOf = (texts: readonly string[]): string[][] => texts.map((text) => [...words(text)]);

describe("alignBlocks", () => {
  test("finds the blocks of the reference among others", () => {
    const page = [
      "Home Shop Contact",
      "Rye bread needs a sour dough",
      "and a night of patience.",
      "All rights reserved",
    ];
    const reference = words("Rye bread needs a sour dough and a night of patience.");
    expect(alignBlocks(blocksOf(page), reference)).toEqual([0, 1, 1, 0]);
  });

  test("a block that the reference holds in part has its share", () => {
    const page = ["by Ada Field rye bread needs a sour dough"];
    expect(alignBlocks(blocksOf(page), words("rye bread needs a sour dough"))[0]).toBeCloseTo(6 / 9);
  });

  test("single words that menus and text share prove nothing", () => {
    const page = ["the shop and the cart of goods", "Rye bread needs the sour dough and a night of rest"];
    const shares = alignBlocks(blocksOf(page), words("Rye bread needs the sour dough and a night of rest"));
    expect(shares).toEqual([0, 1]);
  });

  test("passages that the reference holds in another order are found too", () => {
    const first = "the oven must be very hot before the loaf goes in";
    const second = "a stone keeps the heat that the crust needs most";
    expect(alignBlocks(blocksOf([first, second]), words(`${second} ${first}`))).toEqual([1, 1]);
  });

  test("twenty thousand words of each take no minute", () => {
    const next = random(3);
    const text = Array.from({ length: 20_000 }, () => `w${Math.floor(next() * 900)}`);
    const begun = performance.now();
    alignBlocks([text, [...text].reverse()], text);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});

/** A share that needs two columns at once, and noise in a third. */
function sample(count: number, seed: number) {
  const next = random(seed);
  const rows = Float32Array.from({ length: count * 3 }, () => next());
  const targets = Float32Array.from({ length: count }, (_, row) =>
    (rows[row * 3] ?? 0) > 0.5 !== (rows[row * 3 + 1] ?? 0) > 0.5 ? 0.9 : 0.1,
  );
  return { rows, width: 3, targets, weights: new Float32Array(count).fill(1) };
}

const OPTIONS = {
  trees: 30,
  leaves: 6,
  rate: 0.2,
  bins: 32,
  featureShare: 1,
  rowShare: 0.7,
  minWeight: 5,
  lambda: 1,
  seed: 5,
};

describe("the trees", () => {
  const data = sample(4_000, 1);
  const forest = train(data, OPTIONS);
  const packed = packForest(forest);

  test("learn what takes two columns to tell", () => {
    const fresh = sample(500, 2);
    let error = 0;
    for (let row = 0; row < 500; row++)
      error += Math.abs(predictPlain(forest, fresh.rows, row * 3) - (fresh.targets[row] ?? 0)) / 500;
    expect(error).toBeLessThan(0.08);
  });

  test("are the same for the same data and seed, to the byte", () => {
    expect(packForest(train(data, OPTIONS)).equals(packed)).toBe(true);
    expect(packForest(train(data, { ...OPTIONS, seed: 6 })).equals(packed)).toBe(false);
  });

  test("say the same when they come out of the package", () => {
    const unpacked = unpackForest(new ByteReader(packed));
    for (let row = 0; row < 200; row++)
      expect(predict(unpacked, data.rows, row * 3)).toBeCloseTo(predictPlain(forest, data.rows, row * 3), 3);
  });
});
