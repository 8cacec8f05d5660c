export {
  type AddToIndexOptions,
  addToIndex,
  clearIndex,
  type IndexReport,
  removeFromIndex,
} from "./build-index.js";
export { linkDocs } from "./docs-links.js";
export { type DocsUrl, formatDocsUrl, parseDocsUrl } from "./docs-url.js";
export { createIndexHandle, type IndexHandle } from "./index-handle.js";
export { type LocalDocument, type LocalHit, type LocalIndex, type LocalIndexStats, openIndex } from "./local-index.js";
export { createLocalProvider } from "./local-provider.js";
export type { IndexProgress } from "./pace.js";
export type { Skipped } from "./package-files.js";
export type { HtmlToMarkdown } from "./prepare-document.js";
export { indexExists } from "./storage.js";
