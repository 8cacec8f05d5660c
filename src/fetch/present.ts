import type { ReadablePage } from "../read-page.js";
import { type View, type ViewRequest, viewPage } from "../reading/index.js";
import type { FetchRequest, FetchResult, Usage } from "../types.js";
import type { FetchLimits, PageSnapshot } from "./rooms.js";
import type { Target } from "./target.js";

/** What the envelope, its address twice over and the usual notices take of an answer. */
const ENVELOPE_CHARS = 1_000;
const MIN_TEXT_CHARS = 500;
const MAX_LABEL_CHARS = 512;

/** Where to begin, and how much fits. A fragment names a place as a section does, unless the request names one itself. */
export function viewRequest(
  { section, find, offset, maxBytes }: FetchRequest,
  { fragment }: Target,
  { page, finalUrl, anchor }: PageSnapshot,
  limits: FetchLimits,
): ViewRequest {
  const addressChars = Math.min(finalUrl.length, MAX_LABEL_CHARS);
  const maxChars = Math.max(MIN_TEXT_CHARS, limits.maxChars - ENVELOPE_CHARS - 2 * addressChars);
  const isPlaced = (section ?? find ?? offset) !== undefined;
  const named = isPlaced || fragment === "" ? undefined : (anchor ?? decodeFragment(fragment));
  const isSection = named !== undefined && viewPage(page, { section: named, maxChars: 1 }).range !== undefined;
  return { section: isSection ? named : section, find, offset, maxChars, maxBytes };
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

export function usageOf(snapshot: PageSnapshot, cacheHit: boolean, durationMs: number): Usage {
  return {
    requests: cacheHit ? 0 : snapshot.requests,
    wireBytes: cacheHit ? 0 : snapshot.wireBytes,
    durationMs: Math.round(durationMs),
    cacheHit,
    costUsd: 0,
    costBasis: "free",
  };
}

export function present(
  request: FetchRequest,
  target: Target,
  snapshot: PageSnapshot,
  view: View,
  usage: Usage,
  warnings: readonly string[],
): FetchResult {
  const { page, finalUrl, status, outcome, hops } = snapshot;
  const { section, find } = request;
  const again = { ...(section === undefined ? {} : { section }), ...(find === undefined ? {} : { find }) };
  return {
    url: request.url,
    finalUrl,
    status,
    outcome,
    title: page.title,
    text: view.text,
    mediaType: page.mediaType,
    ...(view.range === undefined ? {} : { range: view.range }),
    totalChars: view.totalChars,
    ...(view.next === undefined ? {} : { next: { url: target.url, ...again, offset: view.next.offset } }),
    outline: page.outline,
    ...(view.outline === undefined ? {} : { outlineText: view.outline }),
    findings: inView(page, view),
    removed: page.removed,
    warnings: [...warnings, ...page.warnings, ...view.notices],
    hops,
    usage,
  };
}

/** Findings of what is shown, their places counted in the shown text; those of removed text always. */
function inView({ findings }: ReadablePage, { range }: View): FetchResult["findings"] {
  return findings.flatMap((finding) => {
    const { start, end, ...rest } = finding;
    if (finding.channel === "removed" || start === undefined || end === undefined) return [finding];
    if (range === undefined) return [rest];
    if (end <= range.start || start >= range.end) return [];
    return [{ ...rest, start: Math.max(0, start - range.start), end: Math.min(end, range.end) - range.start }];
  });
}
