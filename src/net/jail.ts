import { ConfigError, isPosternError } from "../errors.js";
import {
  type Exemption,
  indexExemptions,
  isReachable,
  type NetworkExemption,
  networkExemptionFor,
} from "./exemptions.js";
import { type IpAddress, parseIpAddress, type RouteAddress } from "./ip-address.js";
import { type IpRange, parseAddressOrBlock } from "./ip-range.js";
import { classify } from "./ip-ranges.js";
import { checkedNat64Prefix } from "./nat64.js";
import { BAD_PORTS, DEFAULT_PORTS, isOpenablePort } from "./ports.js";
import { exactResolver, lookUp, type Resolver, systemResolver } from "./resolve.js";
import { type JailRule, refusal } from "./rules.js";
import { type CheckedUrl, checkUrl, type JailSettings } from "./url-check.js";

export interface JailOptions {
  /** Every address of a host. Default: the system's resolver (getaddrinfo). */
  readonly resolve?: Resolver | undefined;
  /** Origins that may lead to private addresses, and the networks of fake-IP proxies. Default: none. */
  readonly exemptions?: readonly Exemption[] | undefined;
  /** Addresses and blocks that are refused, public ones too, in every spelling: `192.0.2.1`, `2001:db8::/32`. */
  readonly deny?: readonly string[] | undefined;
  /** Ports beside 80, 443, 8080 and 8443. */
  readonly ports?: readonly number[] | undefined;
  /**
   * The network's own NAT64 prefixes (RFC 6052 2.2), such as `2001:db8:64::/96`: an address below one is judged by the
   * IPv4 address it carries, as below 64:ff9b::/96 in every network. Without it such an address is an ordinary one.
   */
  readonly nat64Prefixes?: readonly string[] | undefined;
}

export interface Judgement {
  readonly verdict: "allow" | "deny";
  /** The jail's rule that refused it, or `dns_failed`. */
  readonly rule?: JailRule | "dns_failed";
}

/** The only addresses a checked URL may be dialled on, in the resolver's order. */
export interface Route {
  readonly addresses: readonly RouteAddress[];
  /** Set when an address of a fake-IP proxy is among them: which host answers, that proxy alone knows. */
  readonly exemption?: NetworkExemption;
  /** An address among them that only the URL's exemption opens. */
  readonly isPrivate: boolean;
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

/** @throws ConfigError for an exemption, a port or a NAT64 prefix that cannot be. */
export function createJail(options: JailOptions = {}): Jail {
  const resolverFor = ({ exemption }: CheckedUrl): Resolver =>
    options.resolve ?? (exemption === undefined ? exactResolver : systemResolver);
  const addressRules = {
    nat64Prefixes: (options.nat64Prefixes ?? []).map(checkedNat64Prefix),
    denied: (options.deny ?? []).map(deniedBlock),
  };
  const settings: JailSettings = {
    ...addressRules,
    ...indexExemptions(options.exemptions ?? [], addressRules),
    ports: new Set([...DEFAULT_PORTS, ...(options.ports ?? []).map(openablePort)]),
  };

  const jail: Jail = {
    checkUrl: (url) => checkUrl(url, settings),
    resolve: async (url, signal) => {
      if (url.literal !== undefined) return { addresses: [url.literal], isPrivate: url.isPrivate };
      return routeTo(await lookUp(resolverFor(url), url.host, signal), url, settings);
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

function routeTo(answers: readonly string[], { exemption }: CheckedUrl, settings: JailSettings): Route {
  let delegatedBy: NetworkExemption | undefined;
  let isPrivate = false;
  const addresses = answers.map((text): RouteAddress => {
    const address = parseIpAddress(text);
    if (address === undefined) throw refusal("dns_answer");
    const verdict = classify(address, settings);
    if (verdict.verdict === "deny") {
      if (isReachable(verdict, exemption)) isPrivate = true;
      else {
        // Asked for every answer: one that is refused refuses them all.
        const network = exemptedNetwork(address, verdict, settings);
        delegatedBy ??= network;
      }
    }
    return { ...address, text };
  });
  return { addresses, isPrivate, ...(delegatedBy === undefined ? {} : { exemption: delegatedBy }) };
}

/** @throws BlockedError when no fake-IP proxy's network holds the address */
function exemptedNetwork(
  address: IpAddress,
  { isExemptible }: { readonly isExemptible: boolean },
  { networks }: JailSettings,
): NetworkExemption {
  const network = isExemptible ? networkExemptionFor(address, networks) : undefined;
  if (network === undefined) throw refusal("dns_answer");
  return network;
}

function deniedBlock(text: string): IpRange {
  const block = parseAddressOrBlock(text);
  if (block !== undefined) return block;
  throw new ConfigError("invalid_configuration", `"${String(text).slice(0, 64)}" is no address and no block.`, {
    hint: "Write it like 192.0.2.1 or 192.0.2.0/24, without a port.",
  });
}

function openablePort(port: number): number {
  if (isOpenablePort(port)) return port;
  const owned = BAD_PORTS.has(port) ? " belongs to another protocol" : " is not a port";
  throw new ConfigError("invalid_configuration", `The port ${String(port)}${owned} and cannot be opened.`);
}
