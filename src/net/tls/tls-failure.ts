import { FetchError } from "../../errors.js";
import type { PeerCertificate } from "./peer-certificate.js";
import { TLS_REASONS, type TlsParty, type TlsReason } from "./tls-reasons.js";

/**
 * node's words for a refused certificate (from OpenSSL's X509_V_ERR_*, and its own for the host), and OpenSSL's for a
 * handshake that broke off.
 */
const REASONS: Readonly<Record<string, TlsReason>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not_yet_valid",
  CERT_REVOKED: "revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrong_host",
  HOSTNAME_MISMATCH: "wrong_host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "unknown_authority",
  UNABLE_TO_GET_ISSUER_CERT: "unknown_authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknown_authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown_authority",
  CERT_UNTRUSTED: "unknown_authority",
  CERT_REJECTED: "unknown_authority",
  CERT_CHAIN_TOO_LONG: "invalid_certificate",
  CERT_SIGNATURE_FAILURE: "invalid_certificate",
  ERROR_IN_CERT_NOT_AFTER_FIELD: "invalid_certificate",
  ERROR_IN_CERT_NOT_BEFORE_FIELD: "invalid_certificate",
  ERR_TLS_CERT_ALTNAME_FORMAT: "invalid_certificate",
  INVALID_CA: "invalid_certificate",
  INVALID_PURPOSE: "invalid_certificate",
  PATH_LENGTH_EXCEEDED: "invalid_certificate",
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: "invalid_certificate",
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: "invalid_certificate",
  // node's word for all that OpenSSL can say beside: a key too short, a name its authority may not vouch for.
  UNSPECIFIED: "invalid_certificate",

  ECONNABORTED: "handshake_cut",
  ECONNRESET: "handshake_cut",
  EPIPE: "handshake_cut",
  ERR_SSL_UNEXPECTED_EOF_WHILE_READING: "handshake_cut",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "old_protocol",
  ERR_SSL_WRONG_SSL_VERSION: "old_protocol",
  ERR_SSL_VERSION_TOO_LOW: "old_protocol",
  ERR_SSL_HTTP_REQUEST: "not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not_tls",
  ERR_SSL_UNKNOWN_PROTOCOL: "not_tls",
  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  ERR_SSL_DH_KEY_TOO_SMALL: "weak_keys",
  ERR_TLS_DH_PARAM_SIZE: "weak_keys",
};

/** What a server says in an alert (RFC 8446 6.2), as far as it says anything. */
const ALERTS: Readonly<Record<string, TlsReason>> = {
  BAD_CERTIFICATE: "client_certificate",
  CERTIFICATE_REQUIRED: "client_certificate",
  NO_APPLICATION_PROTOCOL: "no_common_protocol",
  PROTOCOL_VERSION: "old_protocol",
  UNRECOGNIZED_NAME: "unknown_name",
};

/** `ERR_SSL_TLSV13_ALERT_…`; OpenSSL 3.2 and later write `SSL/TLS_ALERT_…`, and some alerts come without the word. */
const ALERT = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_(?:ALERT_)?(\w+)$/;

/** Those that only say "not known": the certificate tells more. */
const UNKNOWN_ISSUER: ReadonlySet<TlsReason> = new Set(["self_signed", "unknown_authority"]);

/** Why TLS ended with an error of this code, or `undefined` for one that is not of TLS alone. */
export function tlsReasonOf(code: string): TlsReason | undefined {
  if (Object.hasOwn(REASONS, code)) return REASONS[code];
  const alert = ALERT.exec(code)?.[1] ?? "";
  if (Object.hasOwn(ALERTS, alert)) return ALERTS[alert];
  return code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") ? "handshake" : undefined;
}

/** What a handshake failed with, in our words: node's messages hold the peer's. */
export function tlsFailure(error: Error, party: TlsParty, certificate: PeerCertificate | undefined): FetchError {
  const { code = "" } = error as NodeJS.ErrnoException;
  return tlsRefusal(tlsReasonOf(code) ?? "handshake", party, certificate, code);
}

/** @param tlsCode node's or OpenSSL's own, where one stands behind it */
export function tlsRefusal(reason: TlsReason, party: TlsParty, peer?: PeerCertificate, tlsCode = ""): FetchError {
  const exact = exactReason(reason, peer);
  const { says, hint, retryable = false } = TLS_REASONS[exact];
  const message = says.replace("{party}", party).replace("{product}", peer?.interceptor ?? "an interceptor");
  return new FetchError("tls_failed", message, {
    hint,
    retryable,
    details: {
      reason: exact,
      ...(tlsCode === "" ? {} : { tlsCode }),
      ...(peer === undefined ? {} : { sha256: peer.sha256 }),
      ...(exact === "intercepted" && peer?.interceptor !== undefined ? { interceptor: peer.interceptor } : {}),
    },
  });
}

function exactReason(reason: TlsReason, peer: PeerCertificate | undefined): TlsReason {
  if (!UNKNOWN_ISSUER.has(reason)) return reason;
  if (peer?.interceptor !== undefined) return "intercepted";
  return reason === "unknown_authority" && peer?.lacksIntermediate === true ? "missing_intermediate" : reason;
}
