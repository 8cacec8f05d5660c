import { Worker } from "node:worker_threads";

/** A worker that has nothing to do is ended, so that its memory is given back. */
const IDLE_MS = 10_000;

/** Runs jobs in a worker thread, one after the other. */
export interface WorkerQueue<Job, Result> {
  /**
   * @throws the signal's reason when it aborts first, which ends the thread; what `WorkerErrors` gives when the job fails
   * or the queue is closed.
   */
  run(job: Job, signal?: AbortSignal): Promise<Result>;
  /** Ends the thread; calls under way and later ones are refused. */
  close(): Promise<void>;
}

export interface WorkerErrors {
  readonly closed: () => Error;
  readonly failed: (reason: string) => Error;
}

/** What the thread is told, and what it answers, by `answerJobs` of `worker-answer.ts`. */
export interface WorkerRequest<Job> {
  readonly id: number;
  readonly job: Job;
}
export type WorkerReply<Result> = { readonly id: number } & ({ readonly result: Result } | { readonly fault: string });

interface Task<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread at most, started at the first job. `script` is compiled JavaScript. */
export function createWorkerQueue<Job, Result>(script: URL, errors: WorkerErrors): WorkerQueue<Job, Result> {
  const queue: Task<Job, Result>[] = [];
  let running: Task<Job, Result> | undefined;
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Tells the answer to the running task from a late one to a task that was given up. */
  let sequence = 0;

  function start(): Worker {
    const started = new Worker(script, {
      // The host program's own flags, such as --input-type, are not meant for it.
      execArgv: [],
    });
    const died = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      end((task) => task.reject(errors.failed(reason)));
    };
    started.on("message", (reply: WorkerReply<Result>) => {
      if (reply.id !== sequence) return;
      end((task) => ("result" in reply ? task.resolve(reply.result) : task.reject(errors.failed(reply.fault))));
    });
    started.on("error", (error) => died(error.message));
    started.on("exit", () => died("the worker thread stopped"));
    return started;
  }

  /** A job cannot be interrupted, only its thread ended. */
  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  function end(settle: (task: Task<Job, Result>) => void): void {
    const task = running;
    running = undefined;
    sequence += 1;
    if (task !== undefined) settle(task);
    next();
  }

  function giveUp(task: Task<Job, Result>, reason: unknown): void {
    if (task === running) {
      const stopped = stop();
      end(() => void stopped.then(() => task.reject(reason)));
    } else if (queue.includes(task)) {
      queue.splice(queue.indexOf(task), 1);
      task.reject(reason);
    }
  }

  function next(): void {
    if (running !== undefined) return;
    clearTimeout(idle);
    running = queue.shift();
    if (running === undefined) {
      // An idle worker keeps no process alive.
      worker?.unref();
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
      return;
    }
    worker ??= start();
    worker.ref();
    worker.postMessage({ id: sequence, job: running.job } satisfies WorkerRequest<Job>);
  }

  return {
    async run(job, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw errors.closed();
      let cancel = (): void => {};
      const result = new Promise<Result>((resolve, reject) => {
        const task = { job, resolve, reject };
        cancel = () => giveUp(task, signal?.reason);
        signal?.addEventListener("abort", cancel, { once: true });
        queue.push(task);
        next();
      });
      return result.finally(() => signal?.removeEventListener("abort", cancel));
    },
    async close() {
      isClosed = true;
      for (const task of queue.splice(0)) task.reject(errors.closed());
      if (running !== undefined) end((task) => task.reject(errors.closed()));
      await stop();
    },
  };
}
