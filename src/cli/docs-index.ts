import { resolve } from "node:path";
import { defaultIndexDirectory } from "../config/index.js";
import { extract } from "../extract/index.js";
import { addToIndex, clearIndex, type IndexProgress, openIndex, removeFromIndex } from "../search/local/index.js";
import { formatSize } from "../tools/render.js";
import { type CommonFlags, interruptSignal, loadSettings } from "./open-postern.js";
import { createOutput, EXIT_CODES, type Output, progressBar } from "./output.js";

export async function indexAddCommand(paths: readonly string[], flags: CommonFlags): Promise<number> {
  const output = createOutput(flags);
  const directory = await indexDirectory();
  const report = await addToIndex({
    directory,
    paths: paths.map((path) => resolve(path)),
    htmlToMarkdown: (html) => extract(html).markdown,
    onProgress: (progress) => showProgress(progress, output),
    signal: interruptSignal(),
  });
  output.progress(undefined);
  if (output.format === "json") output.json(report);
  else if (!output.quiet) {
    const { packages, documents, sections, skipped, replaced, durationMs } = report;
    output.result(
      `Indexed ${count(documents, "document")} (${count(sections, "section")}) of ${count(packages, "package")} in ${(durationMs / 1_000).toFixed(1)} s.`,
    );
    if (replaced > 0) {
      output.note(output.style.dim(`${count(replaced, "document")} from before gave way to what is there now.`));
    }
    for (const { path, reason } of skipped.slice(0, 5)) output.note(output.style.dim(`skipped ${path}: ${reason}`));
    if (documents === 0)
      output.note(
        "Nothing to index was found there: READMEs, docs folders, changelogs and type declarations are read.",
      );
    if (skipped.length > 5) output.note(output.style.dim(`… and ${skipped.length - 5} more; --json lists them all`));
    if (documents > 0) output.note(output.style.dim('Ask it: postern search --provider local "…"'));
  }
  return report.documents === 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

export async function indexStatusCommand(flags: CommonFlags): Promise<number> {
  const output = createOutput(flags);
  const directory = await indexDirectory();
  const index = await openIndex({ directory });
  const stats = index.stats();
  index.close();
  if (output.format === "json") output.json({ directory, ...stats });
  else {
    output.result(
      `${stats.documents} documents (${stats.sections} sections) of ${stats.sources.length} packages, ${formatSize(stats.bytes)}, in ${directory}`,
    );
    for (const source of stats.sources) output.result(`  ${source.name}@${source.version}  ${source.documents}`);
  }
  return EXIT_CODES.ok;
}

export async function indexRemoveCommand(packages: readonly string[], flags: CommonFlags): Promise<number> {
  const output = createOutput(flags);
  const { removed } = await removeFromIndex({ directory: await indexDirectory(), packages });
  if (output.format === "json") output.json({ removed });
  else output.note(`${removed} ${removed === 1 ? "package" : "packages"} removed from the index.`);
  return removed === 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

export async function indexClearCommand(flags: CommonFlags): Promise<number> {
  const output = createOutput(flags);
  const directory = await indexDirectory();
  await clearIndex({ directory });
  if (output.format === "json") output.json({ directory, cleared: true });
  else output.note(`The index in ${directory} is removed.`);
  return EXIT_CODES.ok;
}

export function showProgress({ phase, done, total, current }: IndexProgress, output: Output): void {
  output.progress(`${progressBar(done, total)} ${phase} ${done}/${total} ${current ?? ""}`);
}

async function indexDirectory(): Promise<string> {
  const { settings } = await loadSettings();
  return settings.index.directory ?? defaultIndexDirectory(process.env);
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
