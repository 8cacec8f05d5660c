import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, isPosternError, type PosternError, ProviderError } from "../errors.js";
import { type FusedHit, fuse } from "./fuse.js";
import type { Provider, ProviderAnswer, ProviderContext, ProviderQuery } from "./provider.js";
import { abortFailure, type ProviderCode, providerFailure, REASONS, transportFailure } from "./provider-failure.js";
import { passesSites } from "./site-filter.js";

export interface ChainContext extends ProviderContext {
  /** For the whole chain; default 15 s. */
  readonly timeoutMs?: number;
  /** 0..1, for the pause before a retry; `Math.random` when absent. */
  readonly random?: () => number;
}

/** Called as things happen; what they throw ends the search. */
export interface ChainHooks {
  onAttempt?(event: { readonly provider: string; readonly attempt: number }): void;
  onRetry?(event: { readonly provider: string; readonly code: ProviderCode; readonly delayMs: number }): void;
  onFailure?(event: { readonly provider: string; readonly error: ProviderError }): void;
}

export interface ChainAnswer extends Omit<ProviderAnswer, "hits"> {
  /** Filtered by site, without duplicates, at most the query's `count`. */
  readonly hits: readonly FusedHit[];
  /** Who answered. */
  readonly provider: string;
  /** Providers that failed before this answer. */
  readonly failures: readonly ProviderError[];
}

const DEFAULT_TIMEOUT_MS = 15_000;
const BACKOFF_MS = 500;
const MAX_HINT_CHARS = 1_000;
const MAX_NAMED = 5;

/** Worth one more try at once. A timeout is not: it has spent the time, and may have been billed. */
const RETRIED: ReadonlySet<ProviderCode> = new Set([
  "provider_rate_limited",
  "provider_unavailable",
  "provider_network",
]);

/** When every provider failed, the failure to name: first what the user can mend, last what only they can install. */
const MOST_TELLING: readonly ProviderCode[] = [
  "provider_misconfigured",
  "provider_auth",
  "provider_quota_exhausted",
  "provider_rate_limited",
  "provider_blocked",
  "provider_timeout",
  "provider_network",
  "provider_unavailable",
  "provider_bad_response",
  "provider_unsupported",
  "provider_command_missing",
];

/**
 * Asks one provider after the other until one answers; an empty list is an answer. A provider gets its equal share of
 * the remaining time, so one that hangs leaves time for the next, and one retry when that may help and fits in.
 *
 * Throws `ProviderError` when all failed, and at once: an invalid request, a refusal of policy or budget, `aborted`.
 */
export async function searchChain(
  query: ProviderQuery,
  providers: readonly Provider[],
  context: ChainContext,
  hooks: ChainHooks = {},
): Promise<ChainAnswer> {
  const { candidates, cursor } = cursorOwner(query.cursor, providers);
  const endsAt = performance.now() + (context.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const failures: ProviderError[] = [];
  let doubtful: ChainAnswer | undefined;
  for (const [index, provider] of candidates.entries()) {
    const shareMs = (endsAt - performance.now()) / (candidates.length - index);
    try {
      const asked = { ...query, cursor, count: countFor(provider, query) };
      const answer = await askWithRetry(provider, asked, context, hooks, shareMs);
      const finished = finish(answer, provider.id, query, failures);
      // Nothing, from engines that may only have refused: someone else may know better.
      if (answer.hits.length > 0 || (answer.partial ?? []).length === 0) return finished;
      doubtful ??= finished;
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code === "provider_invalid_request") throw error;
      hooks.onFailure?.({ provider: provider.id, error });
      failures.push(error);
    }
  }
  if (doubtful !== undefined) return { ...doubtful, failures };
  throw allFailed(failures);
}

/** More than is wanted where sites are only sorted out here, so that the filter does not eat the answer. */
function countFor({ capabilities }: Provider, { count, sites, excludeSites }: ProviderQuery): number {
  const filtersHere = capabilities.sites !== "native" && (sites.length > 0 || excludeSites.length > 0);
  return filtersHere ? Math.max(count, capabilities.maxCount) : count;
}

/** A cursor is `provider:rest`, and only its provider can go on. */
function cursorOwner(
  cursor: string | undefined,
  providers: readonly Provider[],
): { readonly candidates: readonly Provider[]; readonly cursor: string | undefined } {
  if (cursor === undefined) return { candidates: providers, cursor };
  const owner = providers.find(({ id }) => cursor.startsWith(`${id}:`));
  if (owner === undefined) {
    throw new ConfigError("invalid_argument", "The cursor is of no provider that is set up.", {
      hint: "Pass `more` of the last answer, or leave it out.",
    });
  }
  return { candidates: [owner], cursor: cursor.slice(owner.id.length + 1) };
}

