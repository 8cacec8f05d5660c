import type { Exemption } from "../../../src/net/index.js";

/** What the name server says of one name; only addresses of the family that is asked for are given. */
export interface DnsReply {
  readonly addresses?: readonly string[];
  /** The addresses stand at the end of this chain of aliases. */
  readonly aliases?: readonly string[];
  /** RFC 1035 4.1.1: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. Default 0. */
  readonly code?: number;
  /** Over UDP the answer is cut, so that it must be asked for again over TCP. */
  readonly isCut?: boolean;
  readonly isSilent?: boolean;
}

/** By name, the replies to successive look-ups; the last repeats. All other names are NXDOMAIN. */
export type Zone = Readonly<Record<string, readonly DnsReply[]>>;

/** Which part of Postern is asked. */
export type Door = "judge" | "request" | "fetch" | "command";

/** One scene: what the network answers, and what is asked of it, one URL after the other. */
export interface Play {
  readonly door: Door;
  readonly urls: readonly string[];
  readonly zone?: Zone;
  /** Lines of /etc/hosts. */
  readonly hosts?: readonly string[];
  /** Lines of /etc/resolv.conf after the name server's. */
  readonly resolver?: readonly string[];
  /** `Location` values: what servers answer to successive requests, before a page. */
  readonly redirects?: readonly string[];
  /** Status of the redirects. Default 302. */
  readonly status?: number;
  readonly exemptions?: readonly Exemption[];
  /** Doors "judge" and "request". */
  readonly nat64Prefixes?: readonly string[];
  /** Hosts that the policy denies; doors "fetch" and "command". */
  readonly deny?: readonly string[];
  readonly timeoutMs?: number;
}

/** How one URL ended. */
export interface Outcome {
  readonly isReached: boolean;
  /** How each hop left; door "request". */
  readonly via?: readonly string[];
  /** Of the error. */
  readonly code?: string;
  readonly rule?: string;
  readonly stage?: string;
  /** Of a failed look-up. */
  readonly reason?: string;
  readonly message?: string;
  readonly durationMs: number;
}

/** A request that arrived at a server, wherever it was sent. */
export interface Arrival {
  /** The address that was dialled, in the URL parser's spelling without brackets. */
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly host: string;
  readonly target: string;
}

/** What was seen of a play, by the program and by everyone it could have spoken to. */
export interface Played {
  readonly outcomes: readonly Outcome[];
  readonly arrivals: readonly Arrival[];
  /** `A` or `AAAA` and the name, as the name server heard them, in order. */
  readonly queries: readonly string[];
  /** TCP connections that servers accepted, the name server's too. */
  readonly accepted: number;
  /** TCP connections that were begun, to anyone at all, as the kernel counted them. */
  readonly tcpOpens: number;
  /** UDP datagrams that were sent to anyone at all, as the kernel counted them, without the name server's replies. */
  readonly udpSends: number;
  /** Questions that came over UDP. */
  readonly udpQueries: number;
}

export interface DeadRoute {
  readonly prefix: string;
  /** As `ip route` names them. */
  readonly kind: "silent" | "unreachable" | "prohibit" | "blackhole";
}

export interface NetworkOptions {
  /** Which families have routes. Default both. */
  readonly families?: readonly (4 | 6)[];
  /** Prefixes that lead nowhere, and how that shows; `silent` loses every packet. */
  readonly deadRoutes?: readonly DeadRoute[];
  /** Hosts that servers have a certificate for: names and addresses. */
  readonly certified?: readonly string[];
}
