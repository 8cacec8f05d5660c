// Readings of every page by weights that were learned without it, and without any page of its site.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const FOLDS = 5;
export const SEED = 1;
const CACHE = join(import.meta.dirname, "../../../.cache/reader-folds");

/** @returns {Promise<{ markdown: Record<string, string>, kinds: Record<string, string> }>} by page id */
export async function outOfFold({ seed = SEED } = {}) {
  mkdirSync(CACHE, { recursive: true });
  const waiting = Array.from({ length: FOLDS }, (_, fold) => fold);
  const results = [];
  const worker = async () => {
    for (let fold = waiting.shift(); fold !== undefined; fold = waiting.shift())
      results.push(await readFold(fold, seed));
  };
  await Promise.all(Array.from({ length: Math.min(FOLDS, availableParallelism()) }, worker));
  return {
    markdown: Object.assign({}, ...results.map(({ markdown }) => markdown)),
    kinds: Object.assign({}, ...results.map(({ kinds }) => kinds)),
  };
}

/** For the bench: Markdown by page id. */
export const outOfFoldPredictions = async () => (await outOfFold()).markdown;

function readFold(fold, seed) {
  const out = join(CACHE, `fold-${fold}.json`);
  const script = join(import.meta.dirname, "fold.mjs");
  const child = spawn(process.execPath, ["--max-old-space-size=6000", script, fold, FOLDS, seed, out], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0
        ? resolve(JSON.parse(readFileSync(out, "utf8")))
        : reject(new Error(`Fold ${fold} ended with ${code}.`)),
    );
  });
}

if (process.argv[1] === import.meta.filename) {
  const { writeFileSync } = await import("node:fs");
  const { markdown } = await outOfFold();
  writeFileSync(join(CACHE, "markdown.json"), JSON.stringify(markdown));
}
