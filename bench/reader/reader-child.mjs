import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./reader-process.mjs", import.meta.url));

/** What a reader may take for one page before it counts as having said nothing. */
export const READING_TIMEOUT_MS = 20_000;
const START_TIMEOUT_MS = 30_000;

/**
 * A reader in its own process. `ask` resolves to the answer, or to `{ error }`: what was thrown, a death, or a time-out,
 * after which the next question finds a new process.
 */
export class ReaderChild {
  #id;
  #process;

  constructor(id) {
    this.#id = id;
  }

  /** @returns `{ name, version }`, or `{ error }` where the reader is not installed */
  async open() {
    this.#process = fork(script, [this.#id], {
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    return this.#answer(START_TIMEOUT_MS);
  }

  async ask(action, input, timeoutMs = READING_TIMEOUT_MS) {
    if (this.#process === undefined) await this.open();
    this.#process.send({ action, input });
    return this.#answer(timeoutMs);
  }

  async close() {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async #answer(timeoutMs) {
    const child = this.#process;
    const stop = new AbortController();
    const timer = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([stop.signal, timer]);
    try {
      return await Promise.race([
        once(child, "message", { signal }).then(([message]) => message),
        once(child, "exit", { signal }).then(() => ({ error: "died" })),
      ]);
    } catch {
      return { error: timer.aborted ? "timeout" : "died" };
    } finally {
      stop.abort();
      if (timer.aborted || child.exitCode !== null || child.signalCode !== null) await this.close();
    }
  }
}

/** Runs `work` with a reader's process, which is gone afterwards. */
export async function withReader(id, work) {
  const child = new ReaderChild(id);
  try {
    return await work(child);
  } finally {
    await child.close();
  }
}
