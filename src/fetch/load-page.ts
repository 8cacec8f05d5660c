import { FetchError, isPosternError } from "../errors.js";
import type { TransportResponse } from "../net/index.js";
import { type ReadablePage, readText } from "../read-page.js";
import { type LocalDocument, linkDocs } from "../search/local/index.js";
import type { Span } from "../session/index.js";
import type { FetchRequest, OutlineEntry } from "../types.js";
import type { Deadline } from "./deadline.js";
import { outcomeOf } from "./outcome.js";
import type { FetchRooms, PageSnapshot } from "./rooms.js";
import type { Target } from "./target.js";

/** Over the wire and through the reader. */
export async function loadPage(
  target: Target,
  request: FetchRequest,
  rooms: FetchRooms,
  span: Span<"fetch">,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<PageSnapshot> {
  const { limits, policy, transport, reader, renderer } = rooms;
  const reservation = await rooms.session.budget.reserve({ requests: 1, costUsd: 0 });
  try {
    const maxBytes = Math.max(1, Math.min(limits.maxBytes, await rooms.session.budget.left("bytes")));
    const response = await transport.request({
      url: target.url,
      headers: { accept: ACCEPT, "accept-language": "en;q=0.9, *;q=0.5" },
      timeoutMs: limits.timeoutMs,
      maxBytes,
      maxRedirects: limits.maxRedirects,
      retries: 1,
      signal,
      approveHop: async (url, hop) => {
        // The first hop was approved before the cache was asked.
        if (hop > 0) await deadline.suspend(policy.approveFetch({ url, caller: request.caller ?? "user", hop }));
      },
      onEvent: (event) => span.emit(event),
    });
    const { url, bytes, truncated, headers } = response;
    let page = await reader.read(
      { url, bytes, truncated, contentType: headers.get("content-type") ?? undefined },
      signal,
    );
    if (renderer !== undefined && wantsRendering(request, page)) {
      const { html } = await renderer.render({ url, signal });
      const rendered = new TextEncoder().encode(html);
      page = await reader.read({ url, bytes: rendered, contentType: "text/html; charset=utf-8" }, signal);
    }
    page = { ...page, warnings: [...page.warnings, ...warningsOf(response, page, request, rooms, maxBytes)] };
    if (page.findings.length > 0) span.emit({ type: "guard.found", url, rules: page.findings.map(({ rule }) => rule) });
    const { status, hops, wireBytes, requests } = response;
    await reservation.settle({ requests, bytes: wireBytes, durationMs: span.elapsedMs(), costUsd: 0 });
    return { page, finalUrl: url, status, outcome: outcomeOf(response, page), hops, requests, wireBytes };
  } catch (error) {
    const used = usedBy(error);
    const durationMs = span.elapsedMs();
    await reservation.settle({ requests: used.requests, bytes: used.wireBytes, durationMs, costUsd: 0 });
    const usage = {
      ...used,
      durationMs: Math.round(durationMs),
      cacheHit: false,
      costUsd: 0,
      costBasis: "free",
    } as const;
    rooms.session.ledger.add({ tool: "web_fetch", ...usage });
    throw error;
  }
}

/** What a reader must know of how the page came; in our own words. */
function warningsOf(
  { truncated }: TransportResponse,
  page: ReadablePage,
  request: FetchRequest,
  { limits, renderer }: FetchRooms,
  maxBytes: number,
): readonly string[] {
  const warnings: string[] = [];
  if (truncated === "cap") {
    const setting = maxBytes < limits.maxBytes ? "budget.maxBytes" : "fetch.maxBytes";
    warnings.push(`only the first ${maxBytes} bytes were read; the user may raise \`${setting}\``);
  }
  if (truncated === "stream") warnings.push("the connection broke off: this is not the whole page");
  if (renderer === undefined && page.needsScripts) {
    warnings.push("the page has no text until its scripts run (JavaScript), and no browser is set up");
  } else if (renderer === undefined && request.render === "always") {
    warnings.push("no browser is set up to render the page; this is what the server sent");
  }
  return warnings;
}

/** What a failed request sent and got, as the transport counted it; nothing when it never left. */
function usedBy(error: unknown): { readonly requests: number; readonly wireBytes: number } {
  const { requests, wireBytes } = isPosternError(error) ? error.details : {};
  return { requests: Number(requests ?? 0), wireBytes: Number(wireBytes ?? 0) };
}

/** Markdown first: an author's own text beats one that was worked out from the page. */
const ACCEPT =
  "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5";

function wantsRendering({ render = "auto" }: FetchRequest, page: ReadablePage): boolean {
  return render === "always" || (render === "auto" && page.needsScripts);
}

/** From the documentation index, which holds texts and knows no paths. */
export async function readDocs(target: Target, rooms: FetchRooms): Promise<PageSnapshot> {
  const index = await rooms.openIndex();
  const document = await index.read(target.fragment === "" ? target.url : `${target.url}#${target.fragment}`);
  if (document === undefined) {
    throw new FetchError("not_found", "The documentation index holds no such page.", {
      hint: "Search again: the package may have another version now.",
    });
  }
  const isMarkdown = document.mediaType === "text/markdown";
  const text = isMarkdown ? linkDocs(document.text, target.url, (url) => index.has(url)) : document.text;
  const page = readText(text, document.title, document.mediaType, target.url);
  // A page has headings of its own; a declaration file has the symbols that the index found in it.
  const outline = page.outline.length === 0 && page.text === document.text ? document.outline : page.outline;
  const anchor = anchorOf(document, outline);
  return {
    page: { ...page, outline },
    ...(anchor === undefined ? {} : { anchor }),
    finalUrl: target.url,
    status: 200,
    outcome: page.text.trim() === "" ? "empty" : "ok",
    hops: [{ url: target.url, status: 200, durationMs: 0, via: "index" }],
    requests: 0,
    wireBytes: 0,
  };
}

/** The entry of `outline` that the URL's fragment names: by its place in the order, since links were rewritten. */
function anchorOf({ section, outline: own }: LocalDocument, outline: readonly OutlineEntry[]): string | undefined {
  if (section === undefined) return undefined;
  const position = own.findIndex(({ start }) => start === section.start);
  const entry = outline[position];
  // Headings written as HTML are not read alike by both, so that either sign of agreement counts.
  const agrees = outline.length === own.length || entry?.title === own[position]?.title;
  return agrees ? entry?.number : undefined;
}
