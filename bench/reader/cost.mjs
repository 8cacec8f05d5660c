import { rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { documentationPage } from "../pages.mjs";
import { formatted, heldAgainst, mapValues, sum } from "./figures.mjs";
import { OURS, withCachedReader } from "./readers.mjs";
import { WORST_CASES } from "./worst-cases.mjs";

const URL_OF_PAGES = "https://harbour.example/manual";
const LARGE_PAGES_MB = [1, 5, 20];
const MEGABYTE = 1e6;
const MAX_MULTIPLE = 10;
const MAX_WORST_MS = 500;
/** Twice the page: the time of a linear reader, and some room for the collector. */
const MAX_GROWTH = 2.6;
/** The least of some readings is what the page costs; who is slow gets fewer. */
const MAX_READINGS = 5;
const MAX_READINGS_MS = 3_000;

const machine = [process.version, cpus()[0]?.model];

/** Memory above the idle process, as a multiple of the page. */
export async function measureMemory(readers) {
  const rows = [];
  for (const megabytes of LARGE_PAGES_MB) {
    const path = join(tmpdir(), `postern-bench-${process.pid}-${megabytes}.html`);
    writeFileSync(path, documentationPage(megabytes * MEGABYTE));
    const multiples = new Map();
    for (const reader of readers.filter(({ isElsewhere }) => !isElsewhere)) {
      const { error, bytes } = await withCachedReader(reader, `memory-${megabytes}`, machine, (child) =>
        child.ask("readLarge", { path, url: URL_OF_PAGES }),
      );
      multiples.set(reader.id, error === undefined ? bytes / (megabytes * MEGABYTE) : failure(error));
    }
    rmSync(path);
    rows.push({
      name: `memory for a page of ${megabytes} MB, x the page`,
      values: mapValues(multiples, (value) => (typeof value === "number" ? formatted(value, 1) : value)),
      ...heldAgainst(multiples.get(OURS), { atMost: MAX_MULTIPLE, unit: " x" }),
    });
  }
  return rows;
}

/** Processor time for pages made to be slow, and for the same twice as large. */
export async function measureWorstCases(readers) {
  const rows = [];
  for (const { name, count, make } of WORST_CASES) {
    const results = new Map();
    for (const reader of readers.filter(({ isElsewhere }) => !isElsewhere)) {
      const key = name.replace(/\W+/g, "-");
      const measure = (child) => readTwice(child, make, count);
      results.set(reader.id, await withCachedReader(reader, key, [machine, count, String(make)], measure));
    }
    const { once, twice } = results.get(OURS);
    rows.push(
      {
        name: `${name}, ms`,
        values: mapValues(results, (result) => result.once?.toFixed(0) ?? failure(result.error)),
        ...heldAgainst(once, { atMost: MAX_WORST_MS, unit: " ms" }),
      },
      {
        name: "- growth for twice as much",
        values: mapValues(results, growth),
        ...heldAgainst(twice / once, { atMost: MAX_GROWTH, digits: 1, unit: " x" }),
      },
    );
  }
  return rows;
}

async function readTwice(child, make, count) {
  const times = [];
  for (const html of [make(count), make(count * 2)]) {
    await child.ask("warmUp");
    const readings = [];
    while (readings.length < MAX_READINGS && sum(readings) < MAX_READINGS_MS) {
      const { error, cpuMs } = await child.ask("read", { html, url: URL_OF_PAGES });
      if (error !== undefined) return { once: times[0], error };
      readings.push(cpuMs);
    }
    times.push(Math.min(...readings));
  }
  const [once, twice] = times;
  return { once, twice };
}

function growth({ once, twice, error }) {
  if (once === undefined) return "";
  return twice === undefined ? failure(error) : `${(twice / once).toFixed(1)} x`;
}

function failure(error) {
  return error === "timeout" ? "> 20 s" : error === "died" ? "dies" : "throws";
}
