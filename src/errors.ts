/**
 * Every error Postern throws, one class for each party that must act.
 *
 * The table below is the single truth for codes: class, what to do next, and
 * whether the same call may succeed when tried again. `docs/errors.md` is generated from it.
 */

const MARKER: unique symbol = Symbol.for("postern.error");

/** Who must act on an error; also the class name and the CLI's exit code. */
export type ErrorKind = "config" | "blocked" | "fetch" | "budget" | "provider" | "model";

/** The command's exit code, by who must act; scripts rely on them. 0 is success. */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  config: 2,
  blocked: 3,
  fetch: 1,
  budget: 4,
  provider: 1,
  model: 1,
};

interface ErrorRow {
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** What to do next; an instance may carry a more exact hint. */
  readonly hint: string;
}

export type ConfigCode =
  | "invalid_configuration"
  | "invalid_argument"
  | "missing_dependency"
  | "storage_failed"
  | "index_missing"
  | "index_corrupt";
export type BlockedCode = "jail_refused" | "policy_refused" | "approval_refused";
export type FetchCode =
  | "dns_failed"
  | "connect_failed"
  | "tls_failed"
  | "proxy_failed"
  | "timeout"
  | "protocol_error"
  | "too_large"
  | "decoding_failed"
  | "redirect_limit"
  | "not_found"
  | "aborted";
export type BudgetCode = "budget_exhausted";
export type ProviderCode =
  | "provider_invalid_request"
  | "provider_unsupported"
  | "provider_auth"
  | "provider_misconfigured"
  | "provider_quota_exhausted"
  | "provider_rate_limited"
  | "provider_blocked"
  | "provider_timeout"
  | "provider_network"
  | "provider_unavailable"
  | "provider_bad_response"
  | "provider_command_missing"
  | "no_provider";
export type ModelCode = "model_unavailable";
export type ErrorCode = ConfigCode | BlockedCode | FetchCode | BudgetCode | ProviderCode | ModelCode;

const row = (kind: ErrorKind, retryable: boolean, hint: string): ErrorRow => ({ kind, retryable, hint });

export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorRow>> = {
  invalid_configuration: row(
    "config",
    false,
    "Correct the setting that is named; `postern config` shows where each value comes from.",
  ),
  invalid_argument: row("config", false, "Correct the argument that is named; `--help` shows examples."),
  missing_dependency: row("config", false, "Install the package that is named."),
  storage_failed: row("config", false, "Check that the path exists, is writable and that the disk is not full."),
  index_missing: row("config", false, "Build one with `postern index add node_modules`."),
  index_corrupt: row("config", false, "Rebuild it with `postern index clear` and `postern index add node_modules`."),

  jail_refused: row(
    "blocked",
    false,
    "Nothing to do: this address is never reachable. A dev server or intranet host can be exempted by its exact origin in the user's configuration.",
  ),
  policy_refused: row(
    "blocked",
    false,
    "The user's host rules forbid it; they can change them in their configuration.",
  ),
  approval_refused: row("blocked", false, "Ask the user, or let them allow the host in their configuration."),

  dns_failed: row("fetch", true, "Check the host's spelling, or try again later."),
  connect_failed: row("fetch", true, "The server cannot be reached; try again later or another page."),
  tls_failed: row("fetch", false, "The server's certificate cannot be trusted; try another page."),
  proxy_failed: row("fetch", false, "Check the proxy: `postern doctor` shows which one is used."),
  timeout: row("fetch", true, "The server was too slow; try again or another page."),
  protocol_error: row("fetch", false, "The server does not speak HTTP properly; try another page."),
  too_large: row("fetch", false, "The document is larger than the limit; ask for a smaller one."),
  decoding_failed: row("fetch", false, "The body could not be decoded; try another page."),
  redirect_limit: row("fetch", false, "The page redirects too often; try the final address."),
  not_found: row("fetch", false, "Check the URL, section or offset."),
  aborted: row("fetch", true, "The caller cancelled the call."),

  budget_exhausted: row("budget", false, "Raise the budget that is named, or start a new session."),

  provider_invalid_request: row("provider", false, "Change the query."),
  provider_unsupported: row("provider", false, "Drop the filter, or choose another provider."),
  provider_auth: row("provider", false, "Check the provider's key."),
  provider_misconfigured: row("provider", false, "Correct the provider's settings."),
  provider_quota_exhausted: row("provider", false, "The plan's quota is used up; choose another provider."),
  provider_rate_limited: row("provider", true, "Wait a little, then search again."),
  provider_blocked: row(
    "provider",
    false,
    "The engine refuses automated searches from here for now; choose another provider.",
  ),
  provider_timeout: row("provider", true, "Try again, or choose another provider."),
  provider_network: row("provider", true, "Check the network connection."),
  provider_unavailable: row("provider", true, "Try again later, or choose another provider."),
  provider_bad_response: row("provider", false, "The provider's answer could not be read; choose another provider."),
  provider_command_missing: row("provider", false, "Install the command that is named, or choose another provider."),
  no_provider: row("provider", false, "Set a provider's key, or build an index with `postern index add node_modules`."),

  model_unavailable: row("model", true, "Call again without a prompt to get the page itself."),
};

