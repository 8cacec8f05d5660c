/** The training code of the reader, which is plain JavaScript beside the benches. */
interface Trees {
  readonly base: number;
  readonly trees: readonly unknown[];
}

interface TrainingData {
  readonly rows: Float32Array;
  readonly width: number;
  readonly targets: Float32Array;
  readonly weights: Float32Array;
}

interface Training {
  words(text: string): readonly string[];
  alignBlocks(blocks: readonly (readonly string[])[], reference: readonly string[]): readonly number[];
  random(seed: number): () => number;
  train(data: TrainingData, options: Readonly<Record<string, number>>): Trees;
  predict(forest: Trees, rows: Float32Array, offset: number): number;
  packForest(forest: Trees): Buffer;
}

export async function loadTraining(): Promise<Training> {
  const parts = await Promise.all(
    ["align", "boost", "pack"].map((name): Promise<Partial<Training>> => {
      return import(new URL(`../../bench/reader/train/${name}.mjs`, import.meta.url).href);
    }),
  );
  return Object.assign({}, ...parts);
}
