import { existsSync } from "node:fs";
import { formatted, heldAgainst, mapValues } from "./figures.mjs";
import { OURS } from "./readers.mjs";
import { readAll } from "./readings.mjs";
import { countPassedCases, scoreStructure } from "./shared-data.mjs";

const OUT_OF_FOLD = new URL("./train/out-of-fold.mjs", import.meta.url);

const DIGITS = 3;
const byKind = (kind) => (scores) => scores.text.wcxb.byType[kind]?.f1;
const structure = (key) => (scores) => scores.structure[key]?.v;

const FIGURES = [
  { name: "wcxb F1", of: ({ text }) => text.wcxb.f1, atLeast: 0.88, aim: 0.9, known: 0.837 },
  { name: "wcxb macro F1", of: ({ text }) => text.wcxb.macroF1, atLeast: 0.81, aim: 0.84, known: 0.745 },
  { name: "- article", of: byKind("article"), atLeast: 0.95, aim: 0.96, known: 0.945 },
  { name: "- documentation", of: byKind("documentation"), atLeast: 0.955, aim: 0.965, known: 0.939 },
  { name: "- forum", of: byKind("forum"), atLeast: 0.82, aim: 0.87, known: 0.717 },
  { name: "- product", of: byKind("product"), known: 0.656 },
  { name: "- collection", of: byKind("collection"), known: 0.69 },
  { name: "- listing", of: byKind("listing"), known: 0.696 },
  { name: "- service", of: byKind("service"), known: 0.827 },
  { name: "wcxb precision", of: ({ text }) => text.wcxb.p },
  { name: "wcxb recall", of: ({ text }) => text.wcxb.r },
  { name: "aeb F1 (4-grams)", of: ({ text }) => text.aeb.f1, atLeast: 0.968, aim: 0.975, known: 0.967 },
  { name: "code, exact", of: structure("code_exact"), atLeast: 0.95, aim: 0.98, known: 0.852 },
  { name: "code, language", of: structure("lang"), atLeast: 0.9, aim: 0.95, known: 0.756 },
  { name: "table rows", of: structure("rows"), atLeast: 0.96, aim: 0.98, known: 0.921 },
  { name: "headings", of: structure("heads"), atLeast: 0.95, aim: 0.98, known: 0.865 },
  { name: "links", of: structure("links"), atLeast: 0.9, aim: 0.95, known: 0.703 },
];

/**
 * Text, structure and small cases. Where the weights are learned from the very pages that are scored, what counts for us
 * is each page as read by weights that have not seen it; the reading by the weights we ship stands beside it.
 */
export async function measureText(readers, { scorer, pages, cases }) {
  const readings = new Map();
  const passed = new Map();
  for (const reader of readers) {
    readings.set(reader.id, await readAll(reader, "pages", pages));
    passed.set(reader.id, countPassedCases((await readAll(reader, "cases", cases)).markdown));
  }
  if (existsSync(OUT_OF_FOLD)) {
    const inSample = readings.get(OURS);
    const { outOfFoldPredictions } = await import(OUT_OF_FOLD);
    readings.set(OURS, { ...inSample, markdown: await outOfFoldPredictions() });
    readings.set(`${OURS}-in-sample`, inSample);
  }
  const structures = scoreStructure(new Map([...readings].map(([id, { markdown }]) => [id, markdown])));
  const scores = new Map(
    [...readings].map(([id, { markdown }]) => [
      id,
      { text: scorer.score(pages, markdown, { boot: 0 }), structure: structures[id] },
    ]),
  );
  const all = cases.length;
  const rows = [
    ...FIGURES.map(({ name, of, ...bar }) => ({
      name,
      values: mapValues(scores, (score) => formatted(of(score), DIGITS)),
      ...heldAgainst(of(scores.get(OURS)), { ...bar, digits: DIGITS }),
    })),
    { name: `small cases, of ${all}`, values: passed, ...heldAgainst(passed.get(OURS), { atLeast: all }) },
    {
      name: `pages not read, of ${pages.length}`,
      values: mapValues(readings, ({ failures }) => failures.length),
      ...heldAgainst(readings.get(OURS).failures.length, { atMost: 0 }),
    },
  ];
  return { rows, scores, markdown: readings.get(OURS).markdown };
}
