import { Worker } from "node:worker_threads";
import { FetchError } from "./errors.js";
import { type RawPage, type ReadablePage, readPage } from "./read-page.js";

/** Above this a page is read beside the event loop: converting it would hold everything else up. */
const INLINE_MAX_BYTES = 300_000;
/** A worker that has nothing to do is ended, so that its memory is given back. */
const IDLE_MS = 10_000;

export interface PageReader {
  /**
   * Reads a page, a large one in a worker thread.
   * @throws FetchError `timeout` when `signal` aborts first; the worker is then stopped.
   */
  read(raw: RawPage, signal: AbortSignal): Promise<ReadablePage>;
  close(): Promise<void>;
}

interface Task {
  readonly raw: RawPage;
  readonly signal: AbortSignal;
  readonly resolve: (page: ReadablePage) => void;
  readonly reject: (error: unknown) => void;
}

type Reply = { readonly id: number } & ({ readonly page: ReadablePage } | { readonly fault: string });

/** One worker at most: two large pages wait for each other, small ones never wait. */
export function createPageReader(): PageReader {
  const queue: Task[] = [];
  let worker: Worker | undefined;
  let running: Task | undefined;
  let idle: NodeJS.Timeout | undefined;
  let sequence = 0;

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  function start(): Worker {
    const started = new Worker(new URL("./read-page-worker.js", import.meta.url), {
      // The host program's own flags, such as --input-type, are not meant for it.
      execArgv: [],
    });
    started.unref();
    const failed = (error: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      finish((task) => task.reject(error));
    };
    started.on("message", (reply: Reply) => {
      if (reply.id !== sequence) return;
      finish((task) => ("page" in reply ? task.resolve(reply.page) : task.reject(conversionFailed(reply.fault))));
    });
    started.on("error", (error) => failed(conversionFailed(error.message)));
    started.on("exit", () => failed(conversionFailed("the reader stopped")));
    return started;
  }

  function finish(settle: (task: Task) => void): void {
    const task = running;
    running = undefined;
    if (task !== undefined) {
      task.signal.removeEventListener("abort", onAbort);
      settle(task);
    }
    next();
  }

  function onAbort(): void {
    // A conversion cannot be interrupted, only its thread ended.
    const stopped = stop();
    finish((task) => void stopped.then(() => task.reject(task.signal.reason)));
  }

  function next(): void {
    clearTimeout(idle);
    if (running !== undefined) return;
    const task = queue.shift();
    if (task === undefined) {
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
      return;
    }
    if (task.signal.aborted) {
      task.reject(task.signal.reason);
      next();
      return;
    }
    running = task;
    sequence += 1;
    task.signal.addEventListener("abort", onAbort, { once: true });
    worker ??= start();
    worker.ref();
    worker.postMessage({ id: sequence, raw: task.raw });
  }

  return {
    async read(raw, signal) {
      signal.throwIfAborted();
      if (raw.bytes.byteLength <= INLINE_MAX_BYTES) return readPage(raw);
      try {
        return await new Promise<ReadablePage>((resolve, reject) => {
          queue.push({ raw, signal, resolve, reject });
          next();
        });
      } finally {
        if (running === undefined) worker?.unref();
      }
    },
    async close() {
      for (const task of queue.splice(0)) task.reject(conversionFailed("Postern was closed"));
      await stop();
    },
  };
}

function conversionFailed(reason: string): FetchError {
  return new FetchError("decoding_failed", "The page could not be converted to text.", { cause: new Error(reason) });
}
