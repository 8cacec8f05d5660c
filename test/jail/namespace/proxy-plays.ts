import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Hop } from "../../../src/index.js";
import type { ProxyOptions } from "../../../src/net/index.js";
import { BARE_ENVIRONMENT, inNamespace } from "./world.js";

/** A proxy that people run, and what is asked of the site through it, one after the other. */
export interface ProxyPlay {
  /** Listens and dials as `PROXY` says; runs where its files are. */
  readonly command: readonly string[];
  readonly files?: Readonly<Record<string, readonly string[]>>;
  readonly asks: Readonly<Record<string, ProxyAsk>>;
}

export interface ProxyAsk extends Pick<ProxyOptions, "dns"> {
  /** The proxy's URL. Default: `http:` without a password. */
  readonly proxy?: string;
  /** Default: the site's root. */
  readonly url?: string;
  /** The site has gone by then. */
  readonly isSiteGone?: boolean;
}

export type ProxyOutcome =
  | { readonly status: number; readonly text: string; readonly via: Hop["via"] | undefined }
  | { readonly code: string; readonly [detail: string]: unknown };

export interface PlayedThroughProxy {
  readonly outcomes: Readonly<Record<string, ProxyOutcome>>;
  /** The `Host` of each connection's first request, as the site heard it. */
  readonly hosts: readonly (string | undefined)[];
}

/** In the namespace no other process has these ports; `outgoing` is what the site knows the proxy by. */
export const PROXY = { address: "127.0.0.1", port: 8080, outgoing: "10.20.30.50" } as const;
/** Private, so that an exemption must open it, and not loopback, which no proxy is asked for. */
export const PROXIED_SITE = { host: "site.example.org", port: 3000, address: "10.20.30.40" } as const;
export const PROXIED_ORIGIN: string = `http://${PROXIED_SITE.host}:${PROXIED_SITE.port}`;

const SCRIPT = new URL("./proxy-process.ts", import.meta.url);

export async function playThroughProxy(play: ProxyPlay): Promise<PlayedThroughProxy> {
  const options = { env: BARE_ENVIRONMENT, timeout: 15_000 };
  const { stdout } = await promisify(execFile)("unshare", inNamespace(SCRIPT, play), options);
  return JSON.parse(stdout) as PlayedThroughProxy;
}
