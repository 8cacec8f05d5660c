import { existsSync, statSync } from "node:fs";
import { type Config, defaultIndexDirectory, userFile } from "../config/index.js";
import { createProviders, PROVIDERS, type ProviderId, resolveChain } from "../search/index.js";
import { indexExists, openIndex } from "../search/local/index.js";
import { formatSize } from "../tools/render.js";
import { type Check, failed } from "./check.js";
import { certificateChecks, jailCheck, proxyChecks } from "./network-checks.js";
import { loadSettings } from "./open-postern.js";
import { createOutput, EXIT_CODES } from "./output.js";

/** Looks at what is set up here; it sends nothing anywhere. Exit code 2 when something is wrong. */
export async function doctorCommand(flags: { readonly json?: boolean }): Promise<number> {
  const output = createOutput(flags);
  const checks = await examine();
  const wrong = checks.filter(({ status }) => status === "wrong").length;
  if (output.format === "json") output.json({ ok: wrong === 0, checks });
  else {
    const { style } = output;
    const marks = { ok: style.green("✓"), off: style.dim("·"), wrong: style.red("✗") };
    for (const { name, status, detail, remedy } of checks) {
      output.result(`${marks[status]} ${name}: ${detail}${remedy === undefined ? "" : `\n    ${style.dim(remedy)}`}`);
    }
  }
  return wrong === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
}

async function examine(): Promise<readonly Check[]> {
  const node: Check = { name: "Node.js", status: "ok", detail: process.versions.node };
  let config: Config;
  try {
    config = await loadSettings();
  } catch (error) {
    return [node, failed("configuration", error)];
  }
  return [
    node,
    ...configuration(config),
    ...search(config),
    await index(config),
    jailCheck(config),
    ...proxyChecks(config),
    ...certificateChecks(config),
  ];
}

function configuration({ warnings }: Config): readonly Check[] {
  const name = "configuration";
  if (warnings.length > 0) return warnings.map((detail) => ({ name, status: "wrong", detail }));
  const file = userFile(process.env);
  return [{ name, status: "ok", detail: existsSync(file) ? file : "defaults; no file of your own yet" }];
}

function search(config: Config): readonly Check[] {
  const { settings, origins } = config;
  if (settings.policy.offline) {
    return [{ name: "search", status: "off", detail: "`policy.offline` is set: only the documentation index answers" }];
  }
  const providers = {
    brave: { apiKey: settings.keys.brave },
    tavily: { apiKey: settings.keys.tavily },
    searxng: { baseUrl: settings.search.searxngUrl },
  };
  try {
    const available = createProviders({ env: { PATH: process.env.PATH }, providers });
    const plan =
      settings.search.provider === "local" ? [] : resolveChain(withoutLocal(settings.search.provider), available).chain;
    const chain: Check = {
      name: "search",
      status: plan.length > 0 || settings.search.provider === "local" ? "ok" : "off",
      detail:
        plan.length === 0
          ? `\`search.provider\` is ${JSON.stringify(settings.search.provider)}; no web search`
          : `asks ${plan.map(({ id }) => id).join(", then ")}, at ${plan.flatMap((each) => each.origins).join(", ") || "a local command"}`,
    };
    return [
      chain,
      ...Object.entries(PROVIDERS).map(([id, row]): Check => {
        const found = available.find(({ provider }) => provider.id === id);
        const origin = origins.get(id === "searxng" ? "search.searxngUrl" : (`keys.${id}` as "keys.brave"));
        const from = origin?.detail === undefined ? "" : ` (${origin.detail})`;
        if (found === undefined) return { name: `  ${id}`, status: "off", detail: "not set up", remedy: row.setup };
        if (found.isInstalled === false)
          return { name: `  ${id}`, status: "off", detail: "not installed", remedy: row.setup };
        return {
          name: `  ${id}`,
          status: "ok",
          detail: found.hasCredential ? `set up${from}` : keylessDetail(id as ProviderId),
        };
      }),
    ];
  } catch (error) {
    return [failed("search", error)];
  }
}

const withoutLocal = (setting: string | readonly string[]): string | readonly string[] =>
  typeof setting === "string" ? setting : setting.filter((id) => id !== "local");

const keylessDetail = (id: ProviderId): string =>
  PROVIDERS[id].capabilities.official
    ? "without a key, by the vendor's own offer"
    : "without a key; it may refuse at any time";

async function index({ settings }: Config): Promise<Check> {
  const name = "documentation index";
  const directory = settings.index.directory ?? defaultIndexDirectory(process.env);
  if (!(await indexExists(directory))) {
    return { name, status: "off", detail: `none in ${directory}`, remedy: "Build one: postern index add node_modules" };
  }
  try {
    const opened = await openIndex({ directory });
    const { documents, sources, bytes } = opened.stats();
    opened.close();
    const days = Math.floor((Date.now() - statSync(directory).mtimeMs) / 86_400_000);
    const age = days === 0 ? "built today" : `built ${days} ${days === 1 ? "day" : "days"} ago`;
    return {
      name,
      status: "ok",
      detail: `${documents} documents of ${sources.length} packages, ${formatSize(bytes)}, ${age}`,
      ...(days > 30 ? { remedy: "Packages may have moved on: postern index add node_modules" } : {}),
    };
  } catch (error) {
    return failed(name, error);
  }
}
