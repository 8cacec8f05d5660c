import { renderSearch, wrapSnippet } from "../tools/render.js";
import type { Freshness, SearchResult } from "../types.js";
import {
  type CommonFlags,
  interruptSignal,
  providerFlag,
  proxyFlag,
  withPostern,
  withSpinner,
} from "./open-postern.js";
import { createOutput, EXIT_CODES, type Output } from "./output.js";

interface SearchFlags extends CommonFlags {
  readonly count?: number;
  readonly site?: string;
  readonly sites?: readonly string[];
  readonly excludeSites?: readonly string[];
  readonly freshness?: Freshness;
  readonly country?: string;
  readonly lang?: string;
  readonly cursor?: string;
  readonly fenced?: boolean;
}

export async function searchCommand(words: readonly string[], flags: SearchFlags): Promise<number> {
  const output = createOutput(flags);
  const query = words.join(" ");
  const result = await withPostern(
    {
      search: {
        ...providerFlag(flags.provider),
        ...(flags.timeout === undefined ? {} : { timeoutMs: Math.round(flags.timeout * 1_000) }),
      },
      ...proxyFlag(flags.proxy),
      ...(flags.web === false ? { policy: { offline: true } } : {}),
    },
    output,
    (postern) => {
      const { count, site, sites, excludeSites, freshness, country, lang, cursor } = flags;
      const signal = interruptSignal();
      const request = { query, count, site, sites, excludeSites, freshness, country, lang, cursor, signal };
      return withSpinner(output, "searching", postern.search(request));
    },
  );
  if (output.format === "json") output.json(result);
  else if (flags.fenced === true) output.result(renderSearch(result));
  else print(result, output);
  return EXIT_CODES.ok;
}

function print(result: SearchResult, output: Output): void {
  const { style } = output;
  const columns = Math.max(40, process.stdout.columns ?? 100);
  for (const hit of result.results) {
    const date = hit.published === undefined ? "" : style.dim(`  ${hit.published.slice(0, 10)}`);
    output.result(`${style.bold(`${hit.rank}. ${hit.title}`)}${date}`);
    output.result(`   ${style.cyan(hit.url)}`);
    for (const line of wrapSnippet(hit.snippet, columns - 6)) output.result(line);
  }
  const count = result.results.length;
  output.note(
    style.dim(
      `${count === 0 ? "nothing found" : count === 1 ? "1 result" : `${count} results`} from ${result.provider} in ${result.usage.durationMs} ms`,
    ),
  );
  for (const warning of result.warnings) output.note(`${style.yellow("note")} ${warning}`);
  if (result.more !== undefined) output.note(style.dim(`more: --cursor ${JSON.stringify(result.more)}`));
}
