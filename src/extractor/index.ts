/** `postern/extract`: HTML to the Markdown of what the page says, at once or beside the event loop. */
export {
  type Extraction,
  type ExtractOptions,
  extract,
  type Kept,
  type Metadata,
  type PageKind,
  type Quality,
  type Signals,
} from "../extract/index.js";
export { createExtractor, type Extractor, type ExtractorCall, type ExtractorOptions } from "./extractor.js";
