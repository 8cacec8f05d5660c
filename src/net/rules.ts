import { BlockedError } from "../errors.js";
import { MAX_URL_CHARS } from "./limits.js";
import { DEFAULT_PORTS } from "./ports.js";

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
  | "address_denied"
  | "dns_answer"
  | "remote_address"
  | "redirect_downgrade"
  | "redirect_exemption"
  | "redirect_method"
  | "redirect_origin";

export interface JailRuleText {
  /** What is forbidden, and never what stood behind it: an open and a closed private port read the same. */
  readonly says: string;
  /** What to do next, and how the user may allow it, where that may be allowed at all. */
  readonly hint: string;
}

const EXEMPT =
  "If it is the user's own dev server or intranet host, they may exempt its exact origin: `jail.exemptions` in their configuration, or `--allow-origin` at the command.";
const FAKE_IP =
  "Behind a fake-IP proxy (Clash, Surge, sing-box), where every name has such an address, they may exempt that proxy's network instead, with the same setting: 198.18.0.0/15 or fc00::/18.";
const OPEN_PORTS = `${DEFAULT_PORTS.slice(0, -1).join(", ")} and ${DEFAULT_PORTS.at(-1)}`;
const NEVER = "It cannot be allowed.";
const ANOTHER = "Try the final address, or another page.";

/** Every rule, in the words a refusal is reported with. */
export const JAIL_RULES: Readonly<Record<JailRule, JailRuleText>> = {
  url_syntax: {
    says: "the URL must be absolute, well formed and free of spaces and control characters",
    hint: "Write it as http(s)://host/path, with spaces as %20.",
  },
  url_length: { says: `the URL is longer than ${MAX_URL_CHARS} characters`, hint: "Use a shorter one." },
  scheme: { says: "only http: and https: URLs are fetched", hint: "Use an http: or https: URL." },
  userinfo: { says: "a URL must not carry a user name or password", hint: "Leave them out." },
  port: {
    says: "this port is not open to fetching",
    hint: `${OPEN_PORTS} are. The user may open more with \`jail.ports\`, or exempt one exact origin: \`jail.exemptions\`, or \`--allow-origin\` at the command.`,
  },
  host_name: { says: "the host's name is local, reserved or malformed", hint: EXEMPT },
  metadata: { says: "cloud metadata services are never reachable", hint: NEVER },
  ipv4_special: { says: "the address is not a public one", hint: EXEMPT },
  ipv6_special: { says: "the address is not a public one", hint: EXEMPT },
  ipv6_embedded: { says: "the address is not a public one", hint: EXEMPT },
  address_denied: { says: "the user denies this address", hint: "They name it in `jail.deny`." },
  dns_answer: { says: "the host does not resolve to public addresses alone", hint: `${EXEMPT} ${FAKE_IP}` },
  remote_address: { says: "the connection reached an address that was not checked", hint: NEVER },
  redirect_downgrade: { says: "a redirect leads from https: to http:", hint: ANOTHER },
  redirect_exemption: { says: "a redirect from elsewhere leads into an exempted origin", hint: NEVER },
  redirect_method: {
    says: "a redirect would repeat a request that may have changed something",
    hint: "Send it to the final address itself.",
  },
  redirect_origin: { says: "the request may not leave the origins it was made for", hint: NEVER },
};

/** The refusal for `rule`, in the table's words. */
export function refusal(rule: JailRule): BlockedError {
  const { says, hint } = JAIL_RULES[rule];
  return new BlockedError("jail_refused", rule, `The jail refused the request: ${says}.`, { hint });
}
