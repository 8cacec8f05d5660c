import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { extract } from "postern/extract";
import { expect, it } from "vitest";
import { mutant } from "./mutations.js";
import { faultsOf } from "./sound.js";

/** POSTERN_FUZZ is how many mutants are read, POSTERN_FUZZ_PAGES a folder of `.html` and `.html.br` to take them from. */
const COUNT = Number(process.env.POSTERN_FUZZ ?? 500);
const FOLDER = process.env.POSTERN_FUZZ_PAGES;
const CORPUS = join(import.meta.dirname, "../../corpus/markdown");
const MAX_CPU_MS = 1_000;

/** Real pages, or the cases of each topic as one page. */
function readPages(): readonly string[] {
  if (FOLDER === undefined) {
    return readdirSync(CORPUS).map((topic) =>
      readdirSync(join(CORPUS, topic))
        .map((file) => readFileSync(join(CORPUS, topic, file), "utf8").split(/\n--- (?:html|markdown)\n/)[1] ?? "")
        .join("\n"),
    );
  }
  return readdirSync(FOLDER)
    .filter((file) => /\.html(?:\.br)?$/.test(file))
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(FOLDER, file));
      return (file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString();
    });
}

function spend(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it(
  `reads ${COUNT} spoilt pages soundly, each within a second`,
  () => {
    const pages = readPages();
    const faults: string[] = [];
    for (let number = 0; number < COUNT; number++) {
      const { name, html } = mutant(pages, number);
      for (const mode of ["main", "full"] as const) {
        const read = () =>
          faults.push(
            ...faultsOf(extract(html, { mode, url: "https://kettle.example/a/b" })).map((fault) => `${name}: ${fault}`),
          );
        try {
          // Measured again before it is believed: a collection of garbage may fall into the first time.
          const cpuMs = spend(read);
          if (cpuMs > MAX_CPU_MS && spend(read) > MAX_CPU_MS)
            faults.push(`${name}: ${Math.round(cpuMs)} ms, ${html.length} characters`);
        } catch (error) {
          faults.push(`${name}: ${error}`);
        }
      }
    }
    expect(faults).toEqual([]);
  },
  60_000 + COUNT * 1_000,
);
