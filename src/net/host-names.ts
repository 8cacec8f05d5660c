import type { JailRule } from "./rules.js";

/**
 * Top-level names that never lead to the public web: special use (RFC 6761, 6762, 7686, 8375, 9476), `arpa` (RFC 3172),
 * and the ones private networks use (ICANN name collision reports).
 */
const LOCAL_TLDS: ReadonlySet<string> = new Set([
  "localhost",
  "local",
  "internal",
  "onion",
  "test",
  "invalid",
  "alt",
  "arpa",
  "lan",
  "home",
  "corp",
  "localdomain",
]);

/** Names of cloud metadata services; they and all below them are refused, with and without an exemption. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
  "instance-data",
  "instance-data.ec2.internal",
  "rancher-metadata",
  "rancher-metadata.rancher.internal",
]);

const MAX_NAME_CHARS = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/**
 * The rule that refuses a host name before any look-up, if one does.
 * @param name lower-case ASCII as the URL parser leaves it, without a trailing dot
 */
export function refusedName(name: string): JailRule | undefined {
  if (name.length > MAX_NAME_CHARS) return "host_name";
  if (isMetadataName(name)) return "metadata";
  const labels = name.split(".");
  const tld = labels.at(-1) ?? "";
  if (labels.length < 2 || LOCAL_TLDS.has(tld) || !labels.every((label) => LABEL.test(label))) return "host_name";
  return undefined;
}

/** True for a metadata service's own name and for names below it. */
export function isMetadataName(name: string): boolean {
  for (let suffix = name; ; suffix = suffix.slice(suffix.indexOf(".") + 1)) {
    if (METADATA_NAMES.has(suffix)) return true;
    if (!suffix.includes(".")) return false;
  }
}
