import { createHash } from "node:crypto";
import { median, percentile } from "../table.mjs";
import { formatted, heldAgainst, mapValues, sum } from "./figures.mjs";
import { READING_TIMEOUT_MS, ReaderChild } from "./reader-child.mjs";
import { OURS, PACER } from "./readers.mjs";

const SAMPLE_PAGES = 120;
/** Readers take turns this often, so that what else the machine does hits all of them. */
const PAGES_A_TURN = 10;
/** After a first one that warms up. The ratio is between the two that run in all of them. */
const ROUNDS = 5;
const roundsOf = (id) => (id === OURS || id === PACER ? ROUNDS : 1);
const LOAD_TIMEOUT_MS = 60_000;

const MEGABYTE = 1e6;

const FIGURES = [
  { name: "MB/s of HTML", of: ({ cpu }) => cpu.megabytesPerSecond, digits: 1, atLeast: 25, aim: 40, unit: " MB/s" },
  { name: "pages/s", of: ({ cpu }) => cpu.pagesPerSecond },
  { name: "median ms a page", of: ({ cpu }) => cpu.medianMs, digits: 1 },
  { name: "p95 ms a page", of: ({ cpu }) => cpu.p95Ms, digits: 1, atMost: 25, unit: " ms" },
  { name: "MB/s by the clock", of: ({ wall }) => wall.megabytesPerSecond, digits: 1 },
  { name: "p95 ms by the clock", of: ({ wall }) => wall.p95Ms, digits: 1 },
  {
    name: "x Readability",
    of: ({ cpu }, pacer) => pacer?.cpu.totalMs / cpu.totalMs,
    digits: 1,
    atLeast: 6,
    unit: " x",
  },
  {
    name: "x Readability by the clock",
    of: ({ wall }, pacer) => pacer?.wall.totalMs / wall.totalMs,
    digits: 1,
    atLeast: 6,
    unit: " x",
  },
  { name: "peak RSS, MB", of: ({ peakBytes }) => peakBytes / MEGABYTE },
];

/** HTML to Markdown, each reader in a warm process of its own, one page after the other. */
export async function measureSpeed(readers, pages) {
  const sample = takeSample(pages);
  const entrants = readers.filter(({ isElsewhere }) => !isElsewhere);
  const children = new Map(entrants.map(({ id }) => [id, new ReaderChild(id)]));
  try {
    const speeds = await race(children, sample);
    const pacer = speeds.get(PACER);
    const rows = FIGURES.map(({ name, of, ...bar }) => ({
      name,
      values: mapValues(speeds, (speed) => formatted(of(speed, pacer), bar.digits)),
      ...heldAgainst(of(speeds.get(OURS), pacer), bar),
    }));
    return { rows, sampleBytes: speeds.get(OURS).bytes, samplePages: sample.length };
  } finally {
    for (const child of children.values()) await child.close();
  }
}

/** The same pages each time, of every kind. */
function takeSample(pages) {
  const rank = ({ id }) => createHash("sha256").update(id).digest("hex");
  return pages
    .filter(({ set }) => set === "wcxb")
    .map((page) => ({ page, rank: rank(page) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, SAMPLE_PAGES)
    .map(({ page: { file, url } }) => ({ path: file, url }));
}

async function race(children, sample) {
  const bytes = new Map();
  const times = new Map([...children.keys()].map((id) => [id, sample.map(() => [])]));
  for (const [id, child] of children) {
    bytes.set(id, sum((await answered(id, child, "load", sample, LOAD_TIMEOUT_MS)).bytes));
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (let from = 0; from < sample.length; from += PAGES_A_TURN) {
      for (const [id, child] of children) {
        if (round > roundsOf(id)) continue;
        const turn = { from, to: from + PAGES_A_TURN };
        const answer = await answered(id, child, "time", turn, READING_TIMEOUT_MS * PAGES_A_TURN);
        if (round > 0) for (const [i, time] of answer.times.entries()) times.get(id)[from + i].push(time);
      }
    }
  }
  const speeds = new Map();
  for (const [id, child] of children) {
    const { bytes: peakBytes } = await answered(id, child, "peakRss");
    const summary = (clock) => summarize(times.get(id), clock, bytes.get(id));
    speeds.set(id, { cpu: summary("cpuMs"), wall: summary("wallMs"), bytes: bytes.get(id), peakBytes });
  }
  return speeds;
}

async function answered(id, child, action, input, timeoutMs) {
  const answer = await child.ask(action, input, timeoutMs);
  if (answer.error !== undefined) throw new Error(`${id} cannot ${action}: ${answer.error}`);
  return answer;
}

function summarize(timesByPage, clock, bytes) {
  const ofPages = timesByPage.map((times) => median(times.map((time) => time[clock])));
  const totalMs = sum(timesByPage.map((times) => sum(times.map((time) => time[clock])) / times.length));
  return {
    totalMs,
    megabytesPerSecond: bytes / MEGABYTE / (totalMs / 1_000),
    pagesPerSecond: timesByPage.length / (totalMs / 1_000),
    medianMs: median(ofPages),
    p95Ms: percentile(ofPages, 0.95),
  };
}
