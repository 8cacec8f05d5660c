import type { OutlineEntry, RemovedCounts } from "../types.js";
import type { Metadata } from "./metadata/metadata.js";
import type { PageKind } from "./page-kind.js";
import type { Quality } from "./quality.js";

export interface ExtractOptions {
  /** The page's address: links are resolved against it and against `<base>`. */
  readonly url?: string | undefined;
  /** `main` (the default) keeps the content, `full` everything a reader of the page sees. */
  readonly mode?: "main" | "full" | undefined;
  /** `alt` (the default) names images without their address, `link` writes `![alt](url)`. */
  readonly images?: "alt" | "link" | undefined;
}

/** What a page says. */
export interface Extraction {
  readonly markdown: string;
  /** The same without Markdown's marks. */
  readonly text: string;
  readonly title: string;
  /** In `main` mode as it was learned, in `full` mode as far as the page's own marks tell. */
  readonly kind: PageKind;
  /** Sections of `markdown`, with UTF-16 offsets into it. */
  readonly outline: readonly OutlineEntry[];
  readonly metadata: Metadata;
  /** Hidden elements and comments that held text, by reason. */
  readonly removed: RemovedCounts;
  /** Some of the texts in them, shortened: for detectors, never for a model. */
  readonly removedText: readonly string[];
  readonly quality: Quality;
  readonly signals: Signals;
}

/** Marks of a page that needs its scripts to say anything, or that was not read to the end. */
export interface Signals {
  readonly scriptBytes: number;
  /** Characters of visible text. */
  readonly textChars: number;
  /** Text of `noscript` elements, at most 500 characters. */
  readonly noscriptText?: string;
  /** The application's root element is there and holds nothing. */
  readonly emptyRoot?: boolean;
  /** The document was cut at the parser's limit. */
  readonly truncated?: boolean;
  /**
   * A limit was reached before every style rule had been applied: text that the page hides may stand in `markdown`, and
   * the caller should say so.
   */
  readonly stylesIncomplete?: boolean;
}
