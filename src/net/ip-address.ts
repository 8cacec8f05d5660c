import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A parsed address: 4 or 16 octets in network order. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bytes: readonly number[];
}

/** An address that may be dialled, with the text to dial it by. */
export interface RouteAddress extends IpAddress {
  readonly text: string;
}

/**
 * Parses a textual address strictly: four decimal octets, or RFC 4291 hextets without a zone id.
 * `undefined` for everything else, so that an address nobody can read is never dialled.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const family = typeof text === "string" && !text.includes("%") ? isIP(text) : 0;
  if (family === 4) return { family, bytes: text.split(".").map(Number) };
  if (family === 6) return { family, bytes: ipaddr.IPv6.parse(dottedTailToHextets(text)).toByteArray() };
  return undefined;
}

/** One spelling for each address, whatever form it was written in. */
export function addressKey(address: IpAddress): string {
  return address.bytes.join(".");
}

/**
 * getaddrinfo prints `::808:808` as `::8.8.8.8`, which ipaddr.js reads as the different address `::ffff:8.8.8.8`:
 * a refused IPv4-compatible address would pass as a mapped public one. In hextets the two agree.
 */
function dottedTailToHextets(text: string): string {
  if (!text.includes(".")) return text;
  const head = text.slice(0, text.lastIndexOf(":") + 1);
  const [a = 0, b = 0, c = 0, d = 0] = text.slice(head.length).split(".").map(Number);
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
