/** The complete public surface of `postern`. Burden of proof is on addition; a test holds the list. */
export type { Settings, SettingsInput } from "./config/index.js";
export {
  BlockedError,
  BudgetError,
  ConfigError,
  type ErrorCode,
  type ErrorKind,
  FetchError,
  isPosternError,
  ModelError,
  PosternError,
  ProviderError,
} from "./errors.js";
export type { Distiller, Renderer } from "./fetch/rooms.js";
export type { ApprovalAnswer, ApprovalRequest, Approver } from "./policy/index.js";
export { createPostern, type Postern, type PosternOptions } from "./postern.js";
export type {
  CommandResult,
  Provider,
  ProviderAnswer,
  ProviderCapabilities,
  ProviderContext,
  ProviderHit,
  ProviderQuery,
  RunCommand,
} from "./search/index.js";
export type { Ledger, LedgerEntry, LedgerTotals, PosternEvent } from "./session/index.js";
export type {
  Caller,
  CostBasis,
  FetchRequest,
  FetchResult,
  Finding,
  Freshness,
  Hop,
  NextCall,
  Outcome,
  OutlineEntry,
  RemovedCounts,
  SearchHit,
  SearchRequest,
  SearchResult,
  Usage,
} from "./types.js";
export { VERSION } from "./version.js";
