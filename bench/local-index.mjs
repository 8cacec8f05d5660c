// The local index over 5,000 generated documents and over the judged questions, beside MiniSearch on the same sections.
import { closeSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { addToIndex, formatDocsUrl, openIndex, parseDocsUrl } from "../dist/search/local/index.js";
import { openGeneration, readText } from "../dist/search/local/storage.js";
import { percentile, printTable } from "./table.mjs";

const DOCUMENTS = 5_000;
const SECTIONS = 5;
const QUERIES = 500;
const MINISEARCH = { fields: ["heading", "text", "path", "package"], searchOptions: { boost: { heading: 2 } } };
const repository = fileURLToPath(new URL("..", import.meta.url));
const random = seeded(20_261_130);
const vocabulary = Array.from({ length: 9_000 }, () => syllables(2 + Math.floor(random() * 3)));

const root = mkdtempSync(join(tmpdir(), "postern-bench-"));
try {
  const documents = Array.from({ length: DOCUMENTS }, document);
  const queries = Array.from({ length: QUERIES }, () => queryFor(documents[Math.floor(random() * DOCUMENTS)]));
  const ours = await measurePostern(documents, queries);
  const peer = measureMiniSearch(documents, queries);
  const judged = await judgeQuestions();
  printTable(
    `Local index, ${DOCUMENTS} documents in ${ours.sections} sections, ${ours.mebibytes.toFixed(1)} MiB of text`,
    [
      row("build", ours.buildMs, peer.buildMs, "ms", 5_000),
      row("open from disk", ours.openMs, peer.openMs, "ms", 1_000),
      row("query, median", ours.p50, peer.p50, "ms"),
      row("query, 95th percentile", ours.p95, peer.p95, "ms", 10),
      row("size on disk", ours.mebibytesOnDisk, peer.mebibytesOnDisk, "MiB (MiniSearch without texts)"),
      share("right page first", judged.ours.page, judged.peer.page, 0.82),
      share("right section first", judged.ours.section, judged.peer.section, 0.7),
    ],
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}

function row(name, ours, peer, unit, bar) {
  const fixed = (value) => value.toFixed(value < 10 ? 1 : 0);
  const value = `${fixed(ours)} ${unit} · MiniSearch ${fixed(peer)}`;
  return bar === undefined ? { name, value } : { name, value, bar: `< ${bar} ${unit}`, ok: ours < bar };
}

function share(name, ours, peer, bar) {
  const percent = (value) => `${Math.round(100 * value)} %`;
  return { name, value: `${percent(ours)} · MiniSearch ${percent(peer)}`, bar: `>= ${percent(bar)}`, ok: ours >= bar };
}

async function measurePostern(documents, queries) {
  const folder = join(root, "docs");
  mkdirSync(folder);
  for (const [number, sections] of documents.entries())
    writeFileSync(join(folder, `d${number}.md`), sections.join("\n"));
  const directory = join(root, "index");
  const { durationMs, sections, bytes } = await addToIndex({ directory, paths: [folder] });
  const opened = performance.now();
  const index = await openIndex({ directory });
  const openMs = performance.now() - opened;
  const times = timeQueries((query) => index.search(query, { count: 10 }), queries);
  index.close();
  const mebibytes = documents.flat().join("\n").length / 2 ** 20;
  return { ...times, buildMs: durationMs, openMs, sections, mebibytes, mebibytesOnDisk: bytes / 2 ** 20 };
}

function measureMiniSearch(documents, queries) {
  const started = performance.now();
  const engine = plainMiniSearch(documents.flat().map((text, id) => ({ id, heading: text.split("\n", 1)[0], text })));
  const buildMs = performance.now() - started;
  const file = join(root, "minisearch.json");
  writeFileSync(file, JSON.stringify(engine));
  const opened = performance.now();
  const loaded = MiniSearch.loadJSON(readFileSync(file, "utf8"), MINISEARCH);
  const openMs = performance.now() - opened;
  const times = timeQueries((query) => loaded.search(query).slice(0, 10), queries);
  return { ...times, buildMs, openMs, mebibytesOnDisk: readFileSync(file).length / 2 ** 20 };
}

function plainMiniSearch(sections) {
  const engine = new MiniSearch(MINISEARCH);
  engine.addAll(sections);
  return engine;
}

function timeQueries(ask, queries) {
  for (const query of queries.slice(0, 50)) ask(query);
  const durations = queries.map((query) => {
    const started = performance.now();
    ask(query);
    return performance.now() - started;
  });
  return { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) };
}

/** Both engines over the documentation of the packages installed here. */
async function judgeQuestions() {
  const file = join(repository, "corpus", "local", "questions.jsonl");
  const questions = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const directory = join(root, "judged");
  await addToIndex({ directory, paths: [join(repository, "node_modules")] });
  const index = await openIndex({ directory });
  const sections = await everySection(directory);
  const engine = plainMiniSearch(sections);
  const ours = judge(questions, (question) => index.search(question, { count: 1 })[0]?.url);
  const peer = judge(questions, (question) => sections[engine.search(question)[0]?.id]?.url);
  index.close();
  return { ours, peer };
}

/** The same sections that the index holds. */
async function everySection(directory) {
  const generation = await openGeneration(directory);
  const { packages, documents, sections } = generation.catalog;
  const found = documents.flatMap((document) => {
    const text = readText(generation, document);
    const { name, version } = packages[document.package];
    return Array.from({ length: document.sectionCount }, (_, number) => {
      const id = document.firstSection + number;
      const url = formatDocsUrl({ name, version, path: document.path, fragment: sections.slug[id] });
      const own = text.toString("utf8", sections.start[id], sections.end[id]);
      const heading = `${sections.heading[id]} ${document.title}`;
      return { id, url, heading, text: own, path: document.path, package: name };
    });
  });
  closeSync(generation.texts);
  return found;
}

function judge(questions, firstUrl) {
  const scores = questions.map((question) => {
    const { name, path, fragment = "" } = parseDocsUrl(firstUrl(question.question) ?? "") ?? {};
    const sections = path === question.path ? question.sections : question.also?.[path];
    return name !== question.package || sections === undefined ? 0 : sections.includes(fragment) ? 2 : 1;
  });
  const rate = (least) => scores.filter((score) => score >= least).length / scores.length;
  return { page: rate(1), section: rate(2) };
}

function document() {
  const sections = [`# ${words(3)}\n\n${words(20)}.\n`];
  for (let number = 0; number < SECTIONS; number += 1) {
    const [call, name] = [word(), word()];
    sections.push(`## ${words(3)}\n\n${words(60)}.\n\n\`\`\`js\nconst ${name} = ${call}.${name}(${word()})\n\`\`\`\n`);
  }
  return sections;
}

/** Three words of one of its sections. */
function queryFor(sections) {
  const found = sections[Math.floor(random() * sections.length)].match(/[a-z]{4,}/gu);
  return Array.from({ length: 3 }, () => found[Math.floor(random() * found.length)]).join(" ");
}

function words(count) {
  return Array.from({ length: count }, word).join(" ");
}

/** Some words are frequent, most are rare, as in a language. */
function word() {
  return vocabulary[Math.floor(vocabulary.length * random() ** 3)];
}

function syllables(count) {
  const known = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "wu",
    "mel",
    "tor",
  ];
  return Array.from({ length: count }, () => known[Math.floor(random() * known.length)]).join("");
}

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
