import { ConfigError } from "../errors.js";
import { parseUrl } from "../parse-url.js";
import { isMetadataName } from "./host-names.js";
import { type IpAddress, parseIpAddress } from "./ip-address.js";
import { type IpRange, isInRange } from "./ip-range.js";
import { type AddressRules, type AddressVerdict, classify, FAKE_IP_RANGES } from "./ip-ranges.js";
import { isOpenablePort } from "./ports.js";
import { dialHostOf, portOf } from "./url-parts.js";

/**
 * One origin the user trusts although the jail would refuse it: a dev server, a self-hosted search engine, an intranet
 * host. It opens private addresses and its own port for exactly that origin, and never link-local or metadata services.
 */
export interface OriginExemption {
  /** An origin as a browser prints it, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** What the user calls it, 1 to 64 printable characters; said in events and hops. */
  readonly name: string;
}

/**
 * A block from which a local proxy (Clash, Surge, sing-box) answers every look-up with an address of its own making, and
 * later resolves the name itself. It opens the block to answers alone, never to an address in a URL; names, ports and
 * all other answers stay under the jail's rules. Where the proxy connects to is then the proxy's to decide.
 */
export interface NetworkExemption {
  /** `198.18.0.0/15` or `fc00::/18`, written exactly so: in these no real host lives. */
  readonly network: string;
  readonly name: string;
}

export type Exemption = OriginExemption | NetworkExemption;

/** What the user opened, checked and ready to be asked. */
export interface Exemptions {
  readonly origins: ReadonlyMap<string, OriginExemption>;
  readonly networks: readonly ExemptedNetwork[];
}

export interface ExemptedNetwork {
  readonly range: IpRange;
  readonly exemption: NetworkExemption;
}

const PRINTABLE_NAME = /^[^\p{C}]{1,64}$/u;

/** @throws ConfigError for what is no exact origin or network, or that no exemption may reach. */
export function indexExemptions(exemptions: readonly Exemption[], rules?: AddressRules): Exemptions {
  const origins = new Map<string, OriginExemption>();
  const networks: ExemptedNetwork[] = [];
  for (const exemption of exemptions) {
    assertPrintableName("exemption", exemption.name);
    if ("network" in exemption) networks.push(checkedNetwork(exemption));
    else origins.set(exemption.origin, checkedOrigin(exemption, rules));
  }
  return { origins, networks };
}

/** Public addresses are open to everyone, and to an exempted origin the private ones that a user can own. */
export function isReachable(verdict: AddressVerdict, exemption: OriginExemption | undefined): boolean {
  return verdict.verdict === "allow" || (exemption !== undefined && verdict.isExemptible);
}

/** The exemption through which an answer that is not public may be dialled. */
export function networkExemptionFor(
  address: IpAddress,
  networks: readonly ExemptedNetwork[],
): NetworkExemption | undefined {
  return networks.find(({ range }) => isInRange(address, range))?.exemption;
}

function checkedNetwork({ network, name }: NetworkExemption): ExemptedNetwork {
  const range = FAKE_IP_RANGES.find(({ cidr }) => cidr === network);
  if (range === undefined) {
    const networks = FAKE_IP_RANGES.map(({ cidr }) => cidr).join(" or ");
    throw invalid(`The exemption "${name}" names a network that may hold real hosts.`, `Write it as ${networks}.`);
  }
  return { range, exemption: { network, name } };
}

function checkedOrigin({ origin, name }: OriginExemption, rules: AddressRules | undefined): OriginExemption {
  const url = exactOrigin(`The exemption "${name}"`, origin, ["http:", "https:"]);
  const port = portOf(url);
  if (!isOpenablePort(port)) throw invalid(`The exemption "${name}" names port ${port}, which is never opened.`);
  const exemption = { origin, name };
  const host = dialHostOf(url);
  const address = parseIpAddress(host);
  const isForbidden =
    isMetadataName(host) || (address !== undefined && !isReachable(classify(address, rules), exemption));
  if (isForbidden) throw invalid(`The exemption "${name}" names an address that no exemption may reach.`);
  return exemption;
}

/** @throws ConfigError for a name that could not be printed in an event */
export function assertPrintableName(kind: string, name: string): void {
  if (typeof name === "string" && PRINTABLE_NAME.test(name)) return;
  throw invalid(`The name of each ${kind} must be 1 to 64 printable characters.`);
}

/**
 * An origin that the user names, which must stand for itself alone: no path, no wildcard, no other spelling.
 * @throws ConfigError that begins with `subject`
 */
export function exactOrigin(subject: string, origin: string, schemes: readonly string[]): URL {
  const url = parseUrl(origin);
  if (url === undefined || !schemes.includes(url.protocol)) {
    throw invalid(
      `${subject} has no origin with ${schemes.join(" or ")}.`,
      `Write it like ${schemes[0] ?? ""}//127.0.0.1:3000.`,
    );
  }
  if (url.origin !== origin) throw invalid(`${subject} is not an exact origin.`, `Write it as ${url.origin}.`);
  return url;
}

function invalid(message: string, hint?: string): ConfigError {
  return new ConfigError("invalid_configuration", message, hint === undefined ? {} : { hint });
}
