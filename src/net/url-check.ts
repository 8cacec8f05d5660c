import { parseUrl } from "../parse-url.js";
import { type Exemptions, isReachable, type OriginExemption } from "./exemptions.js";
import { isMetadataName, refusedName } from "./host-names.js";
import { type IpAddress, parseIpAddress, type RouteAddress } from "./ip-address.js";
import { type AddressRules, classify } from "./ip-ranges.js";
import { MAX_URL_CHARS } from "./limits.js";
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
  /** The user's own, when this is its origin. */
  readonly exemption: OriginExemption | undefined;
  /** Without the exemption its name or address would have been refused. */
  readonly isPrivate: boolean;
}

/** What the user opened beyond the tables, and what their network is. */
export interface JailSettings extends Exemptions, AddressRules {
  readonly ports: ReadonlySet<number>;
}

// C0 and C1 controls and every kind of space: the URL parser would drop or encode some of them without a word.
const CONTROL_OR_SPACE = /[\u0000-\u001f\u007f-\u009f\s]/;

/**
 * Syntax, scheme, userinfo, port, name and literal, in this order. The string is parsed once, by the
 * WHATWG parser; nothing looks at its text again.
 * @throws BlockedError `jail_refused` with the rule that refused it.
 */
export function checkUrl(input: string | URL, settings: JailSettings): CheckedUrl {
  const text = typeof input === "string" ? input : String(input?.href);
  if (text.length > MAX_URL_CHARS) throw refusal("url_length");
  if (CONTROL_OR_SPACE.test(text)) throw refusal("url_syntax");
  const url = parseUrl(text);
  if (url === undefined) throw refusal("url_syntax");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refusal("scheme");
  if (url.username !== "" || url.password !== "") throw refusal("userinfo");

  const exemption = settings.origins.get(url.origin);
  const port = portOf(url);
  if (exemption === undefined && (!settings.ports.has(port) || BAD_PORTS.has(port))) throw refusal("port");

  const host = dialHostOf(url);
  const address = parseIpAddress(host);
  const isPrivate = address === undefined ? checkName(host, exemption) : checkLiteral(address, exemption, settings);

  if (url.href.includes("#")) url.hash = "";
  return {
    href: url.href,
    origin: url.origin,
    secure: url.protocol === "https:",
    host,
    literal: address === undefined ? undefined : { ...address, text: host },
    port,
    target: url.href.slice(url.origin.length),
    exemption,
    isPrivate,
  };
}

/** @returns whether it took the exemption to let it pass */
function checkLiteral(address: IpAddress, exemption: OriginExemption | undefined, rules: AddressRules): boolean {
  const verdict = classify(address, rules);
  const isRefused = verdict.verdict === "deny";
  if (isRefused && !isReachable(verdict, exemption)) throw refusal(verdict.rule);
  return isRefused;
}

/** @returns whether it took the exemption to let it pass */
function checkName(host: string, exemption: OriginExemption | undefined): boolean {
  const rule = refusedName(host);
  if (rule !== undefined && (exemption === undefined || isMetadataName(host))) throw refusal(rule);
  return rule !== undefined;
}
