import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { withCachedReader } from "./readers.mjs";

/**
 * Reads every document; one that throws, or takes longer than a reader may, is an empty reading and a failure.
 * @param {{ id: string, url: string, html?: string, file?: string }[]} documents
 * @returns {Promise<{ markdown: Record<string, string>, failures: string[] }>}
 */
export function readAll(reader, name, documents) {
  const identities = documents.map(({ id, url, html = "" }) => [id, url, html]);
  return withCachedReader(reader, name, identities, async (child) => {
    const markdown = {};
    const failures = [];
    for (const { id, url, html, file } of documents) {
      const answer = await child.ask("read", {
        html: html ?? brotliDecompressSync(readFileSync(file)).toString(),
        url,
      });
      if (answer.error !== undefined) failures.push(id);
      markdown[id] = answer.markdown ?? "";
    }
    return { markdown, failures };
  });
}
