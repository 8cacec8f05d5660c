// Postern and the readers of others on the same pages: `node bench/reader.mjs`. With `--worst 20` also the pages that we
// read worst, with `--by kind` those of each kind; `--readers postern,readability` runs these alone.
// `npm install --no-save --prefix bench/reader` brings the others.
import { parseArgs } from "node:util";
import { measureMemory, measureWorstCases } from "./reader/cost.mjs";
import { findReaders, OURS } from "./reader/readers.mjs";
import { printComparison, printWorstPages } from "./reader/report.mjs";
import { hasSharedData, loadSharedData } from "./reader/shared-data.mjs";
import { measureSpeed } from "./reader/speed.mjs";
import { measureText } from "./reader/text.mjs";

const { values: flags } = parseArgs({
  options: { worst: { type: "string" }, by: { type: "string" }, readers: { type: "string" } },
});

console.log("\n## The reader against the readers of others\n");
if (!hasSharedData()) {
  console.log("Skipped: the pages that it reads are not here; POSTERN_SHARED names the folder that holds them.");
  process.exit();
}
const data = await loadSharedData();
const { readers, leftOut } = await findReaders(flags.readers?.split(","));
if (!readers.some(({ id }) => id === OURS)) {
  console.error("Ours cannot be loaded: run `npm run build`, and name it where --readers is given.");
  process.exit(2);
}

const text = await measureText(readers, data);
const speed = await measureSpeed(readers, data.pages);
const rows = [...text.rows, ...speed.rows, ...(await measureMemory(readers)), ...(await measureWorstCases(readers))];

const inSample = `${OURS}-in-sample`;
const columns = readers.flatMap(({ id, name }) =>
  id === OURS && text.scores.has(inSample)
    ? [
        { id, name },
        { id: inSample, name: `${name}, in sample` },
      ]
    : [{ id, name }],
);
console.log(
  `${data.pages.length} pages and ${data.cases.length} small cases. Text is F1, structure is recall, both with 1 as the most.
Speed is over ${speed.samplePages} pages of ${(speed.sampleBytes / 1e6).toFixed(1)} MB, read in turns, each reader warm in its own process; where no clock is
named, times are processor time with the collector's threads in it. What a peer costs in memory and on pages made to be
slow may be of an earlier run on this machine.\n`,
);
printComparison(columns, rows);
console.log("");
for (const { name, version } of readers) console.log(`- ${name}: ${version}`);
for (const { id, error } of leftOut) console.log(`- ${id} is left out: ${error}`);
if (flags.worst !== undefined) {
  printWorstPages({
    scores: text.scores.get(OURS),
    markdown: text.markdown,
    data,
    count: Number(flags.worst),
    isByKind: flags.by === "kind",
  });
}
