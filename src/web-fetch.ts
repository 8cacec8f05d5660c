import { ConfigError, FetchError, isPosternError } from "./errors.js";
import { fence } from "./guard/fence.js";
import type { Jail, Transport, TransportResponse } from "./net/index.js";
import type { PageReader } from "./page-reader.js";
import type { Policy } from "./policy/index.js";
import { type ReadablePage, readText } from "./read-page.js";
import { type View, viewPage } from "./reading/index.js";
import type { LocalIndex } from "./search/local/index.js";
import type { Session, Span } from "./session/index.js";
import type { FetchRequest, FetchResult, Hop, Outcome, Usage } from "./types.js";

/** Runs a page's scripts in a real browser, inside the same jail. */
export interface Renderer {
  render(request: { readonly url: string; readonly signal: AbortSignal }): Promise<{ readonly html: string }>;
  close(): Promise<void>;
}

/** Answers a prompt from a page. `fenced` is the page inside the envelope: it is untrusted. */
export interface Distiller {
  distill(request: {
    readonly prompt: string;
    readonly url: string;
    readonly fenced: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly text: string; readonly warnings: readonly string[] }>;
}

export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly maxChars: number;
}

/** A page as the session remembers it: neither cut nor fenced, since each answer has a fresh nonce. */
export interface PageSnapshot {
  readonly page: ReadablePage;
  readonly finalUrl: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly hops: readonly Hop[];
  readonly wireBytes: number;
}

/** The rooms a fetch passes through. */
export interface FetchRooms {
  readonly limits: FetchLimits;
  readonly jail: Jail;
  readonly transport: Transport;
  readonly policy: Policy;
  readonly session: Session<PageSnapshot>;
  readonly reader: PageReader;
  readonly openIndex: () => Promise<LocalIndex>;
  readonly renderer?: Renderer | undefined;
  readonly distiller?: Distiller | undefined;
}

/** One fetch, top to bottom. */
export async function webFetch(request: FetchRequest, rooms: FetchRooms): Promise<FetchResult> {
  const caller = request.caller ?? "user";
  const span = rooms.session.events.start("fetch", { url: String(request.url) });
  const deadline = openDeadline(rooms.limits.timeoutMs, request.signal);
  try {
    const target = parseTarget(request.url, rooms.jail);
    if (target.kind === "web") {
      await deadline.suspend(rooms.policy.approveFetch({ url: new URL(target.url), caller, hop: 0 }));
    }
    const { snapshot, cacheHit } = await recall(target, request, rooms, span, deadline);
    const answer = await distil(request, snapshot, rooms, deadline.signal);
    const view = viewPage(answer.page, {
      ...placeOf(request, target, snapshot),
      ...limitsOf(request, snapshot, rooms),
    });
    const usage = usageOf(snapshot, cacheHit, span.elapsedMs());
    rooms.session.ledger.add({ tool: "web_fetch", ...usage, basis: usage.costBasis, cached: cacheHit });
    rooms.policy.remember([request.url, snapshot.finalUrl, ...snapshot.page.links]);
    if (caller === "model") rooms.policy.taint(snapshot.page.findings.length > 0 ? "finding" : "untrusted");
    span.finish({ outcome: snapshot.outcome, status: snapshot.status, bytes: usage.wireBytes, cacheHit });
    return present(request, snapshot, view, usage, answer.warnings);
  } catch (cause) {
    const error = deadline.signal.aborted ? deadline.signal.reason : cause;
    span.fail(isPosternError(error) ? error.code : "internal_error");
    throw error;
  } finally {
    deadline.close();
  }
}

interface Target {
  readonly kind: "web" | "docs";
  /** Without its fragment. */
  readonly url: string;
  readonly fragment: string;
}

function parseTarget(input: unknown, jail: Jail): Target {
  if (typeof input !== "string" || input.trim() === "") {
    throw new ConfigError("invalid_argument", "`url` is missing.", {
      hint: "Give an http(s) URL, or a docs: URL of a search result.",
    });
  }
  const text = input.trim();
  const hash = text.indexOf("#");
  const fragment = hash === -1 ? "" : text.slice(hash + 1);
  if (/^docs:/i.test(text)) return { kind: "docs", url: hash === -1 ? text : text.slice(0, hash), fragment };
  return { kind: "web", url: jail.checkUrl(text).href, fragment };
}

/** The page from the session's memory, or fetched once for all who ask for it at this moment. */
async function recall(
  target: Target,
  request: FetchRequest,
  rooms: FetchRooms,
  span: Span<"fetch">,
  deadline: Deadline,
): Promise<{ readonly snapshot: PageSnapshot; readonly cacheHit: boolean }> {
  const { cache, singleFlight } = rooms.session;
  if (target.kind === "docs") return { snapshot: await readDocs(target, rooms), cacheHit: false };
  const key = `${request.render ?? "auto"} ${target.url}`;
  const held = request.refresh === true ? undefined : await cache.get(key);
  if (held !== undefined) {
    span.emit({ type: "cache.hit", url: target.url, tool: "web_fetch" });
    return { snapshot: held, cacheHit: true };
  }
  // Callers of different standing do not share: a person's call meets fewer rules than a model's.
  const flight = `${request.caller ?? "user"} ${request.refresh === true ? span.id : ""} ${key}`;
  const snapshot = await singleFlight.run(
    flight,
    (signal) => load(target, request, rooms, span, deadline, signal),
    deadline.signal,
  );
  await cache.set(key, snapshot, { bytes: weigh(snapshot), negative: !REMEMBERED.has(snapshot.outcome) });
  return { snapshot, cacheHit: false };
}

/** What is content; anything else is forgotten within seconds. */
const REMEMBERED: ReadonlySet<Outcome> = new Set(["ok", "partial"]);

