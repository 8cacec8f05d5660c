import { FetchError, isPosternError } from "../../errors.js";

/** What went wrong between us and the proxy, or between the proxy and the server. */
export type ProxyFailureReason =
  | "not_resolved"
  | "unreachable"
  | "tls"
  | "auth_required"
  | "auth_refused"
  | "auth_unsupported"
  | "refused"
  | "portal"
  | "busy"
  | "server_unreachable"
  | "protocol";

interface ReasonRow {
  readonly says: string;
  readonly hint: string;
  readonly retryable?: true;
}

const CHECK = "Check the proxy's address; `postern doctor` shows which proxy is used.";

/** One row a reason: it is the proxy that must be looked at, and never the site. */
export const PROXY_FAILURES: Readonly<Record<ProxyFailureReason, ReasonRow>> = {
  not_resolved: {
    says: "The proxy's name does not exist, or leads to an address that nothing may reach.",
    hint: CHECK,
  },
  unreachable: { says: "The proxy does not answer.", hint: CHECK, retryable: true },
  tls: {
    says: "The secure connection to the proxy could not be set up.",
    hint: "Most proxies are written http:// even for https: pages. One that is really https:// needs a certificate for its own name; add its authority with `jail.caFiles`.",
  },
  auth_required: {
    says: "The proxy wants a user name and password.",
    hint: "Write them into the proxy's URL, special characters as %XX: http://user:p%40ss@proxy.example:3128.",
  },
  auth_refused: {
    says: "The proxy refuses this user name and password.",
    hint: "Correct them in the proxy's URL; special characters are written as %XX.",
  },
  auth_unsupported: {
    says: "The proxy wants a kind of authentication other than Basic.",
    hint: "Run a local proxy that speaks it (NTLM, Kerberos), and name that one.",
  },
  refused: { says: "The proxy refuses this request.", hint: "Its rules forbid the server or the port." },
  portal: { says: "The proxy wants you to log in first, in a browser.", hint: "Log in there, then try again." },
  busy: { says: "The proxy takes no more requests for now.", hint: "Try again later.", retryable: true },
  server_unreachable: {
    says: "The proxy could not reach the server.",
    hint: "Check the host's spelling, and try again later or another page.",
    retryable: true,
  },
  protocol: {
    says: "The proxy's answer could not be understood.",
    hint: "Check its port, and whether it is an http://, https:// or socks5:// proxy.",
  },
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
  const tlsReason =
    isPosternError(cause) && cause.code === "tls_failed" ? { tlsReason: String(cause.details.reason) } : {};
  return new FetchError("proxy_failed", says, {
    hint,
    retryable,
    details: { ...details, ...tlsReason, reason },
    ...(isPosternError(cause) ? { cause } : {}),
  });
}
