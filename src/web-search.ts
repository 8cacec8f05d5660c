import { BudgetError, ConfigError, ProviderError } from "./errors.js";
import { neutraliseLookAlikes } from "./guard/look-alikes.js";
import { sanitise } from "./guard/sanitise.js";
import type { Policy } from "./policy/index.js";
import {
  type ChainAnswer,
  type ChainContext,
  type NormalisedQuery,
  normaliseQuery,
  type SearchPlan,
  searchPlan,
} from "./search/index.js";
import type { Session, Span } from "./session/index.js";
import type { SearchHit, SearchRequest, SearchResult, Usage } from "./types.js";

/** Whom to ask, and which build of the index `local` answers from. */
export interface AskedPlan extends SearchPlan {
  readonly indexGeneration?: string | undefined;
}

/** The rooms a search passes through. */
export interface SearchRooms {
  /** Whom to ask; made anew for each search, since an index may have come or gone. */
  readonly plan: () => Promise<AskedPlan>;
  readonly context: Omit<ChainContext, "signal">;
  readonly timeoutMs: number;
  readonly policy: Policy;
  readonly session: Session<object, SearchResult>;
}

/** One search, top to bottom. `signal` ends it. */
export async function webSearch(
  request: SearchRequest,
  rooms: SearchRooms,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { query, warnings } = normaliseQuery(visible(request));
  const span = rooms.session.events.start("search", { query: query.query });
  try {
    const plan = withoutDenied(await rooms.plan(), rooms.policy);
    assertSomebody(plan);
    await rooms.policy.approveSearch({
      query: query.query,
      origins: originsOf(plan),
      caller: request.caller ?? "user",
    });
    const { result, cacheHit } = await recall({ query, warnings }, plan, rooms, span, signal);
    rooms.policy.remember(result.results.map(({ url }) => url));
    if (request.caller === "model") rooms.policy.taint("untrusted");
    const { provider, usage, results } = result;
    rooms.session.ledger.add({ tool: "web_search", provider, ...usage });
    span.finish({ provider, results: results.length, cacheHit });
    return result;
  } catch (error) {
    if (error instanceof BudgetError) span.emit({ type: "budget.exhausted", budget: String(error.details.budget) });
    span.fail(error);
    throw error;
  }
}

/** What nobody sees in a query would leave unseen by whoever approves it. */
function visible(request: SearchRequest): SearchRequest {
  return typeof request.query === "string" ? { ...request, query: sanitise(request.query).text } : request;
}

/** A provider that the user's rules deny is left out; when nobody is left, the policy refuses and says so. */
function withoutDenied(plan: AskedPlan, policy: Policy): AskedPlan {
  const chain = plan.chain.filter(({ origins }) => !policy.denies(origins));
  return chain.length > 0 || plan.local !== undefined ? { ...plan, chain } : plan;
}

function assertSomebody({ chain, local }: SearchPlan): void {
  if (chain.length > 0 || local !== undefined) return;
  throw new ConfigError("index_missing", "Nobody can be asked: search is off, and there is no documentation index.", {
    hint: "Build one with `postern index add node_modules`, or set `search.provider`.",
  });
}

const originsOf = ({ chain }: SearchPlan): readonly string[] => [...new Set(chain.flatMap(({ origins }) => origins))];

/** The same question in the same session gets the same answer, and costs nothing twice. */
async function recall(
  { query, warnings }: NormalisedQuery,
  plan: AskedPlan,
  rooms: SearchRooms,
  span: Span<"search">,
  signal: AbortSignal,
): Promise<{ readonly result: SearchResult; readonly cacheHit: boolean }> {
  const { memo, budget } = rooms.session;
  const question = {
    ...query,
    indexGeneration: plan.indexGeneration,
    asked: [...plan.chain, ...(plan.local === undefined ? [] : [plan.local])].map(({ id }) => id),
  };
  const held = await memo.get(question);
  if (held !== undefined) {
    span.emit({ type: "cache.hit", tool: "web_search" });
    const usage: Usage = {
      ...held.usage,
      requests: 0,
      costUsd: 0,
      costBasis: "free",
      cacheHit: true,
      durationMs: Math.round(span.elapsedMs()),
    };
    return { result: { ...held, usage }, cacheHit: true };
  }
  let requests = 0;
  // A session with two results left gets two, and is only refused when none is left.
  const count = Math.max(1, Math.min(query.count, await budget.left("results")));
  const reservation = await budget.reserve({
    requests: plan.chain.length === 0 ? 0 : 1,
    results: count,
    costUsd: estimate(plan),
  });
  try {
    const answer = await searchPlan(
      { ...query, count },
      plan,
      { ...rooms.context, timeoutMs: rooms.timeoutMs, signal },
      {
        onAttempt: ({ provider, attempt }) => {
          // The index on this machine is asked without a request.
          if (provider !== plan.local?.id) requests += 1;
          span.emit({ type: "provider.called", provider, attempt });
        },
        onRetry: ({ provider, code, delayMs }) => span.emit({ type: "provider.retried", provider, code, delayMs }),
        onFailure: ({ provider, error }) => span.emit({ type: "provider.failed", provider, code: error.code }),
      },
    );
    const result = present(query.query, answer, warnings, { requests, durationMs: span.elapsedMs() });
    const { durationMs, costUsd } = result.usage;
    await reservation.settle({ requests, results: result.results.length, durationMs, costUsd });
    // An answer that somebody is missing from is not the answer: whoever failed may be back at the next call.
    if (answer.failures.length === 0 && answer.partial === undefined) await memo.set(question, result);
    return { result, cacheHit: false };
  } catch (error) {
    // Whether a failed request was billed nobody knows, so its estimate stays booked.
    if (error instanceof ProviderError) {
      const usage = { requests, durationMs: span.elapsedMs(), costUsd: estimate(plan) };
      await reservation.settle(usage);
      const costBasis = usage.costUsd === 0 ? "free" : "unknown";
      const entry = {
        ...usage,
        costUsd: usage.costUsd === 0 ? 0 : null,
        costBasis,
        wireBytes: 0,
        cacheHit: false,
      } as const;
      rooms.session.ledger.add({ tool: "web_search", provider: error.provider, ...entry });
    } else await reservation.release();
    throw error;
  }
}

/** The dearest that the chain may come to, all of it asked; `null` when a member's price is unknown. */
function estimate({ chain }: SearchPlan): number | null {
  const prices = chain.map(({ capabilities }) => capabilities.usdPerThousand);
  if (prices.includes(null)) return null;
  return prices.reduce<number>((sum, price) => sum + (price ?? 0) / 1_000, 0);
}

function present(
  query: string,
  answer: ChainAnswer,
  warnings: readonly string[],
  used: Pick<Usage, "requests" | "durationMs">,
): SearchResult {
  const results = answer.hits.map((hit, i): SearchHit => {
    const { url, title, snippet, published, provider } = hit;
    return {
      rank: i + 1,
      title: clean(title),
      url,
      snippet: clean(snippet),
      ...(published === undefined ? {} : { published }),
      provider,
    };
  });
  return {
    query,
    provider: answer.provider,
    results,
    ...(answer.more === undefined ? {} : { more: answer.more }),
    warnings: [...warnings, ...answer.warnings],
    usage: {
      requests: used.requests,
      wireBytes: 0,
      durationMs: Math.round(used.durationMs),
      cacheHit: false,
      costUsd: answer.cost.usd,
      costBasis: answer.cost.basis,
    },
  };
}

/** One line each, so that no title can look like a further result. */
const clean = (text: string): string => neutraliseLookAlikes(sanitise(text).text.replace(/\s+/g, " ").trim()).text;
