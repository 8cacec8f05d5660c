import { type Exemption, isReachable } from "./exemptions.js";
import { isMetadataName, refusedName } from "./host-names.js";
import { type IpAddress, parseIpAddress, type RouteAddress } from "./ip-address.js";
import { classify } from "./ip-ranges.js";
import { BAD_PORTS } from "./ports.js";
import { refusal } from "./rules.js";
import { dialHostOf, portOf } from "./url-parts.js";

/** A URL that passed every check that needs no look-up; what is dialled is made from these parts alone. */
export interface CheckedUrl {
  /** As the URL parser serialises it, without a fragment. */
  readonly href: string;
  readonly origin: string;
  readonly secure: boolean;
  /** Without brackets and trailing dot. */
  readonly host: string;
  /** The host's address, when it is written as one: the only place it may lead to. */
  readonly literal: RouteAddress | undefined;
  readonly port: number;
  /** Path and query: the request target. */
  readonly target: string;
  readonly exemption: Exemption | undefined;
}

/** What the user opened beyond the defaults. */
export interface UrlRules {
  readonly ports: ReadonlySet<number>;
  readonly exemptions: ReadonlyMap<string, Exemption>;
}

export const MAX_URL_CHARS = 4096;

// C0 and C1 controls and every kind of space: the URL parser would drop or encode some of them without a word.
const CONTROL_OR_SPACE = /[\u0000-\u001f\u007f-\u009f\s]/;

/**
 * Rules 1 to 6: syntax, scheme, userinfo, port, name and literal, in this order. The string is parsed once, by the
 * WHATWG parser; nothing looks at its text again.
 * @throws BlockedError `jail_refused` with the rule that refused it.
 */
export function checkUrl(input: string | URL, rules: UrlRules): CheckedUrl {
  const text = typeof input === "string" ? input : String(input?.href);
  if (text.length > MAX_URL_CHARS) throw refusal("url_length");
  if (CONTROL_OR_SPACE.test(text)) throw refusal("url_syntax");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refusal("url_syntax");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refusal("scheme");
  if (url.username !== "" || url.password !== "") throw refusal("userinfo");

  const exemption = rules.exemptions.get(url.origin);
  const port = portOf(url);
  if (exemption === undefined && (!rules.ports.has(port) || BAD_PORTS.has(port))) throw refusal("port");

  const host = dialHostOf(url);
  const address = parseIpAddress(host);
  if (address === undefined) checkName(host, exemption);
  else checkLiteral(address, exemption);

  if (url.href.includes("#")) url.hash = "";
  return {
    href: url.href,
    origin: url.origin,
    secure: url.protocol === "https:",
    host,
    literal: address === undefined ? undefined : { ...address, text: host },
    port,
    target: url.pathname + url.search,
    exemption,
  };
}

function checkLiteral(address: IpAddress, exemption: Exemption | undefined): void {
  const verdict = classify(address);
  if (!isReachable(verdict, exemption)) throw refusal(verdict.rule);
}

function checkName(host: string, exemption: Exemption | undefined): void {
  const rule = refusedName(host);
  if (rule === undefined || (exemption !== undefined && !isMetadataName(host))) return;
  throw refusal(rule);
}
