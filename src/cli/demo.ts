import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, isPosternError } from "../errors.js";
import { createPostern, type Postern } from "../postern.js";
import { addToIndex } from "../search/local/index.js";
import { formatSize, hiddenCounts } from "../tools/render.js";
import type { FetchResult } from "../types.js";
import { openDemoSite } from "./demo-site.js";
import { showProgress } from "./docs-index.js";
import { createOutput, EXIT_CODES, type Output } from "./output.js";

const QUESTION = "how do I send requests through a proxy with undici";
/** Short, so that the slow page is stopped while somebody watches. */
const DEADLINE_MS = 2_000;

interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly verdict: string;
}

/** The main job on real input, without a key or the internet: the same code that every other door runs. */
export async function demoCommand(flags: { readonly json?: boolean }): Promise<number> {
  const output = createOutput(flags);
  const directory = await mkdtemp(join(tmpdir(), "postern-demo-"));
  // Also when it is interrupted, or its reader leaves.
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  const site = await openDemoSite();
  const postern = createPostern({
    env: {},
    search: { provider: "local" },
    index: { directory },
    fetch: { timeoutMs: DEADLINE_MS },
    jail: { exemptions: [{ origin: site.origin, name: "demo" }] },
  });
  const steps: Step[] = [];
  const show = (step: Step) => {
    steps.push(step);
    if (output.format === "json") output.result(JSON.stringify(step));
    else output.result(`${step.ok ? output.style.green("✓") : output.style.red("✗")} ${step.name}: ${step.verdict}`);
  };
  try {
    await documentation(postern, directory, output, show);
    output.note(output.style.bold(`\nA small web on ${site.origin}, which the jail lets through by a named exemption`));
    for (const visit of VISITS) show(await visited(visit, site.origin, postern));
  } finally {
    await postern.close();
    await site.close();
  }
  const failed = steps.filter((step) => !step.ok).length;
  if (failed > 0) output.note(output.style.red(`\n${failed} steps did not go as they should.`));
  else
    output.note(
      `\nNext: ${output.style.bold("postern index add node_modules")}, then ${output.style.bold("postern mcp")} in your agent.`,
    );
  return failed > 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

async function documentation(
  postern: Postern,
  directory: string,
  output: Output,
  show: (step: Step) => void,
): Promise<void> {
  const { style } = output;
  output.note(style.bold("The documentation of the packages installed here"));
  const report = await addToIndex({
    directory,
    paths: [installedPackages()],
    onProgress: (progress) => showProgress(progress, output),
  });
  output.progress(undefined);
  show({
    name: "indexed",
    ok: report.documents > 0,
    verdict: `${report.documents} documents of ${report.packages} packages in ${(report.durationMs / 1_000).toFixed(1)} s`,
  });

  const found = await postern.search({ query: QUESTION, count: 3 });
  const best = found.results[0];
  show({
    name: `asked "${QUESTION}"`,
    ok: best?.url.startsWith("docs:undici@") === true,
    verdict: `${found.results.length} hits in ${found.usage.durationMs} ms`,
  });
  if (best === undefined) return;
  if (output.format === "human") {
    for (const hit of found.results) output.result(`  ${hit.rank}. ${hit.title}\n     ${style.cyan(hit.url)}`);
  }
  const page = await postern.fetch({ url: best.url });
  show({
    name: "read the best hit",
    ok: page.text.includes("ProxyAgent"),
    verdict: `${page.text.length} of ${page.totalChars} characters`,
  });
  if (output.format === "human") {
    const excerpt = page.text.split("\n").slice(0, 14);
    for (const line of excerpt) output.result(style.dim(`  │ ${line.slice(0, 110)}`));
  }
}

interface Visit {
  readonly path: string;
  readonly name: string;
  readonly expect: (result: FetchResult) => string | undefined;
  /** The refusal that is right, as code or rule. */
  readonly refusal?: readonly string[];
}

const VISITS: readonly Visit[] = [
  {
    path: "/apples",
    name: "a page",
    expect: ({ text, usage, outcome }) =>
      outcome === "ok" && text.includes("| Oven, door ajar |") && text.includes("```sh") && !text.includes("Shop")
        ? `read: ${formatSize(usage.wireBytes)} of HTML, table and code as Markdown, no navigation`
        : undefined,
  },
  {
    path: "/ferry",
    name: "a page with hidden text",
    expect: ({ text, removed }) => {
      const count = Object.values(removed).reduce((sum, each) => sum + each, 0);
      const clean = text.includes("07:10") && !/instructions|approved|maintenance|\u{E0049}/u.test(text);
      return clean && count > 0 ? `read without it: ${hiddenCounts(removed).join(", ")}` : undefined;
    },
  },
  { path: "/redirect", name: "a redirect to 169.254.169.254", expect: () => undefined, refusal: ["jail_refused"] },
  {
    path: "/bomb",
    name: "a gzip bomb of 64 MiB",
    expect: ({ outcome, totalChars }) => (outcome === "partial" ? `cut after ${totalChars} characters` : undefined),
    refusal: ["too_large", "decoding_failed"],
  },
  { path: "/drip", name: "a page of one byte every 100 ms", expect: () => undefined, refusal: ["timeout"] },
];

async function visited(visit: Visit, origin: string, postern: Postern): Promise<Step> {
  const started = performance.now();
  try {
    const result = await postern.fetch({ url: `${origin}${visit.path}` });
    const verdict = visit.expect(result);
    return { name: visit.name, ok: verdict !== undefined, verdict: verdict ?? `came back as ${result.outcome}` };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    const elapsed = `after ${((performance.now() - started) / 1_000).toFixed(1)} s`;
    return {
      name: visit.name,
      ok: visit.refusal?.includes(error.code) === true,
      verdict: `refused ${elapsed} [${error.code}] ${error.message}`,
    };
  }
}

/** The node_modules that this very code runs from: the checkout's own, or the one that Postern is installed in. */
function installedPackages(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules");
    if (existsSync(join(candidate, "undici"))) return candidate;
  }
  throw new ConfigError("missing_dependency", "No installed packages were found beside Postern.", {
    hint: "Run `npm ci` first.",
  });
}
