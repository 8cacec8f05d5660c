import * as tls from "node:tls";
import { type CertificatesRead, readCertificateFile, readCertificateFolder } from "./certificate-files.js";

/** Where systems other than Windows and macOS keep the authorities they trust; Go's crypto/x509 looks there too. */
const SYSTEM_FILES: readonly string[] = [
  "/etc/ssl/certs/ca-certificates.crt", // Debian, Ubuntu, Arch, Gentoo, NixOS
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // Fedora, RHEL 7 and later
  "/etc/pki/tls/certs/ca-bundle.crt", // RHEL 6
  "/etc/ssl/ca-bundle.pem", // openSUSE
  "/etc/pki/tls/cacert.pem", // OpenELEC
  "/etc/ssl/cert.pem", // Alpine, OpenBSD
  "/usr/local/etc/ssl/cert.pem", // FreeBSD
  "/etc/openssl/certs/ca-certificates.crt", // NetBSD
  "/etc/certs/ca-certificates.crt", // Solaris
];

const SYSTEM_FOLDERS: readonly string[] = [
  "/etc/ssl/certs", // SLES
  "/system/etc/security/cacerts", // Android
];

export interface SystemStore extends CertificatesRead {
  readonly path?: string;
}

/**
 * The authorities that this machine's administrator trusts. On Windows and macOS node reads them, from 22.15 on.
 * Elsewhere they are a file: the same for every version of node, and read in a millisecond where node's own way takes
 * tens.
 */
export function readSystemStore(
  platform: NodeJS.Platform = process.platform,
  files: readonly string[] = SYSTEM_FILES,
): SystemStore {
  if (platform === "win32" || platform === "darwin") return readByNode();
  for (const path of files) {
    const read = readCertificateFile(path);
    if (read.certificates.length > 0) return { ...read, path };
  }
  for (const path of SYSTEM_FOLDERS) {
    const read = readCertificateFolder(path);
    if (read.certificates.length > 0) return { ...read, path };
  }
  return { certificates: [], problem: "was not found" };
}

function readByNode(): CertificatesRead {
  const { getCACertificates } = tls as { getCACertificates?: (type: "system") => readonly string[] };
  if (getCACertificates !== undefined) return { certificates: getCACertificates("system") };
  return { certificates: [], problem: "cannot be read by this version of Node.js; 22.15 and later can" };
}
