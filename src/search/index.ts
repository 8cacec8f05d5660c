export { type ChainAnswer, type ChainContext, type ChainHooks, searchChain } from "./chain.js";
export type { FusedHit, RankedList } from "./fuse.js";
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
  PROVIDERS,
  type ProviderId,
  type ProviderSetting,
  type ProviderSettings,
  type RegistrySettings,
  resolveChain,
  type SearchPlan,
} from "./registry.js";
export { createRunCommand, type Environment, type RunCommandOptions } from "./run-command.js";
export { searchPlan } from "./search-plan.js";
