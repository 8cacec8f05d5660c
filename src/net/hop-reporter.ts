import { isPosternError } from "../errors.js";
import type { Hop } from "../types.js";
import type { NetEvent } from "./net-event.js";
import { redactUrl } from "./redact-url.js";

type Listener = (event: NetEvent) => void;

/** Tells the listeners of one request what happens to it, hop by hop. Without listeners no event is built. */
export class HopReporter {
  readonly #listeners: readonly Listener[];
  #href = "";
  #hop = 0;

  constructor(...listeners: readonly (Listener | undefined)[]) {
    this.#listeners = listeners.filter((listener) => listener !== undefined);
  }

  /** What comes next concerns this URL, which need not have been checked yet. */
  moveTo(href: string, hop: number): void {
    this.#href = href;
    this.#hop = hop;
  }

  started(method: string): void {
    this.#emit((url, hop) => ({ type: "hop.started", url, hop, method }));
  }

  resolved(addresses: number, startedAtMs: number): void {
    const durationMs = elapsedMs(startedAtMs);
    this.#emit((url, hop) => ({ type: "dns.resolved", url, hop, addresses, durationMs }));
  }

  retried(reason: string, delayMs: number): void {
    this.#emit((url) => ({ type: "request.retried", url, reason, delayMs }));
  }

  finished(done: Hop): void {
    this.#emit((url, hop) => ({ ...done, type: "hop.finished", url, hop }));
  }

  /** A refusal, by whatever rule; other errors are nothing of the kind. */
  failed(error: unknown): void {
    if (!isPosternError(error) || error.kind !== "blocked") return;
    const rule = String(error.details.rule);
    this.#emit((url, hop) => ({ type: "hop.blocked", url, hop, rule }));
  }

  #emit(event: (url: string, hop: number) => NetEvent): void {
    if (this.#listeners.length === 0) return;
    const built = event(redactUrl(this.#href), this.#hop);
    for (const listener of this.#listeners) listener(built);
  }
}

export function elapsedMs(startedAtMs: number): number {
  return Math.round(performance.now() - startedAtMs);
}