/** Values that are safe to print: never a secret, a private address or a stranger's words. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface ErrorOptions {
  readonly hint?: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  readonly retryable?: boolean;
}

/** The base of everything Postern throws. `message` says what happened, `hint` what to do next. */
export abstract class PosternError extends Error {
  abstract readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly hint: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? ERROR_CODES[code].retryable;
    this.hint = options.hint ?? ERROR_CODES[code].hint;
    this.details = options.details ?? {};
    Object.defineProperty(this, MARKER, { value: true });
  }

  toJSON(): { code: ErrorCode; message: string; hint: string; retryable: boolean; details: ErrorDetails } {
    return {
      code: this.code,
      message: this.message,
      hint: this.hint,
      retryable: this.retryable,
      details: this.details,
    };
  }
}

/** The user must correct a setting, an argument or their machine. */
export class ConfigError extends PosternError {
  readonly kind = "config";
  declare readonly code: ConfigCode;
  constructor(code: ConfigCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** Nobody must act: the jail or the policy works. `rule` names which rule, never what stood behind it. */
export class BlockedError extends PosternError {
  readonly kind = "blocked";
  declare readonly code: BlockedCode;
  readonly rule: string;
  constructor(code: BlockedCode, rule: string, message: string, options: ErrorOptions = {}) {
    super(code, message, { ...options, details: { ...options.details, rule } });
    this.rule = rule;
  }
}

/** The page could not be had: try again when `retryable`, or another page. */
export class FetchError extends PosternError {
  readonly kind = "fetch";
  declare readonly code: FetchCode;
  constructor(code: FetchCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** A cap that the user set is reached. */
export class BudgetError extends PosternError {
  readonly kind = "budget";
  declare readonly code: BudgetCode;
  constructor(message: string, options?: ErrorOptions) {
    super("budget_exhausted", message, options);
  }
}

/** A search provider failed; the next of the chain may answer. `retryAfterMs` is the provider's own wish. */
export class ProviderError extends PosternError {
  readonly kind = "provider";
  declare readonly code: ProviderCode;
  readonly provider: string;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  constructor(
    code: ProviderCode,
    provider: string,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined; readonly status?: number | undefined } = {},
  ) {
    super(code, message, { ...options, details: { ...options.details, provider } });
    this.provider = provider;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}

/** The second model failed; the page itself is still to be had without a prompt. */
export class ModelError extends PosternError {
  readonly kind = "model";
  declare readonly code: ModelCode;
  constructor(message: string, options?: ErrorOptions) {
    super("model_unavailable", message, options);
  }
}

/** True for errors of any copy of Postern in the tree, not only this one. */
export function isPosternError(value: unknown): value is PosternError {
  return value instanceof Error && (value as { [MARKER]?: unknown })[MARKER] === true;
}
