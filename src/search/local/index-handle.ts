import { type LocalIndex, openIndex } from "./local-index.js";
import { currentGeneration } from "./storage.js";

/** One index for as long as a session lives: opened at first use, and again when a build has replaced it. */
export interface IndexHandle {
  /** Changes with each build; `undefined` without an index. */
  generation(): Promise<string | undefined>;
  /** Throws `ConfigError` `index_missing`, `index_corrupt` or `storage_failed`. */
  open(): Promise<LocalIndex>;
  close(): Promise<void>;
}

export function createIndexHandle(directory: string): IndexHandle {
  let held: { readonly generation: string | undefined; readonly index: Promise<LocalIndex> } | undefined;
  const release = async (): Promise<void> => {
    const index = await held?.index.catch(() => undefined);
    held = undefined;
    index?.close();
  };
  return {
    generation: () => currentGeneration(directory),
    async open() {
      const generation = await currentGeneration(directory);
      if (held === undefined || held.generation !== generation) {
        const replaced = held?.index;
        const index = openIndex({ directory });
        held = { generation, index };
        // A build that failed to open is tried again at the next call.
        index.catch(() => {
          if (held?.index === index) held = undefined;
        });
        // Not at once: a caller that was just given the old one may be about to use it.
        replaced?.then((old) => setImmediate(() => old.close())).catch(() => undefined);
      }
      return held.index;
    },
    close: release,
  };
}
