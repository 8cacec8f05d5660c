import { type ErrorCode, FetchError, isPosternError, type PosternError, ProviderError } from "../errors.js";

export type ProviderCode = ProviderError["code"];

/** Why a provider gave no answer, in our own words: what a provider says is never repeated. */
export const REASONS: Readonly<Record<ProviderCode, string>> = {
  provider_invalid_request: "request refused as invalid",
  provider_unsupported: "asked for something it does not offer",
  provider_auth: "key refused",
  provider_misconfigured: "not set up correctly",
  provider_quota_exhausted: "quota exhausted",
  provider_rate_limited: "rate limited",
  provider_blocked: "automated searches refused",
  provider_timeout: "too slow",
  provider_network: "could not be reached",
  provider_unavailable: "out of order",
  provider_bad_response: "unreadable answer",
  provider_command_missing: "command not installed",
  no_provider: "no search provider is set up",
};

export type FailureOptions = NonNullable<ConstructorParameters<typeof ProviderError>[3]>;

/** A `ProviderError` whose message is the provider's id and the code's reason. */
export function providerFailure(provider: string, code: ProviderCode, options: FailureOptions = {}): ProviderError {
  const status = options.status === undefined ? "" : ` (HTTP ${options.status})`;
  return new ProviderError(code, provider, `${provider}: ${REASONS[code]}${status}.`, options);
}

/** Why `signal` ended the work: a deadline is the provider's failure, everything else the caller's wish. */
export function abortFailure(provider: string, signal: AbortSignal): PosternError {
  const reason: unknown = signal.reason;
  if (isPosternError(reason)) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError") return providerFailure(provider, "provider_timeout");
  return new FetchError("aborted", "The search was cancelled.", { cause: reason });
}

/** What an error of the jailed fetch means for a provider; codes that are not here pass unchanged. */
const TRANSPORT: Readonly<Partial<Record<ErrorCode, ProviderCode>>> = {
  dns_failed: "provider_network",
  connect_failed: "provider_network",
  tls_failed: "provider_network",
  protocol_error: "provider_network",
  timeout: "provider_timeout",
  too_large: "provider_bad_response",
  decoding_failed: "provider_bad_response",
  redirect_limit: "provider_misconfigured",
  jail_refused: "provider_misconfigured",
};

/** What a thrown value of `fetch` means. Refusals of policy and budget stay what they are. */
export function transportFailure(provider: string, cause: unknown, signal: AbortSignal): PosternError {
  if (signal.aborted) return abortFailure(provider, signal);
  if (isPosternError(cause)) {
    const code = TRANSPORT[cause.code];
    if (code === undefined) return cause;
    const { rule, reason = rule ?? cause.code } = cause.details;
    // What stands in the way of one provider stands in the way of all: the network's own words tell what to do.
    return providerFailure(provider, code, {
      cause,
      retryable: cause.retryable,
      hint: cause.hint,
      details: { reason },
    });
  }
  const timedOut = cause instanceof Error && cause.name === "TimeoutError";
  return providerFailure(provider, timedOut ? "provider_timeout" : "provider_network", { cause });
}
