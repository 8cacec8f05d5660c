import type { PosternError } from "../errors.js";
import { fence } from "../guard/fence.js";
import { sanitise } from "../guard/sanitise.js";
import type { FetchResult, NextCall, RemovedCounts, SearchResult } from "../types.js";

const SNIPPET_LINES = 2;
const SNIPPET_LINE_CHARS = 160;

/** What a model gets for a page: everything of the page's inside the envelope, our notices after it. */
export function renderFetch(result: FetchResult): string {
  const outline = result.outlineText === undefined ? "" : `\n\n[sections]\n${result.outlineText}`;
  const body = fence(`${result.text}${outline}`, `${result.finalUrl} (${factsOf(result)})`);
  return [body, ...fetchNotices(result).map((notice) => `[${notice}]`)].join("\n");
}

/** A page of the index, or a remembered one, took no bytes. */
function factsOf({ mediaType, usage: { wireBytes, cacheHit } }: FetchResult): string {
  if (cacheHit) return `${mediaType}, remembered`;
  return wireBytes === 0 ? mediaType : `${mediaType}, ${formatSize(wireBytes)}`;
}

function fetchNotices(result: FetchResult): readonly string[] {
  const notices: string[] = [];
  if (result.outcome !== "ok") notices.push(`outcome: ${result.outcome}, HTTP status ${result.status}`);
  if (result.next !== undefined) {
    const shown = result.range === undefined ? "parts" : `${result.range.start}-${result.range.end}`;
    notices.push(`shown ${shown} of ${result.totalChars} characters; to go on: ${nextCall(result.next)}`);
  }
  const hidden = hiddenCounts(result.removed);
  if (hidden.length > 0) notices.push(`removed, not visible to a reader: ${hidden.join(", ")}`);
  for (const finding of result.findings.slice(0, 5)) notices.push(`caution: ${finding.reason}`);
  return [...notices, ...result.warnings];
}

/** Markup that every page has and no reader sees; what an author hid is another matter. */
const ORDINARY: ReadonlySet<string> = new Set([
  "comment",
  "template",
  "noscript",
  "fallback",
  "datalist",
  "attribute",
  "svg_undrawn",
]);

/** What was hidden on a page, as `3 display none`, without the markup that every page has. */
export function hiddenCounts(removed: RemovedCounts): readonly string[] {
  return Object.entries(removed)
    .filter(([reason]) => !ORDINARY.has(reason))
    .map(([reason, count]) => `${count} ${reason.replaceAll("_", " ")}`);
}

/** The arguments may have been copied from a page, and stand outside the envelope: plain, on one line, and short. */
function nextCall({ url, ...place }: NextCall): string {
  const address = sanitise(url).text.replace(/[[\]<>]/g, encodeURIComponent);
  const words = Object.entries({ url: address, ...place }).map(([name, value]) => {
    return `${name}=${JSON.stringify(typeof value === "string" ? sanitise(value).text : value)}`;
  });
  return `web_fetch ${words.join(" ")}`;
}

/** What a model gets for a search. */
export function renderSearch(result: SearchResult): string {
  const hits = result.results.map(({ title, url, snippet }, i) =>
    [`${i + 1}. ${title} — ${url}`, ...wrapSnippet(snippet, SNIPPET_LINE_CHARS)].join("\n"),
  );
  const count = result.results.length;
  const last = `${count === 0 ? "No" : count} ${count === 1 ? "result" : "results"} from ${result.provider} for ${JSON.stringify(result.query)}.`;
  const body = fence([...hits, last].join("\n\n"), `search results from ${result.provider}`);
  return [body, ...result.warnings.map((warning) => `[${warning}]`)].join("\n");
}

/** At most two lines, indented: a snippet chooses a link and no more. */
export function wrapSnippet(snippet: string, lineChars: number): readonly string[] {
  const words = snippet.split(/\s+/).filter((word) => word !== "");
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + word.length >= lineChars) {
      lines.push(line);
      line = "";
      if (lines.length === SNIPPET_LINES) break;
    }
    line = line === "" ? word.slice(0, lineChars) : `${line} ${word}`;
  }
  if (line !== "" && lines.length < SNIPPET_LINES) lines.push(line);
  const isCut = lines.join(" ").length < words.join(" ").length;
  return lines.map((each, i) => `   ${each}${isCut && i === lines.length - 1 ? " …" : ""}`);
}

/** One calm sentence, its code, and what to try. */
export function renderError(error: PosternError): string {
  return `[${error.code}] ${error.message} ${error.hint}`.trim();
}

const UNITS: readonly (readonly [unit: string, bytes: number])[] = [
  ["MB", 1_000_000],
  ["kB", 1_000],
];

/** `41.2 kB`, in powers of ten. */
export function formatSize(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ["B", 1];
  return `${size === 1 ? bytes : (bytes / size).toFixed(1)} ${unit}`;
}
