/** Why a secure connection was refused or could not be made: `details.reason` of `tls_failed`. */
export type TlsReason =
  | "expired"
  | "not_yet_valid"
  | "revoked"
  | "wrong_host"
  | "self_signed"
  | "missing_intermediate"
  | "unknown_authority"
  | "intercepted"
  | "invalid_certificate"
  | "pin_mismatch"
  | "client_certificate"
  | "unknown_name"
  | "no_common_protocol"
  | "old_protocol"
  | "weak_keys"
  | "not_tls"
  | "handshake_cut"
  | "handshake";

/** Whose certificate is spoken of. */
export type TlsParty = "server" | "proxy";

export interface TlsReasonText {
  /** `{party}` is the server or the proxy, `{product}` the interceptor by our name for it. */
  readonly says: string;
  /** The remedy. */
  readonly hint: string;
  readonly retryable?: true;
}

const TRUST =
  "`jail.caFiles` in their configuration, or `SSL_CERT_FILE` or `NODE_EXTRA_CA_CERTS` in the environment. `postern doctor` shows what is trusted.";
const PIN =
  "If it is the user's own server, they may accept exactly this certificate: `jail.tlsExceptions` in their configuration.";
const OWNER = "Its owner must fix it; try another page.";

/** Every reason with its words and its remedy. `docs/errors.md` is made from it. */
export const TLS_REASONS: Readonly<Record<TlsReason, TlsReasonText>> = {
  expired: {
    says: "The {party}'s certificate, or one in its chain, has expired.",
    hint: `${OWNER} If many sites fail so, this machine's clock is wrong. ${PIN}`,
  },
  not_yet_valid: {
    says: "The {party}'s certificate is not valid yet.",
    hint: `This machine's clock is probably behind: correct it. ${PIN}`,
  },
  revoked: { says: "The {party}'s certificate was revoked.", hint: OWNER },
  wrong_host: {
    says: "The {party}'s certificate belongs to another host.",
    hint: `Check the host's spelling, with and without \`www.\`. ${PIN}`,
  },
  self_signed: {
    says: "The {party}'s certificate is signed by itself.",
    hint: `Nobody vouches for it. ${PIN}`,
  },
  missing_intermediate: {
    says: "The {party} sends its own certificate alone, and the one it was issued by is not known here.",
    hint: `Of a public site, its owner must add the intermediate certificate; browsers fetch it by themselves, and so hide the mistake. Of a company's own, the user may add the root certificate: ${TRUST}`,
  },
  unknown_authority: {
    says: "The {party}'s certificate comes from an authority that is not trusted here.",
    hint: `If it is an authority of the user's company or their own, they may add its root certificate: ${TRUST}`,
  },
  intercepted: {
    says: "Something on the way that calls itself {product} opens the secure connection, and its certificate is not trusted here.",
    hint: `If this network or machine is meant to have it, the user may add its root certificate, which whoever runs it can give: ${TRUST}`,
  },
  invalid_certificate: {
    says: "The {party}'s certificate, or one in its chain, breaks the rules for certificates.",
    hint: OWNER,
  },
  pin_mismatch: {
    says: "The {party}'s certificate is not valid, and not the one that the user's exception names.",
    hint: "It was renewed, or someone is in between. If it was renewed, the user may put the new fingerprint into `jail.tlsExceptions`.",
  },
  client_certificate: {
    says: "The {party} wants a certificate from whoever connects.",
    hint: "There is none to give; try another page.",
  },
  unknown_name: {
    says: "The {party} does not answer for this host name.",
    hint: "Check the host's spelling, or try another page.",
  },
  no_common_protocol: { says: "The {party} does not speak HTTP/1.1.", hint: "Try another page." },
  old_protocol: { says: "The {party} speaks no version of TLS from 1.2 on.", hint: OWNER },
  weak_keys: { says: "The {party} wants keys that are too weak.", hint: OWNER },
  not_tls: {
    says: "The {party} does not speak TLS on this port.",
    hint: "Check the port; `http:` is what it may want.",
  },
  handshake_cut: {
    says: "The {party} ended the connection in the middle of the TLS handshake.",
    hint: "Try again later. If it stays so, a firewall on the way probably refuses this host.",
    retryable: true,
  },
  handshake: { says: "The secure connection failed.", hint: "Try another page." },
};
