import { FetchError, isPosternError } from "../../errors.js";

/** What went wrong between us and the proxy, or between the proxy and the server. */
export type ProxyFailureReason =
  | "not_resolved"
  | "unreachable"
  | "tls"
  | "auth_required"
  | "auth_unsupported"
  | "refused"
  | "server_unreachable"
  | "protocol";

interface ReasonRow {
  readonly says: string;
  readonly hint: string;
  readonly retryable?: true;
}

const CHECK = "Check `proxy.url`; `postern doctor` shows which proxy is used.";

/** One row a reason: it is the proxy that must be looked at, and never the site. */
export const PROXY_FAILURES: Readonly<Record<ProxyFailureReason, ReasonRow>> = {
  not_resolved: { says: "The proxy's name does not lead to an address that may be dialled.", hint: CHECK },
  unreachable: { says: "The proxy cannot be reached.", hint: CHECK, retryable: true },
  tls: {
    says: "The secure connection to the proxy could not be set up.",
    hint: "The proxy's certificate must be valid for its own name; add its authority with `jail.caFiles`.",
  },
  auth_required: {
    says: "The proxy wants a user name and password, or other ones.",
    hint: "Write them into the proxy's URL: http://user:password@proxy.example:3128.",
  },
  auth_unsupported: {
    says: "The proxy wants a kind of authentication other than Basic.",
    hint: "Run a local proxy that speaks it (NTLM, Kerberos), and name that one.",
  },
  refused: {
    says: "The proxy refuses this request.",
    hint: "Its rules forbid the server or the port. If it wants host names rather than addresses, set `proxy.dns` to `proxy`.",
  },
  server_unreachable: {
    says: "The proxy could not reach the server.",
    hint: "Try again later, or another page. If only the proxy can resolve names, set `proxy.dns` to `proxy`.",
    retryable: true,
  },
  protocol: { says: "The proxy's answer could not be understood.", hint: CHECK },
};

/**
 * `proxy_failed`, with the reason and what else is safe to tell in its details. An error of ours that it comes from stays
 * its cause; others are dropped, since a socket's holds addresses.
 */
export function proxyFailure(
  reason: ProxyFailureReason,
  cause?: unknown,
  details: { readonly status?: number } = {},
): FetchError {
  const { says, hint, retryable = false } = PROXY_FAILURES[reason];
  return new FetchError("proxy_failed", says, {
    hint,
    retryable,
    details: { ...details, reason },
    ...(isPosternError(cause) ? { cause } : {}),
  });
}
