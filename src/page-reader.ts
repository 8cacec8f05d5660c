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
   * @throws the signal's reason when it aborts first, which stops the worker; FetchError `decoding_failed`.
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
  let running: Task | undefined;
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Tells the answer to the running task from a late one to a task that was given up. */
  let sequence = 0;

  function start(): Worker {
    const started = new Worker(new URL("./read-page-worker.js", import.meta.url), {
      // The host program's own flags, such as --input-type, are not meant for it.
      execArgv: [],
    });
    const died = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      end((task) => task.reject(conversionFailed(reason)));
    };
    started.on("message", (reply: Reply) => {
      if (reply.id !== sequence) return;
      end((task) => ("page" in reply ? task.resolve(reply.page) : task.reject(conversionFailed(reply.fault))));
    });
    started.on("error", (error) => died(error.message));
    started.on("exit", () => died("the reader stopped"));
    return started;
  }

  /** A conversion cannot be interrupted, only its thread ended. */
  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  function end(settle: (task: Task) => void): void {
    const task = running;
    running = undefined;
    sequence += 1;
    task?.signal.removeEventListener("abort", giveUp);
    if (task !== undefined) settle(task);
    next();
  }

  function giveUp(): void {
    const stopped = stop();
    end((task) => void stopped.then(() => task.reject(task.signal.reason)));
  }

  function next(): void {
    if (running !== undefined) return;
    clearTimeout(idle);
    let task = queue.shift();
    for (; task?.signal.aborted === true; task = queue.shift()) task.reject(task.signal.reason);
    if (task === undefined) {
      // An idle worker keeps no process alive.
      worker?.unref();
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
      return;
    }
    running = task;
    task.signal.addEventListener("abort", giveUp, { once: true });
    worker ??= start();
    worker.ref();
    worker.postMessage({ id: sequence, raw: task.raw });
  }

  return {
    async read(raw, signal) {
      signal.throwIfAborted();
      if (raw.bytes.byteLength <= INLINE_MAX_BYTES) return readPage(raw);
      return new Promise<ReadablePage>((resolve, reject) => {
        queue.push({ raw, signal, resolve, reject });
        next();
      });
    },
    async close() {
      for (const task of queue.splice(0)) task.reject(closed());
      if (running !== undefined) end((task) => task.reject(closed()));
      await stop();
    },
  };
}

const closed = (): FetchError => new FetchError("aborted", "Postern was closed.");

function conversionFailed(reason: string): FetchError {
  return new FetchError("decoding_failed", "The page could not be converted to text.", { cause: new Error(reason) });
}
