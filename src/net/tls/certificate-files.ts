import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../errors.js";

/** What a file or a folder held: PEM certificates, not yet parsed, and what was wrong. */
export interface CertificatesRead {
  readonly certificates: readonly string[];
  readonly problem?: string;
}

/** A bundle of every public authority has a quarter of a megabyte. */
const MAX_FILE_BYTES = 8_000_000;
const MAX_FOLDER_FILES = 2_000;
/** RFC 7468 5.1; what stands between certificates is comment. */
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g;

/** Reads a PEM file with one certificate or many. Never throws: what is wrong is said. */
export function readCertificateFile(path: string): CertificatesRead {
  try {
    const stats = statSync(path);
    // A pipe or a device would be waited for, or have no end.
    if (!stats.isFile()) return { certificates: [], problem: "is not a file" };
    if (stats.size > MAX_FILE_BYTES) return { certificates: [], problem: `is larger than ${MAX_FILE_BYTES} bytes` };
    const certificates = readFileSync(path, "latin1").match(PEM_CERTIFICATE) ?? [];
    return certificates.length > 0 ? { certificates } : { certificates, problem: "holds no PEM certificate" };
  } catch (error) {
    return { certificates: [], problem: unreadable(error) };
  }
}

/** Reads every file of a folder as OpenSSL's `CApath` is laid out; those that hold no certificate do not matter. */
export function readCertificateFolder(path: string): CertificatesRead {
  try {
    const names = readdirSync(path).sort().slice(0, MAX_FOLDER_FILES);
    const certificates = names.flatMap((name) => readCertificateFile(join(path, name)).certificates);
    return certificates.length > 0 ? { certificates } : { certificates, problem: "holds no PEM certificate" };
  } catch (error) {
    return { certificates: [], problem: unreadable(error) };
  }
}

/**
 * The certificates of a PEM text that a caller gave, each by itself.
 * @throws ConfigError for a text that holds none
 */
export function pemCertificates(text: string): readonly string[] {
  const certificates = typeof text === "string" ? text.match(PEM_CERTIFICATE) : null;
  if (certificates !== null) return certificates;
  throw new ConfigError("invalid_configuration", "`ca` holds something that is no PEM certificate.", {
    hint: "Give the text of PEM files, not their names.",
  });
}

/** One text for each certificate, however its lines are broken: to tell whether two are the same. */
export function certificateKey(pem: string): string {
  return pem.replace(/\s+/g, "");
}

/** Can it be parsed as a certificate? Costs as much as trusting it does. */
export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** What to do about a wrong `jail.caFiles`. */
export const CA_FILE_REMEDY =
  "Name a PEM file. `openssl x509 -inform der -in authority.cer -out authority.pem` makes one of a DER file.";

/**
 * The certificates of a file that `jail.caFiles` names, each parsed.
 * @throws ConfigError that names the setting and the file
 */
export function readCaFile(path: string): readonly string[] {
  const { certificates, problem } = readCertificateFile(path);
  const wrong = problem ?? (certificates.every(isCertificate) ? undefined : "holds a certificate that is damaged");
  if (wrong === undefined) return certificates;
  throw new ConfigError("invalid_configuration", `\`jail.caFiles\`: ${path} ${wrong}.`, {
    hint: CA_FILE_REMEDY,
  });
}

function unreadable(error: unknown): string {
  return `cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown reason"}`;
}