async function askWithRetry(
  provider: Provider,
  query: ProviderQuery,
  context: ChainContext,
  hooks: ChainHooks,
  shareMs: number,
): Promise<ProviderAnswer> {
  const endsAt = performance.now() + shareMs;
  return withDeadline(provider.id, shareMs, context.signal, async (signal) => {
    const ask = async (attempt: number): Promise<ProviderAnswer> => {
      hooks.onAttempt?.({ provider: provider.id, attempt });
      try {
        return await provider.search(query, { ...context, signal });
      } catch (cause) {
        throw providerError(provider.id, cause, signal);
      }
    };
    try {
      return await ask(1);
    } catch (error) {
      const delayMs = retryDelayMs(error, context.random ?? Math.random);
      if (delayMs === undefined || delayMs >= endsAt - performance.now()) throw error;
      hooks.onRetry?.({ provider: provider.id, code: (error as ProviderError).code, delayMs });
      await sleep(delayMs, undefined, { signal });
      return await ask(2);
    }
  });
}

/** The provider's own wish, or a random part of a short pause ("full jitter"); `undefined` when no retry helps. */
function retryDelayMs(error: unknown, random: () => number): number | undefined {
  if (!(error instanceof ProviderError) || !error.retryable || !RETRIED.has(error.code)) return undefined;
  return error.retryAfterMs ?? random() * BACKOFF_MS;
}

function providerError(provider: string, cause: unknown, signal: AbortSignal): PosternError {
  if (signal.aborted || isPosternError(cause)) return transportFailure(provider, cause, signal);
  return providerFailure(provider, "provider_bad_response", { cause });
}

/**
 * Runs `work` with a signal that ends with `signal` or after `timeoutMs`, and stops waiting then even if `work` does
 * not. Not `AbortSignal.any` over `AbortSignal.timeout`: on Node 20 and 22 that pair may be collected unfired
 * (nodejs/node#57736).
 */
async function withDeadline<T>(
  provider: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw abortFailure(provider, signal);
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new DOMException("out of time", "TimeoutError")), timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(abortFailure(provider, controller.signal)), {
      once: true,
    });
  });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function finish(
  answer: ProviderAnswer,
  provider: string,
  query: ProviderQuery,
  failures: readonly ProviderError[],
): ChainAnswer {
  const onSite = answer.hits.filter((hit) => passesSites(hit.url, query));
  const dropped = answer.hits.length - onSite.length;
  const { more, partial, ...rest } = answer;
  return {
    ...rest,
    provider,
    hits: fuse([{ provider, hits: onSite }]).slice(0, query.count),
    ...(more === undefined ? {} : { more: `${provider}:${more}` }),
    ...(partial === undefined ? {} : { partial }),
    warnings: [
      ...failures.map((failure) => `${failure.provider}: ${REASONS[failure.code]}`),
      ...(partial === undefined ? [] : [`${provider}: ${silence(partial)}`]),
      ...answer.warnings,
      ...(dropped > 0 ? [`${provider}: results outside the asked sites dropped (${dropped})`] : []),
    ],
    failures,
  };
}

/** The engines behind a provider that gave nothing, a few by name. */
function silence(engines: NonNullable<ProviderAnswer["partial"]>): string {
  const named = engines.slice(0, MAX_NAMED).map(({ engine, reason }) => `${engine} ${reason}`);
  const others = engines.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
}

/** Said once when all say the same, as on a network that lets none of them through. */
function hintOf(failures: readonly ProviderError[]): string {
  const hints = new Set(failures.map(({ hint }) => hint));
  const [only = ""] = hints;
  return hints.size === 1 ? only : failures.map(({ provider, hint }) => `${provider}: ${hint}`).join(" ");
}

function allFailed(failures: readonly ProviderError[]): ProviderError {
  const [first] = failures;
  if (first === undefined) return new ProviderError("no_provider", "none", REASONS.no_provider);
  if (failures.length === 1) return first;
  const telling = MOST_TELLING.map((code) => failures.find((failure) => failure.code === code)).find(Boolean) ?? first;
  const waits = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
  const reasons = failures.map((failure) => `${failure.provider}: ${REASONS[failure.code]}`);
  return new ProviderError(telling.code, telling.provider, `No provider answered (${reasons.join("; ")}).`, {
    cause: telling,
    status: telling.status,
    retryable: failures.some(({ retryable }) => retryable),
    retryAfterMs: waits.length > 0 ? Math.min(...waits) : undefined,
    hint: hintOf(failures).slice(0, MAX_HINT_CHARS),
    details: { ...telling.details, failures: reasons },
  });
}
