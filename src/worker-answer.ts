import { parentPort } from "node:worker_threads";
import type { WorkerReply, WorkerRequest } from "./worker-queue.js";

/** The thread's side of `worker-queue.ts`: one job in, one result or one sentence out. */
export function answerJobs<Job, Result>(work: (job: Job) => Result): void {
  parentPort?.on("message", ({ id, job }: WorkerRequest<Job>) => {
    let reply: WorkerReply<Result>;
    try {
      reply = { id, result: work(job) };
    } catch (error) {
      reply = { id, fault: error instanceof Error ? error.message : String(error) };
    }
    parentPort?.postMessage(reply);
  });
}
