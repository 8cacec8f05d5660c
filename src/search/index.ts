export { canonicalUrl } from "./canonical-url.js";
export { type ChainAnswer, type ChainContext, type ChainHooks, searchChain } from "./chain.js";
export { configuredProviders, KEYLESS_CHAIN } from "./configured.js";
export { type FusedHit, fuse, type RankedList } from "./fuse.js";
export { type NormalisedQuery, normaliseQuery } from "./normalise-query.js";
export type {
  CommandResult,
  Provider,
  ProviderAnswer,
  ProviderCapabilities,
  ProviderContext,
  ProviderHit,
  ProviderQuery,
  RunCommand,
} from "./provider.js";
export {
  type AvailableProvider,
  createProviders,
  PROVIDER_IDS,
  PROVIDERS,
  type ProviderId,
  type ProviderSetting,
  type ProviderSettings,
  type RegistrySettings,
  resolveChain,
  type SearchPlan,
} from "./registry.js";
export { createRunCommand, type Environment, findCommand, type RunCommandOptions, runCommand } from "./run-command.js";
export { searchPlan } from "./search-plan.js";
export { isOnSite, passesSites, siteHost } from "./site-filter.js";
