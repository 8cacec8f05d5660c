import { ConfigError, isPosternError } from "../errors.js";
import { type Exemption, indexExemptions, isReachable } from "./exemptions.js";
import { parseIpAddress, type RouteAddress } from "./ip-address.js";
import { classify } from "./ip-ranges.js";
import { BAD_PORTS, DEFAULT_PORTS, isOpenablePort } from "./ports.js";
import { lookUp, type Resolver, systemResolver } from "./resolve.js";
import { type JailRule, refusal } from "./rules.js";
import { type CheckedUrl, checkUrl, type UrlRules } from "./url-check.js";

export interface JailOptions {
  /** Every address of a host. Default: the system's resolver (getaddrinfo). */
  readonly resolve?: Resolver | undefined;
  /** Origins that may lead to private addresses. Default: none. */
  readonly exemptions?: readonly Exemption[] | undefined;
  /** Ports beside 80, 443, 8080 and 8443. */
  readonly ports?: readonly number[] | undefined;
}

export interface Judgement {
  readonly verdict: "allow" | "deny";
  /** The jail's rule that refused it, or `dns_failed`. */
  readonly rule?: JailRule | "dns_failed";
}

/** The only addresses a checked URL may be dialled on, in the resolver's order. */
export interface Route {
  readonly addresses: readonly RouteAddress[];
}

/** The rules for every byte that leaves. Judging and connecting run through the same two checks. */
export interface Jail {
  /** Would this URL be fetched? One look-up, as long as the resolver takes; no connection. Never rejects. */
  judge(url: string | URL): Promise<Judgement>;
  /**
   * Everything that can be said without a look-up.
   * @throws BlockedError `jail_refused`
   */
  checkUrl(url: string | URL): CheckedUrl;
  /**
   * Looks the host up once and checks every answer: one refused answer refuses them all (RFC 1918 beside a public
   * address is how a name is rebound).
   * @throws BlockedError `jail_refused`, FetchError `dns_failed`, or the signal's reason
   */
  resolve(url: CheckedUrl, signal?: AbortSignal): Promise<Route>;
}

/** @throws ConfigError for an exemption or a port that can never be opened. */
export function createJail(options: JailOptions = {}): Jail {
  const resolver = options.resolve ?? systemResolver;
  const rules: UrlRules = {
    ports: new Set([...DEFAULT_PORTS, ...(options.ports ?? []).map(openablePort)]),
    exemptions: indexExemptions(options.exemptions ?? []),
  };

  const jail: Jail = {
    checkUrl: (url) => checkUrl(url, rules),
    resolve: async (url, signal) => {
      if (url.literal !== undefined) return { addresses: [url.literal] };
      const answers = await lookUp(resolver, url.host, signal);
      return { addresses: answers.map((text) => checkedAddress(text, url.exemption)) };
    },
    judge: async (url) => {
      try {
        await jail.resolve(jail.checkUrl(url));
        return { verdict: "allow" };
      } catch (error) {
        if (isPosternError(error) && error.kind === "blocked") {
          return { verdict: "deny", rule: error.details.rule as JailRule };
        }
        return { verdict: "deny", rule: "dns_failed" };
      }
    },
  };
  return jail;
}

function checkedAddress(text: string, exemption: Exemption | undefined): RouteAddress {
  const address = parseIpAddress(text);
  if (address === undefined) throw refusal("dns_answer");
  if (!isReachable(classify(address), exemption)) throw refusal("dns_answer");
  return { ...address, text };
}

function openablePort(port: number): number {
  if (isOpenablePort(port)) return port;
  const owned = BAD_PORTS.has(port) ? " belongs to another protocol" : " is not a port";
  throw new ConfigError("invalid_configuration", `The port ${String(port)}${owned} and cannot be opened.`);
}
