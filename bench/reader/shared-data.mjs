import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Pages of others with what a person marked as their content: not ours to publish, so read where they lie. */
const SHARED = process.env.POSTERN_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const EXTRACTION = join(SHARED, "data/extraction");
const CASES = join(SHARED, "data/markdown/cases.jsonl");
const TOOLS = join(SHARED, "tools");

export const hasSharedData = () => [EXTRACTION, CASES, TOOLS].every((path) => existsSync(path));

/**
 * @returns the scorer of texts, the pages that it scores (`id`, `set`, `type`, `url`, `text`, `file`), and the small cases
 */
export async function loadSharedData() {
  const scorer = await import(pathToFileURL(join(TOOLS, "score-reader.mjs")).href);
  const pages = scorer.loadGT(EXTRACTION, "both", "dev");
  const cases = readFileSync(CASES, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { scorer, pages, cases };
}

/** Recall of code, tables, headings and links, by the key of each reader. */
export function scoreStructure(markdownByKey) {
  return inTemporaryFolder((folder) => {
    const files = [...markdownByKey].flatMap(([key, markdown]) => ["--pred", writeJson(folder, key, markdown)]);
    const output = join(folder, "scores.out");
    const args = [
      join(TOOLS, "score-structure.mjs"),
      "--data",
      EXTRACTION,
      "--half",
      "dev",
      ...files,
      "--json",
      output,
    ];
    execFileSync(process.execPath, args, { stdio: "ignore" });
    return JSON.parse(readFileSync(output, "utf8"));
  });
}

/** @returns how many of the small cases came out right */
export function countPassedCases(markdown) {
  return inTemporaryFolder((folder) => {
    const args = [join(TOOLS, "check-markdown.mjs"), CASES, writeJson(folder, "cases", markdown)];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return Number(/passed (\d+) of/.exec(stdout)?.[1]);
  });
}

function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "postern-bench-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeJson(folder, name, value) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
}
