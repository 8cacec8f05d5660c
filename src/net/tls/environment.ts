/** The variables that name further authorities: Node's own, and those of OpenSSL, which Go, curl and others read too. */
export const TRUST_VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"] as const;

export type TrustVariable = (typeof TRUST_VARIABLES)[number];
