import { FetchError } from "./errors.js";
import { type RawPage, type ReadablePage, readPage } from "./read-page.js";
import { createWorkerQueue } from "./worker-queue.js";

/** Above this a page is read beside the event loop: converting it would hold everything else up. */
const INLINE_MAX_BYTES = 300_000;

export interface PageReader {
  /**
   * Reads a page, a large one in a worker thread: two large pages wait for each other, small ones never wait.
   * @throws the signal's reason when it aborts first, which stops the worker; FetchError `decoding_failed`.
   */
  read(raw: RawPage, signal: AbortSignal): Promise<ReadablePage>;
  close(): Promise<void>;
}

export function createPageReader(): PageReader {
  const worker = createWorkerQueue<RawPage, ReadablePage>(new URL("./read-page-worker.js", import.meta.url), {
    closed: () => new FetchError("aborted", "Postern was closed."),
    failed: (reason) =>
      new FetchError("decoding_failed", "The page could not be converted to text.", { cause: new Error(reason) }),
  });
  return {
    async read(raw, signal) {
      signal.throwIfAborted();
      return raw.bytes.byteLength <= INLINE_MAX_BYTES ? readPage(raw) : worker.run(raw, signal);
    },
    close: () => worker.close(),
  };
}
