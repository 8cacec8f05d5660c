// One fold of the cross-validation, in a process of its own: fits on the others, reads the pages of this one.
//   node bench/reader/train/fold.mjs FOLD FOLDS SEED OUT.json
import { writeFileSync } from "node:fs";
import { extractWith } from "../../../dist/extract/extract.js";
import { unpackModel } from "../../../dist/extract/selection/model.js";
import { fit } from "./fit.mjs";
import { gatherEvidence } from "./learn-cues.mjs";
import { foldOf, loadPages, references } from "./pages.mjs";

const [fold, folds, seed, out] = process.argv.slice(2);
const begun = performance.now();
const log = (step) => console.error(`fold ${fold}: ${step}, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
const pages = loadPages().filter((page) => foldOf(page, Number(folds)) !== Number(fold));
const weights = fit(pages, pages.map(gatherEvidence), Number(seed), log);
writeFileSync(out.replace(/json$/, "weights"), weights);
const model = unpackModel(weights);
const markdown = {};
const kinds = {};
for (const { id, url, html } of references()) {
  if (foldOf({ id, url }, Number(folds)) !== Number(fold)) continue;
  const reading = extractWith(() => model, html, { url });
  markdown[id] = reading.markdown;
  kinds[id] = reading.kind;
}
writeFileSync(out, JSON.stringify({ markdown, kinds }));
