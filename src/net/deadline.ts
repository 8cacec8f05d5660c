import { setMaxListeners } from "node:events";
import { ConfigError, FetchError } from "../errors.js";
import { MAX_TIMEOUT_MS } from "./limits.js";

/** What a request is waiting for. */
export type Stage = "upload" | "dns" | "connect" | "proxy" | "headers" | "body" | "retry";

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  upload: "reading the request's own body",
  dns: "looking the host up",
  connect: "connecting",
  proxy: "connecting through the proxy",
  headers: "waiting for the answer's headers",
  body: "reading the body",
  retry: "waiting to try again",
};

/** One limit over the request's own body, look-ups, connections, hops, retries and bodies of a request. */
export interface Deadline {
  stage: Stage;
  /** What the request fails with, once it is over: `timeout` or `aborted`. */
  readonly reason: FetchError | undefined;
  throwIfEnded(): void;
  /** Ends it before its time; the first reason stands. */
  end(reason: FetchError): void;
  /** Calls `listener` once when the deadline ends; the returned function takes it back. */
  onEnd(listener: (reason: FetchError) => void): () => void;
  /** The same as a signal, made on demand: creating one costs more than all else here. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /**
   * Stops the clock while someone else decides: a person who is asked must not run into a network timeout. The caller
   * can still cancel.
   */
  suspend<T>(work: () => Promise<T>): Promise<T>;
  dispose(): void;
}

/** @throws ConfigError when `timeoutMs` is not within 1 ms and an hour. */
export function createDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new ConfigError("invalid_argument", `timeoutMs must be between 1 and ${MAX_TIMEOUT_MS}.`);
  }
  return new RequestDeadline(timeoutMs, callerSignal);
}

type Listener = (reason: FetchError) => void;

/** A class, since one is made for each request: its methods are made once. */
class RequestDeadline implements Deadline {
  stage: Stage = "dns";
  readonly #timeoutMs: number;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #listeners = new Set<Listener>();
  #reason: FetchError | undefined;
  #controller: AbortController | undefined;
  #budgetMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, callerSignal: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#callerSignal = callerSignal;
    this.#budgetMs = timeoutMs;
    if (callerSignal?.aborted === true) this.#cancel();
    else callerSignal?.addEventListener("abort", this.#cancel, { once: true });
    // One listener for each request under way, taken back at its end: many at once are no leak to warn of.
    if (callerSignal instanceof EventTarget) setMaxListeners(0, callerSignal);
    this.#start();
  }

  get reason(): FetchError | undefined {
    return this.#reason;
  }

  throwIfEnded(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  end(error: FetchError): void {
    if (this.#reason !== undefined) return;
    this.#reason = error;
    for (const listener of this.#listeners) listener(error);
    this.#controller?.abort(error);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  onEnd(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  remainingMs(): number {
    return this.#budgetMs - (performance.now() - this.#startedAt);
  }

  async suspend<T>(work: () => Promise<T>): Promise<T> {
    this.throwIfEnded();
    this.#budgetMs = this.remainingMs();
    clearTimeout(this.#timer);
    try {
      return await this.#untilEnd(work());
    } finally {
      this.#start();
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener("abort", this.#cancel);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(expire, Math.max(0, this.#budgetMs), this, this.#timeoutMs);
  }

  #untilEnd<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const unsubscribe = this.onEnd(reject);
      work.then(resolve, reject).finally(unsubscribe);
    });
  }

  readonly #cancel = (): void => {
    const cause: unknown = this.#callerSignal?.reason;
    this.end(new FetchError("aborted", "The caller cancelled the request.", { cause }));
  };
}

function expire(deadline: Deadline, timeoutMs: number): void {
  deadline.end(timedOut(timeoutMs, deadline.stage));
}

function timedOut(timeoutMs: number, stage: Stage): FetchError {
  return new FetchError("timeout", `The request took longer than ${timeoutMs} ms (${STAGE_WORDS[stage]}).`, {
    details: { stage, timeoutMs },
    ...(stage === "proxy"
      ? { hint: "The proxy, or the server behind it, does not answer; `postern doctor` shows which proxy is used." }
      : {}),
  });
}
