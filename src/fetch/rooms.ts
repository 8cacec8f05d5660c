import type { Jail, Transport } from "../net/index.js";
import type { PageReader } from "../page-reader.js";
import type { Policy } from "../policy/index.js";
import type { ReadablePage } from "../read-page.js";
import type { LocalIndex } from "../search/local/index.js";
import type { Session } from "../session/index.js";
import type { Hop, Outcome } from "../types.js";

/** Runs a page's scripts in a real browser, inside the same jail. */
export interface Renderer {
  render(request: { readonly url: string; readonly signal: AbortSignal }): Promise<{ readonly html: string }>;
  close(): Promise<void>;
}

/** Answers a prompt from a page. `fenced` is the page inside the envelope: it is untrusted. */
export interface Distiller {
  distill(request: {
    readonly prompt: string;
    readonly url: string;
    readonly fenced: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly text: string; readonly warnings: readonly string[] }>;
}

export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly maxChars: number;
}

/** A page as the session remembers it: neither cut nor fenced, since each answer has a fresh nonce. */
export interface PageSnapshot {
  readonly page: ReadablePage;
  readonly finalUrl: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly hops: readonly Hop[];
  /** Sent over the wire, retries and redirects included. */
  readonly requests: number;
  readonly wireBytes: number;
  /** The outline entry that the URL's fragment names, where the source knows better than the heading's text. */
  readonly anchor?: string;
}

/** The rooms a fetch passes through. */
export interface FetchRooms {
  readonly limits: FetchLimits;
  readonly jail: Jail;
  readonly transport: Transport;
  readonly policy: Policy;
  readonly session: Session<PageSnapshot>;
  readonly reader: PageReader;
  readonly openIndex: () => Promise<LocalIndex>;
  readonly renderer?: Renderer | undefined;
  readonly distiller?: Distiller | undefined;
}
