import { parentPort } from "node:worker_threads";
import { type RawPage, readPage } from "./read-page.js";

/** A worker's side of `page-reader.ts`: one page in, one page or one sentence out. */
parentPort?.on("message", ({ id, raw }: { readonly id: number; readonly raw: RawPage }) => {
  try {
    parentPort?.postMessage({ id, page: readPage(raw) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
