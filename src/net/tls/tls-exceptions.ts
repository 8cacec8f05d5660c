import { ConfigError } from "../../errors.js";
import { assertPrintableName, exactOrigin } from "../exemptions.js";

/**
 * One https origin whose certificate is accepted although node refuses it (expired, self-signed, another host's), if it
 * is exactly the pinned one. A certificate that passes needs no exception and is not held to the pin. It opens nothing
 * else: addresses, ports and everything above TLS are judged as ever.
 */
export interface TlsException {
  /** An origin as a browser prints it, such as `https://nas.example.org:8443`. */
  readonly origin: string;
  /** What the user calls it, 1 to 64 printable characters; said in events. */
  readonly name: string;
  /** SHA-256 of the certificate in DER: 64 hexadecimal digits, with or without colons between the pairs. */
  readonly sha256: string;
}

const FINGERPRINT = /^(?:[0-9a-f]{64}|[0-9a-f]{2}(?::[0-9a-f]{2}){31})$/i;

/** @throws ConfigError for an origin that is no exact https origin, and for what is no fingerprint. */
export function indexTlsExceptions(exceptions: readonly TlsException[]): ReadonlyMap<string, TlsException> {
  return new Map(exceptions.map((exception) => [exception.origin, checkedException(exception)]));
}

/** One spelling for each fingerprint: lower-case digits alone. */
export function normalFingerprint(sha256: string): string {
  return sha256.replaceAll(":", "").toLowerCase();
}

function checkedException({ origin, name, sha256 }: TlsException): TlsException {
  assertPrintableName("TLS exception", name);
  exactOrigin(`The TLS exception "${name}"`, origin, ["https:"]);
  if (typeof sha256 !== "string" || !FINGERPRINT.test(sha256)) {
    throw new ConfigError("invalid_configuration", `The TLS exception "${name}" has no SHA-256 fingerprint.`, {
      hint: "Write 64 hexadecimal digits: `openssl x509 -in certificate.pem -noout -fingerprint -sha256` prints them.",
    });
  }
  return { origin, name, sha256: normalFingerprint(sha256) };
}
