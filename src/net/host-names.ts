import { MAX_NAME_CHARS } from "./limits.js";
import type { JailRule } from "./rules.js";

/** Top-level names that never lead to the public web, each with the document that says so. */
export const LOCAL_TLDS: ReadonlyMap<string, string> = new Map([
  ["localhost", "RFC 6761 6.3"],
  ["test", "RFC 6761 6.2"],
  ["invalid", "RFC 6761 6.4"],
  ["local", "RFC 6762 3: mDNS; clusters' names end in it as well"],
  ["onion", "RFC 7686"],
  ["arpa", "RFC 3172; home.arpa is RFC 8375"],
  ["alt", "RFC 9476"],
  ["internal", "ICANN board resolution 2024.07.29.06; clouds and container engines name hosts so"],
  ["intranet", "RFC 6762 appendix G"],
  ["private", "RFC 6762 appendix G"],
  ["corp", "RFC 6762 appendix G, ICANN name collision (never delegated)"],
  ["home", "RFC 6762 appendix G, ICANN name collision (never delegated)"],
  ["lan", "RFC 6762 appendix G"],
  ["mail", "ICANN name collision (never delegated)"],
  ["localdomain", "ICANN SAC 045: what hosts files and routers append"],
  ["svc", "Kubernetes DNS specification: kubernetes.default.svc"],
]);

/** Names of cloud metadata services, each with its cloud; they and all below them are refused, whatever is exempted. */
export const METADATA_NAMES: ReadonlyMap<string, string> = new Map([
  ["metadata", "Google Cloud, on its own machines"],
  ["metadata.google.internal", "Google Cloud"],
  ["metadata.goog", "Google Cloud"],
  ["metadata.azure.internal", "Azure"],
  ["metadata.tencentyun.com", "Tencent Cloud"],
  ["metadata.platformequinix.com", "Equinix Metal"],
  ["metadata.packet.net", "Equinix Metal, formerly"],
  ["api.metadata.cloud.ibm.com", "IBM Cloud"],
  ["instance-data", "AWS, on its own machines"],
  ["instance-data.ec2.internal", "AWS"],
  ["rancher-metadata", "Rancher"],
  ["rancher-metadata.rancher.internal", "Rancher"],
]);

const LABEL = /^[a-z0-9_-]{1,63}$/;
/** RFC 3696 2, RFC 5890 2.3.2.1: letters, or an A-label. So a name can never be read as a number. */
const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * The rule that refuses a host name before any look-up, if one does. Names that embed an address (`10.0.0.1.nip.io`)
 * are left to their answers.
 * @param name lower-case ASCII as the URL parser leaves it, without a trailing dot
 */
export function refusedName(name: string): JailRule | undefined {
  if (name.length > MAX_NAME_CHARS) return "host_name";
  if (isMetadataName(name)) return "metadata";
  const labels = name.split(".");
  const tld = labels.at(-1) ?? "";
  const isLocal = labels.length < 2 || LOCAL_TLDS.has(tld);
  const isMalformed = !TLD.test(tld) || !labels.every((label) => LABEL.test(label));
  return isLocal || isMalformed ? "host_name" : undefined;
}

/** True for a metadata service's own name and for names below it. */
export function isMetadataName(name: string): boolean {
  for (let suffix = name; ; suffix = suffix.slice(suffix.indexOf(".") + 1)) {
    if (METADATA_NAMES.has(suffix)) return true;
    if (!suffix.includes(".")) return false;
  }
}
