import { afterAll, beforeAll, expect } from "vitest";
import type { NetworkOptions, Outcome, Play, Played, Zone } from "./plays.js";
import { namespaceObstacle, openWorld, type World } from "./world.js";

export const OBSTACLE: string | undefined = namespaceObstacle();

/** A block's title that says why it is skipped, when it is. */
export function titled(title: string): string {
  return OBSTACLE === undefined ? title : `${title} (skipped, since no network can be laid out here: ${OBSTACLE})`;
}

/** The host that is asked for unless a test is about names. */
export const SITE = "http://site.example.org/";
export const SITE_NAME = "site.example.org";
export const SITE_LOOK_UP: readonly string[] = [`A ${SITE_NAME}`, `AAAA ${SITE_NAME}`];
export const PUBLIC = "93.184.215.14";
export const PUBLIC6 = "2606:4700::6810:84e5";

export const REACHED = { isReached: true } as const;
export const REFUSED = { isReached: false, code: "jail_refused", rule: "dns_answer" } as const;
export const NOT_FOUND = { isReached: false, code: "dns_failed", reason: "not_found" } as const;
export const RESOLVER_FAILED = { isReached: false, code: "dns_failed", reason: "resolver_failed" } as const;

export type Scene = Omit<Play, "door" | "urls">;

/** A play of one URL. */
export interface Seen extends Played {
  readonly outcome: Outcome | undefined;
  /** That were reached, in order. */
  readonly addresses: readonly string[];
}

export type Ask = (url: string, scene: Scene, door?: Play["door"]) => Promise<Seen>;

/** A zone of one host. */
export function host(name: string, ...addresses: readonly string[]): { readonly zone: Zone } {
  return { zone: { [name]: [{ addresses }] } };
}

export function site(...addresses: readonly string[]): { readonly zone: Zone } {
  return host(SITE_NAME, ...addresses);
}

export function exempt(origin: string): Pick<Scene, "exemptions"> {
  return { exemptions: [{ origin, name: "the user's own" }] };
}

/** Opens a network for the tests of a block. What each play sends must be what its servers hear, and nothing more. */
export function useWorld(options: NetworkOptions): Ask {
  const ask = useBrokenWorld(options);
  return async (...question) => {
    const seen = await ask(...question);
    expect(seen.tcpOpens, "connections begun and accepted").toBe(seen.accepted);
    expect(seen.udpSends, "datagrams sent and questions heard").toBe(seen.udpQueries);
    return seen;
  };
}

/** The same for a network that loses what is sent. */
export function useBrokenWorld(options: NetworkOptions): Ask {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(options);
  });
  afterAll(() => world.close());
  return async (url, scene, door = "request") => {
    const played = await world.play({ door, urls: [url], ...scene });
    return { ...played, outcome: played.outcomes[0], addresses: played.arrivals.map(({ address }) => address) };
  };
}
