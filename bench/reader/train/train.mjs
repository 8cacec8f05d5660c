// Learns the weights that come with the package: `npm run build && node bench/reader/train/train.mjs`.
// The same data and seed give the same weights, to the byte.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fit } from "./fit.mjs";
import { gatherEvidence } from "./learn-cues.mjs";
import { SEED } from "./out-of-fold.mjs";
import { hasData, loadPages } from "./pages.mjs";

const OUT = join(import.meta.dirname, "../../../src/extract/selection/weights.ts");

if (!hasData()) {
  console.error("There are no labelled pages here: set POSTERN_SHARED to the folder that holds data/extraction.");
  process.exit(1);
}
const begun = performance.now();
const log = (step) => console.error(`${step}, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
const pages = loadPages();
log(`${pages.length} pages`);
const weights = fit(pages, pages.map(gatherEvidence), SEED, log);
writeFileSync(
  OUT,
  `/** Learned by bench/reader/train from ${pages.length} pages: made anew, never edited. */
export const WEIGHTS: string =
  "${weights.toString("base64")}";
`,
);
console.log(`${weights.length} bytes in src/extract/selection/weights.ts`);
