import { isPosternError } from "../../errors.js";
import {
  type CommandResult,
  type HitFields,
  operatorQuery,
  type Provider,
  type ProviderAnswer,
  type ProviderCapabilities,
  type ProviderCode,
  type ProviderContext,
  type ProviderQuery,
  pageOf,
  parseJson,
  providerFailure,
  readHits,
  readPageCursor,
} from "../provider.js";

export const ddgsCapabilities: ProviderCapabilities = {
  keyless: true,
  official: false,
  maxCount: 20,
  sites: "operator",
  freshness: "preset",
  paging: "page",
  dates: false,
  usdPerThousand: 0,
};

export interface DdgsOptions {
  /** Name on PATH or absolute path, default `ddgs`. */
  readonly command?: string | undefined;
}

const ID = "ddgs";
const FIELDS: HitFields = { url: "href", title: "title", snippet: "body", text: "text" };
const OUTPUT = "results.json";
const MAX_PAGE = 10;
const PAGE_SIZE = 10;
/** Engines that its automatic choice may ask. */
const ORIGINS: readonly string[] = [
  "https://html.duckduckgo.com",
  "https://www.google.com",
  "https://search.brave.com",
  "https://www.mojeek.com",
  "https://search.yahoo.com",
  "https://yandex.com",
  "https://www.startpage.com",
  "https://en.wikipedia.org",
  "https://grokipedia.com",
];
const FREE: ProviderAnswer["cost"] = { usd: 0, basis: "free" };
const NOT_FOUND = /No results found/;

/** What the command prints when it fails. It exits with 0 all the same, and says so on stdout. */
const FAILURES: readonly (readonly [RegExp, ProviderCode])[] = [
  [/Ratelimit/i, "provider_blocked"],
  [/Timeout|timed out/i, "provider_timeout"],
  [/ConnectError|ConnectionError|NetworkError|error sending request|dns error/i, "provider_network"],
];

/** The `ddgs` command (https://github.com/deedy5/ddgs), 9.x and its predecessor `duckduckgo_search`. */
export function createDdgsProvider(options: DdgsOptions = {}): Provider {
  const command = options.command ?? "ddgs";
  let knownMajor: number | undefined;
  return {
    id: ID,
    capabilities: ddgsCapabilities,
    origins: ORIGINS,
    async search(query, context) {
      const position = readPageCursor(ID, query.cursor, MAX_PAGE);
      const { text, warnings } = operatorQuery(query, { maxChars: 400 });
      if (/[\0\r\n]/.test(text)) throw providerFailure(ID, "provider_invalid_request");
      knownMajor ??= await majorVersion(command, context);
      const paged = knownMajor === undefined || knownMajor >= 9;
      const size = Math.max(query.count, PAGE_SIZE);
      const result = await run(command, context, (directory) => [
        "text",
        paged ? "-q" : "-k",
        text,
        "-m",
        String(size),
        "-o",
        `${directory}/${OUTPUT}`,
        ...(paged && position.page > 1 ? ["-p", String(position.page)] : []),
        ...filters(query),
      ]);
      const list = result.file === undefined ? undefined : parseJson(result.file);
      if (!Array.isArray(list)) return failedAnswer(result, warnings);
      const hits = readHits(ID, list, FIELDS);
      const page = pageOf(hits, position, query.count, paged && position.page < MAX_PAGE && list.length >= size);
      return { ...page, cost: FREE, warnings: [...warnings, ...ignored(query), ...damage(page.hits)] };
    },
  };
}

/** `undefined` when the command does not say: then a current one is assumed, and asked again next time. */
async function majorVersion(command: string, context: ProviderContext): Promise<number | undefined> {
  const { stdout } = await run(command, context, () => ["version"]);
  const match = /^\D{0,20}(\d{1,3})\.\d+/.exec(stdout);
  return match === null ? undefined : Number(match[1]);
}

async function run(
  command: string,
  context: ProviderContext,
  args: (directory: string) => readonly string[],
): Promise<CommandResult> {
  try {
    return await context.run(command, args, { signal: context.signal, readFile: OUTPUT });
  } catch (cause) {
    if (!isPosternError(cause) || cause.code !== "provider_command_missing") throw cause;
    throw providerFailure(ID, "provider_command_missing", {
      cause,
      hint: "Install it with `pipx install ddgs`, or choose another provider.",
    });
  }
}

function filters(query: ProviderQuery): readonly string[] {
  const { freshness } = query;
  const region = regionOf(query);
  return [
    ...(typeof freshness === "string" ? ["-t", freshness.charAt(0)] : []),
    ...(region === undefined ? [] : ["-r", region]),
  ];
}

/** The command fails on a region without a hyphen. */
function regionOf({ country, lang }: ProviderQuery): string | undefined {
  if (country === undefined || lang === undefined) return undefined;
  return `${country}-${lang.split("-")[0]}`.toLowerCase();
}

function ignored(query: ProviderQuery): readonly string[] {
  const half = (query.country === undefined) !== (query.lang === undefined);
  return [
    ...(typeof query.freshness === "object" ? ["freshness ignored: ddgs knows day, week, month and year only"] : []),
    ...(half ? ["country and lang are used together only: ignored"] : []),
  ];
}

/** The command decodes percent escapes in addresses, so `%2F` is lost; what can be seen of it is said. */
function damage(hits: ProviderAnswer["hits"]): readonly string[] {
  return hits.some((hit) => /[+]|[^\x21-\x7e]/.test(hit.url))
    ? ["ddgs decodes addresses: one with `+` or accents may differ from the real one"]
    : [];
}

/** Nothing was written: either a failure, or "nothing found", which the command also says when every engine refused. */
function failedAnswer(result: CommandResult, warnings: readonly string[]): ProviderAnswer {
  if (result.exitCode === 2) {
    throw providerFailure(ID, "provider_invalid_request", { hint: "Update it with `pipx upgrade ddgs`." });
  }
  const known = FAILURES.find(([words]) => words.test(result.stdout));
  if (known !== undefined) throw providerFailure(ID, known[1]);
  if (!NOT_FOUND.test(result.stdout)) throw providerFailure(ID, "provider_bad_response");
  return {
    hits: [],
    cost: FREE,
    partial: [{ engine: "all engines", reason: "found nothing or refused" }],
    warnings,
  };
}
