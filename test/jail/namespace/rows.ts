import { isIP } from "node:net";
import { expect } from "vitest";
import type { JailCase } from "../jail-cases.js";
import type { Arrival, Door, Play, Played, Zone } from "./plays.js";
import type { World } from "./world.js";

/** Kinds that no answer of a name server may decide: nothing is asked for them. */
export const DECIDED_BEFORE_DNS: RegExp = /^(v4|v6|zone|scheme|port|parser|policy)/;
const MAX_REQUESTS = 6;

/** Plays a row, its URL or others, and holds that nothing left the machine but what its servers heard. */
export async function playRow(world: World, door: Door, row: JailCase, urls: readonly string[]): Promise<Played> {
  const { redirects = [], status = 302 } = row;
  const scene: Play = { door, urls, zone: zoneOf(row), redirects, status };
  const played = await world.play(scene);
  expect(played.tcpOpens, "connections begun and accepted").toBe(played.accepted);
  expect(played.udpSends, "datagrams sent and questions heard").toBe(played.udpQueries);
  return played;
}

/** How often a row's URL is asked for until the answer comes that matters. */
export function askedFor(row: JailCase): readonly string[] {
  return Array.from({ length: row.resolves_seq?.length ?? 1 }, () => row.url);
}

/** Can its answers be put into an A or AAAA record? What cannot, the injected resolver of cases.test.ts gives. */
export function isWireable({ resolves_to = [] }: JailCase): boolean {
  return resolves_to.every((answer) => isIP(answer) !== 0 && !answer.includes("%"));
}

/** Not by `URL.canParse`, which Node 20 and 22 get wrong for Latin-1 letters after some thousand calls. */
function parsed(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

/** A host as the name server hears it. */
function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function zoneOf(row: JailCase): Zone {
  const url = parsed(row.url);
  const answers = row.resolves_seq ?? (row.resolves_to === undefined ? [] : [row.resolves_to]);
  const own = url === undefined || answers.length === 0 ? [] : [[nameOf(url), answers] as const];
  return Object.fromEntries(
    [...own, ...Object.entries(row.dns ?? {})].map(([name, turns]) => [
      name,
      turns.map((addresses) => ({ addresses })),
    ]),
  );
}

/** One look-up: both families of exactly this name. */
export function lookUpOf(url: string): readonly string[] {
  const name = nameOf(new URL(url));
  return [`A ${name}`, `AAAA ${name}`];
}

/** The URLs that may be asked for, first to last: those before the redirect that is refused, and at most six. */
export function hopsOf(row: JailCase): readonly string[] {
  const hops = [row.url];
  for (const location of row.redirects ?? []) {
    const next = parsed(location, hops.at(-1));
    if (next === undefined) break;
    hops.push(next.href);
  }
  const isCutShort = row.verdict === "deny" && hops.length <= MAX_REQUESTS;
  return hops.slice(0, isCutShort ? -1 : MAX_REQUESTS);
}

export function expectArrivals(arrivals: readonly Arrival[], hops: readonly string[], row: JailCase): void {
  expect(arrivals.map(({ address: _, ...arrival }) => arrival)).toEqual(hops.map(asArrival));
  for (const [index, { address }] of arrivals.entries()) {
    expect(answersFor(hops[index] ?? "", row), "an address of the host that was asked for").toContain(address);
  }
}

function asArrival(hop: string): Omit<Arrival, "address"> {
  const url = new URL(hop);
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  // Not `pathname` and `search`, which do not tell an empty query from none.
  const [target = ""] = url.href.slice(url.origin.length).split("#");
  return { port, isSecure, host: url.host, target };
}

function answersFor(hop: string, row: JailCase): readonly string[] {
  const name = nameOf(new URL(hop));
  const answers = zoneOf(row)[name]?.flatMap(({ addresses = [] }) => addresses) ?? [name.replace(/^\[|\]$/g, "")];
  return answers.map((address) =>
    address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address,
  );
}

/** The URL as it stands, and in the other scheme on that scheme's port. */
export function inBothSchemes(text: string): readonly string[] {
  const url = new URL(text);
  const isSecure = url.protocol === "https:";
  if (url.port !== "") url.port = isSecure ? "8080" : "8443";
  url.protocol = isSecure ? "http:" : "https:";
  return [text, url.href];
}

/** Names and addresses for the certificate. */
export function hostsOf(row: JailCase): readonly string[] {
  return hopsOf(row).map((hop) => nameOf(new URL(hop)).replace(/^\[|\]$/g, ""));
}
