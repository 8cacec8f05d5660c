import { ConfigError, FetchError } from "../errors.js";
import { type Extraction, type ExtractOptions, extract } from "../extract/index.js";
import { createWorkerQueue } from "../worker-queue.js";

export interface ExtractorOptions {
  /** Pages of more UTF-16 units than this are read in a worker thread. Default 500,000. */
  readonly inlineMaxChars?: number | undefined;
}

export interface ExtractorCall extends ExtractOptions {
  /** Ends the call, and the thread where it is being read there. */
  readonly signal?: AbortSignal | undefined;
}

/** `extract` for programs that must not stand still: large pages are read beside the event loop, one after the other. */
export interface Extractor extends AsyncDisposable {
  /**
   * @throws the signal's reason when it aborts first; ConfigError `invalid_argument` after `close`; FetchError `aborted`
   * when closed meanwhile, `decoding_failed` when the thread dies, as for want of memory.
   */
  extract(html: string, options?: ExtractorCall): Promise<Extraction>;
  /** Ends the thread. An idle one ends by itself after ten seconds and keeps no process alive. */
  close(): Promise<void>;
}

/** What the thread is given. */
export interface ExtractJob {
  readonly html: string;
  readonly options: ExtractOptions;
}

const INLINE_MAX_CHARS = 500_000;

export function createExtractor({ inlineMaxChars = INLINE_MAX_CHARS }: ExtractorOptions = {}): Extractor {
  const worker = createWorkerQueue<ExtractJob, Extraction>(new URL("./extract-worker.js", import.meta.url), {
    closed: () => new FetchError("aborted", "The extractor was closed."),
    failed: (reason) =>
      new FetchError("decoding_failed", "The page could not be converted to text.", { cause: new Error(reason) }),
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await worker.close();
  };
  return {
    async extract(html, { signal, ...options } = {}) {
      if (isClosed) {
        throw new ConfigError("invalid_argument", "This extractor was closed.", { hint: "Create a new one." });
      }
      signal?.throwIfAborted();
      return html.length <= inlineMaxChars ? extract(html, options) : worker.run({ html, options }, signal);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
