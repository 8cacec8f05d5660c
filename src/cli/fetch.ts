import type { SettingsInput } from "../config/index.js";
import { formatSize, hiddenCounts, renderFetch } from "../tools/render.js";
import type { FetchResult, Outcome } from "../types.js";
import { type CommonFlags, interruptSignal, proxyFlag, withPostern, withSpinner } from "./open-postern.js";
import { createOutput, EXIT_CODES, type Output } from "./output.js";

interface FetchFlags extends CommonFlags {
  readonly section?: string;
  readonly find?: string;
  readonly offset?: number;
  readonly maxBytes?: number;
  readonly all?: boolean;
  readonly outline?: boolean;
  readonly fenced?: boolean;
}

/** Outcomes that are what was asked for; the rest ends with exit code 1, their text shown all the same. */
const SUCCESSES: ReadonlySet<Outcome> = new Set(["ok", "partial", "redirect"]);

export async function fetchCommand(url: string, flags: FetchFlags): Promise<number> {
  const output = createOutput(flags);
  const settings: SettingsInput = {
    ...proxyFlag(flags.proxy),
    fetch: {
      ...(flags.timeout === undefined ? {} : { timeoutMs: Math.round(flags.timeout * 1_000) }),
      ...(flags.all === true ? { maxChars: 10_000_000 } : {}),
    },
  };
  const result = await withPostern(
    settings,
    output,
    (postern) => {
      const { section, find, offset, maxBytes } = flags;
      const request = { url, section, find, offset, maxBytes, signal: interruptSignal() };
      return withSpinner(output, `reading ${url.slice(0, 60)}`, postern.fetch(request));
    },
    flags.allowOrigin,
  );
  if (output.format === "json") output.json(result);
  else if (flags.outline === true) printOutline(result, output);
  else if (flags.fenced === true) output.result(renderFetch(result));
  else print(result, output);
  return SUCCESSES.has(result.outcome) && !isMiss(result) ? EXIT_CODES.ok : EXIT_CODES.failed;
}

/** A section or a text was asked for that the page does not hold. */
const isMiss = ({ text, totalChars }: FetchResult): boolean => text === "" && totalChars > 0;

function print(result: FetchResult, output: Output): void {
  const { style } = output;
  if (result.text !== "") output.result(result.text);
  else if (result.outlineText !== undefined) output.note(result.outlineText);
  const removed = hiddenCounts(result.removed);
  const facts = [
    `${result.outcome} ${result.status}`,
    result.mediaType,
    ...(result.usage.wireBytes === 0 ? [] : [formatSize(result.usage.wireBytes)]),
    `${result.usage.durationMs} ms`,
    ...(removed.length === 0 ? [] : [`removed: ${removed.join(", ")}`]),
  ];
  output.note(style.dim(facts.join(" · ")));
  if (result.hops.length > 1) output.note(style.dim(`redirected to ${result.finalUrl}`));
  for (const warning of result.warnings) output.note(`${style.yellow("note")} ${warning}`);
  for (const finding of result.findings) output.note(`${style.yellow(finding.rule)} ${finding.reason}`);
  if (result.next !== undefined) {
    const shown = result.range === undefined ? "parts" : `${result.range.start}-${result.range.end}`;
    output.note(
      `${style.yellow("cut")} shown ${shown} of ${result.totalChars} characters; go on with --offset ${result.next.offset}, or --all`,
    );
  }
}

function printOutline(result: FetchResult, output: Output): void {
  if (result.outline.length === 0) output.note("The page has no headings.");
  for (const { number, level, title, start, end } of result.outline) {
    output.result(`${"  ".repeat(Math.max(0, level - 1))}${number} ${title} ${output.style.dim(`(${end - start})`)}`);
  }
}
