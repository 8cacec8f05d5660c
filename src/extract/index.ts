/** HTML to the Markdown of what the page says. */
export { extract } from "./extract.js";
export type { Extraction, ExtractOptions, Signals } from "./extraction.js";
export type { Metadata } from "./metadata/metadata.js";
export type { PageKind } from "./page-kind.js";
export type { Kept, Quality } from "./quality.js";
