import type { Hop } from "../types.js";

/**
 * What the network did. URLs are redacted; no event carries an address that was looked up, a header or a body. The
 * proxy's own may stand in `proxy`, as the user wrote it, without credentials.
 */
export type NetEvent =
  | { readonly type: "hop.started"; readonly url: string; readonly hop: number; readonly method: string }
  | {
      readonly type: "dns.resolved";
      readonly url: string;
      readonly hop: number;
      /** How many addresses were checked. */
      readonly addresses: number;
      readonly durationMs: number;
    }
  | ({ readonly type: "hop.finished"; readonly hop: number } & Hop)
  | { readonly type: "hop.blocked"; readonly url: string; readonly hop: number; readonly rule: string }
  | {
      readonly type: "request.retried";
      readonly url: string;
      /** An error code, or `http_429` and the like. */
      readonly reason: string;
      readonly delayMs: number;
    };
