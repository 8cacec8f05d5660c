import { BlockedError } from "../errors.js";

/** The id of a rule of the jail, as refusals, events and judgements name it. */
export type JailRule =
  | "url_syntax"
  | "url_length"
  | "scheme"
  | "userinfo"
  | "port"
  | "host_name"
  | "metadata"
  | "ipv4_special"
  | "ipv6_special"
  | "ipv6_embedded"
  | "dns_answer"
  | "remote_address"
  | "redirect_downgrade"
  | "redirect_exemption"
  | "redirect_origin";

/**
 * Every rule in the words a refusal is reported with. They say what is forbidden and never what stood behind it: an
 * open and a closed private port read the same.
 */
export const JAIL_RULES: Readonly<Record<JailRule, string>> = {
  url_syntax: "the URL must be absolute, well formed and free of spaces and control characters",
  url_length: "the URL is longer than 4096 characters",
  scheme: "only http: and https: URLs are fetched",
  userinfo: "a URL must not carry a user name or password",
  port: "this port is not open to fetching",
  host_name: "the host's name is local, reserved or malformed",
  metadata: "cloud metadata services are never reachable",
  ipv4_special: "the address is not a public one",
  ipv6_special: "the address is not a public one",
  ipv6_embedded: "the address is not a public one",
  dns_answer: "the host does not resolve to public addresses alone",
  remote_address: "the connection reached an address that was not checked",
  redirect_downgrade: "a redirect leads from https: to http:",
  redirect_exemption: "a redirect from elsewhere leads into an exempted origin",
  redirect_origin: "the request may not leave the origins it was made for",
};

/** The refusal for `rule`, in the table's words. */
export function refusal(rule: JailRule): BlockedError {
  return new BlockedError("jail_refused", rule, `The jail refused the request: ${JAIL_RULES[rule]}.`);
}
