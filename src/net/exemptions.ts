import { ConfigError } from "../errors.js";
import { isMetadataName } from "./host-names.js";
import { parseIpAddress } from "./ip-address.js";
import { type AddressVerdict, classify } from "./ip-ranges.js";
import { isOpenablePort } from "./ports.js";
import { dialHostOf, portOf } from "./url-parts.js";

/**
 * One origin the user trusts although the jail would refuse it: a dev server, a self-hosted search engine, a host behind
 * a fake-IP proxy. It opens private addresses and its own port for exactly that origin, and never link-local or
 * metadata services.
 */
export interface Exemption {
  /** An origin as a browser prints it, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** What the user calls it, 1 to 64 printable characters; said in events and hops. */
  readonly name: string;
}

const EXEMPTION_NAME = /^[^\p{C}]{1,64}$/u;

/** @throws ConfigError for an origin that is not exact, or that no exemption may reach. */
export function indexExemptions(exemptions: readonly Exemption[]): ReadonlyMap<string, Exemption> {
  return new Map(exemptions.map((exemption) => [exemption.origin, checkedExemption(exemption)]));
}

/** Public addresses are open to everyone, and to an exempted origin the private ones that a user can own. */
export function isReachable(
  verdict: AddressVerdict,
  exemption: Exemption | undefined,
): verdict is Extract<AddressVerdict, { verdict: "allow" }> {
  return verdict.verdict === "allow" || (exemption !== undefined && verdict.exemptible);
}

function checkedExemption({ origin, name }: Exemption): Exemption {
  if (typeof name !== "string" || !EXEMPTION_NAME.test(name)) {
    throw invalid("An exemption's name must be 1 to 64 printable characters.");
  }
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw invalid(`The exemption "${name}" has no http(s) origin.`, "Write it like http://127.0.0.1:3000.");
  }
  if (url.origin !== origin) {
    throw invalid(`The exemption "${name}" is not an exact origin.`, `Write it as ${url.origin}.`);
  }
  const port = portOf(url);
  if (!isOpenablePort(port)) throw invalid(`The exemption "${name}" names port ${port}, which is never opened.`);
  const host = dialHostOf(url);
  const address = parseIpAddress(host);
  if (isMetadataName(host) || (address !== undefined && !isReachable(classify(address), { origin, name }))) {
    throw invalid(`The exemption "${name}" names an address that no exemption may reach.`);
  }
  return { origin, name };
}

function invalid(message: string, hint?: string): ConfigError {
  return new ConfigError("invalid_configuration", message, hint === undefined ? {} : { hint });
}
