import { ConfigError, isPosternError, ProviderError } from "../errors.js";
import { type ChainAnswer, type ChainContext, type ChainHooks, searchChain } from "./chain.js";
import { fuse } from "./fuse.js";
import type { ProviderQuery } from "./provider.js";
import { REASONS } from "./provider-failure.js";
import type { SearchPlan } from "./registry.js";

/**
 * Runs a plan: the chain, and beside it the local index, fused by rank. One of the two is enough; when both fail, the
 * chain's error is thrown. A cursor goes on where it came from, without the other. An index that is asked alone and
 * cannot be used throws its own `ConfigError`.
 */
export async function searchPlan(
  query: ProviderQuery,
  { chain, local }: SearchPlan,
  context: ChainContext,
  hooks: ChainHooks = {},
): Promise<ChainAnswer> {
  if (local === undefined) return searchChain(query, chain, context, hooks);
  if (chain.length === 0 || query.cursor?.startsWith(`${local.id}:`)) {
    return searchChain(query, [local], context, hooks).catch((error: unknown) => {
      throw error instanceof ProviderError && error.cause instanceof ConfigError ? error.cause : error;
    });
  }
  if (query.cursor !== undefined) return searchChain(query, chain, context, hooks);
  const [nearby, web] = await Promise.allSettled([
    searchChain(query, [local], context, hooks),
    searchChain(query, chain, context, hooks),
  ]);
  if (web.status === "rejected") return aloneWith(nearby, web.reason);
  if (nearby.status === "rejected") {
    return { ...web.value, warnings: [`${local.id}: ${reasonOf(nearby.reason)}`, ...web.value.warnings] };
  }
  return joined(nearby.value, web.value, query.count);
}

/** The local answer when it has something to say and the chain merely failed; a refusal or a cancelled call stays one. */
function aloneWith(nearby: PromiseSettledResult<ChainAnswer>, error: unknown): ChainAnswer {
  if (!(error instanceof ProviderError) || nearby.status === "rejected" || nearby.value.hits.length === 0) throw error;
  return {
    ...nearby.value,
    failures: [...nearby.value.failures, error],
    warnings: [...nearby.value.warnings, `local results only: ${error.message}`],
  };
}

function joined(nearby: ChainAnswer, web: ChainAnswer, count: number): ChainAnswer {
  const lists = [nearby, web].filter(({ hits }) => hits.length > 0);
  return {
    ...web,
    provider: lists.length > 0 ? lists.map(({ provider }) => provider).join("+") : web.provider,
    hits: fuse(lists).slice(0, count),
    failures: [...nearby.failures, ...web.failures],
    // What the index says about itself matters only beside its results.
    warnings: [...(nearby.hits.length > 0 ? nearby.warnings : []), ...web.warnings],
  };
}

/** A code's reason, or a message of ours; anything else may hold a stranger's words. */
function reasonOf(error: unknown): string {
  if (error instanceof ProviderError) return REASONS[error.code];
  return isPosternError(error) ? error.message : "failed";
}