/** UTF-16 text and the objects around it. */
const weigh = ({ page }: PageSnapshot): number => 2 * page.text.length + 200 * page.outline.length + 4_096;

/** Over the wire and through the reader. */
async function load(
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
    const response = await transport.request({
      url: target.url,
      headers: { accept: ACCEPT, "accept-language": "en;q=0.9, *;q=0.5" },
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxBytes,
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
      page = readText(html, "", "text/html", url);
    }
    if (page.findings.length > 0) span.emit({ type: "guard.found", url, rules: page.findings.map(({ rule }) => rule) });
    const { status, hops, wireBytes } = response;
    await reservation.settle({ requests: hops.length, bytes: wireBytes, durationMs: span.elapsedMs(), costUsd: 0 });
    return { page, finalUrl: url, status, outcome: outcomeOf(response, page), hops, wireBytes };
  } catch (error) {
    await reservation.settle({ requests: 1, durationMs: span.elapsedMs(), costUsd: 0 });
    throw error;
  }
}

/** Markdown first: an author's own text beats one that was worked out from the page. */
const ACCEPT =
  "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5";

function wantsRendering({ render = "auto" }: FetchRequest, page: ReadablePage): boolean {
  return render === "always" || (render === "auto" && page.needsScripts);
}

async function readDocs(target: Target, rooms: FetchRooms): Promise<PageSnapshot> {
  const index = await rooms.openIndex();
  const document = await index.read(target.url);
  if (document === undefined) {
    throw new FetchError("not_found", "The documentation index holds no such page.", {
      hint: "Search again: the package may have another version now.",
    });
  }
  const page = readText(document.text, document.title, document.mediaType, target.url);
  return {
    page,
    finalUrl: target.url,
    status: 200,
    outcome: page.text.trim() === "" ? "empty" : "ok",
    hops: [{ url: target.url, status: 200, durationMs: 0, via: "index" }],
    wireBytes: 0,
  };
}

/** Statuses that say why there is no content. */
const STATUS_OUTCOMES: Readonly<Record<number, Outcome>> = { 401: "login", 402: "paywall", 407: "login" };

function outcomeOf({ status, headers, truncated }: TransportResponse, page: ReadablePage): Outcome {
  if (headers.get("cf-mitigated") === "challenge") return "bot_wall";
  if (status >= 400) return STATUS_OUTCOMES[status] ?? "error";
  if (truncated !== undefined) return "partial";
  return page.text.trim() === "" ? "empty" : "ok";
}

async function distil(
  { prompt }: FetchRequest,
  { page, finalUrl, outcome }: PageSnapshot,
  { distiller }: FetchRooms,
  signal: AbortSignal,
): Promise<{ readonly page: ReadablePage; readonly warnings: readonly string[] }> {
  if (prompt === undefined || prompt.trim() === "") return { page, warnings: [] };
  if (distiller === undefined)
    return { page, warnings: ["no model is set up to answer the prompt; this is the page itself"] };
  if (!REMEMBERED.has(outcome)) return { page, warnings: [`the prompt was not answered: the outcome is ${outcome}`] };
  try {
    const { text, warnings } = await distiller.distill({
      prompt,
      url: finalUrl,
      fenced: fence(page.text, finalUrl),
      signal,
    });
    return { page: { ...readText(text, page.title, "text/markdown", finalUrl), mediaType: page.mediaType }, warnings };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return { page, warnings: [`the model could not answer (${error.code}); this is the page itself`] };
  }
}

/** A fragment names a place as a section does, as long as the request names none itself. */
function placeOf({ section, find, offset }: FetchRequest, { fragment }: Target, { page }: PageSnapshot) {
  const named = section ?? find ?? offset;
  if (named !== undefined || fragment === "") return { section, find, offset };
  const probe = viewPage(page, { section: decodeFragment(fragment), maxChars: 1 });
  return probe.range === undefined ? {} : { section: decodeFragment(fragment) };
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** What the envelope, its address twice over and the usual notices take of an answer. */
const ENVELOPE_CHARS = 1_000;
const MIN_TEXT_CHARS = 500;

function limitsOf({ maxBytes }: FetchRequest, { finalUrl }: PageSnapshot, { limits }: FetchRooms) {
  const addressChars = Math.min(finalUrl.length, 512);
  return { maxChars: Math.max(MIN_TEXT_CHARS, limits.maxChars - ENVELOPE_CHARS - 2 * addressChars), maxBytes };
}

function usageOf(snapshot: PageSnapshot, cacheHit: boolean, durationMs: number): Usage {
  return {
    requests: cacheHit ? 0 : snapshot.hops.filter(({ via }) => via !== "index").length,
    wireBytes: cacheHit ? 0 : snapshot.wireBytes,
    durationMs: Math.round(durationMs),
    cacheHit,
    costUsd: 0,
    costBasis: "free",
  };
}

function present(
  request: FetchRequest,
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
    ...(view.next === undefined ? {} : { next: { url: request.url, ...again, offset: view.next.offset } }),
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

interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock while somebody is asked: thinking is not a time-out. */
  suspend<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** The room that is late knows the stage and speaks first. */
const GRACE_MS = 100;

/** One clock over the whole call. Its reason is the error to throw. */
function openDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const cancel = () => controller.abort(new FetchError("aborted", "The caller cancelled the call."));
  const expire = () => controller.abort(new FetchError("timeout", `The page was not read within ${timeoutMs} ms.`));
  let leftMs = timeoutMs + GRACE_MS;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    startedAt = performance.now();
    timer = setTimeout(expire, leftMs);
  };
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  start();
  return {
    signal: controller.signal,
    async suspend(work) {
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
      try {
        return await work;
      } finally {
        start();
      }
    },
    close() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
