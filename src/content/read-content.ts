import type { OutlineEntry } from "../types.js";
import { type CharsetSource, decodeText } from "./charset.js";
import { type Classification, type ContentKind, classify, fileNameOf, sayableType } from "./classify.js";
import { isJson, readJson } from "./json.js";
import { looksLikeJsonFeed } from "./json-feed.js";
import { charsetLabelOf } from "./media-type.js";
import { rootElementOf } from "./root-element.js";

export interface ContentInput {
  /** The body after content decoding. */
  readonly bytes: Uint8Array;
  /** The `Content-Type` header as it came. */
  readonly contentType?: string | undefined;
  /** The final URL: its file name is a hint when the header says nothing. */
  readonly url: string;
  /** The body was cut at a limit. */
  readonly truncated?: boolean | undefined;
}

/** A body as text. */
export interface Content {
  readonly kind: ContentKind;
  /** Known types only: an invented one is replaced by what the bytes are. */
  readonly mediaType: string;
  /** Lower-case name in the Encoding standard; `binary` for binaries. */
  readonly charset: string;
  readonly charsetSource: CharsetSource;
  /**
   * Well-formed UTF-16 without BOM and NUL, lines ending in `\n`, otherwise untouched: HTML and feeds are still markup.
   * Empty for binaries.
   */
  readonly text: string;
  /** The file's name where the format has no title of its own. */
  readonly title?: string;
  /** Language id for fenced code. */
  readonly language?: string;
  /** Keys and items of long JSON, to choose a part by. */
  readonly outline?: readonly OutlineEntry[];
  /** In our words: nothing of the body or its headers is repeated. */
  readonly warnings: readonly string[];
}

/** Turns a response body into text: what it is, in which charset, and what it says. Never throws. */
export function readContent({ bytes, contentType, url, truncated }: ContentInput): Content {
  const classification = classify(bytes, contentType, url);
  const title = titleOf(url, classification.kind);
  if (classification.kind === "binary") {
    return {
      kind: "binary",
      mediaType: classification.mediaType,
      charset: "binary",
      charsetSource: "default",
      text: "",
      ...title,
      warnings: [...classification.warnings, describeBinary(classification.mediaType, bytes.length)],
    };
  }
  const decoded = decodeText(bytes, {
    label: contentType === undefined ? undefined : charsetLabelOf(contentType),
    markup: markupOf(classification.kind),
    truncated,
  });
  const refined = refine(classification, decoded.text, truncated === true);
  return {
    kind: refined.kind,
    mediaType: refined.mediaType,
    charset: decoded.charset,
    charsetSource: decoded.charsetSource,
    text: decoded.text,
    ...titleOf(url, refined.kind),
    ...(refined.language === undefined ? {} : { language: refined.language }),
    ...(refined.outline === undefined || refined.outline.length === 0 ? {} : { outline: refined.outline }),
    warnings: [...refined.warnings, ...decoded.warnings],
  };
}

/** One sentence that names a binary: what a reader gets instead of its bytes. */
function describeBinary(mediaType: string, sizeBytes: number): string {
  const size = sizeBytes < 1_000 ? `${sizeBytes} bytes` : `${(sizeBytes / 1_000).toFixed(1)} kB`;
  return `This is a binary file (${sayableType(mediaType)}, ${size}); it has no text that could be shown.`;
}

type Refined = Classification & { readonly outline?: readonly OutlineEntry[] };

/** Corrects the first verdict by the decoded text: feeds served as XML or HTML, JSON served as text, pages served as JSON. */
function refine(classification: Classification, text: string, truncated: boolean): Refined {
  const { kind, warnings } = classification;
  switch (kind) {
    case "xml":
    case "feed":
    case "html":
      return refineMarkup(classification, text, truncated);
    case "json": {
      if (looksLikeJsonFeed(text)) return { ...classification, kind: "feed" };
      const { form, outline } = readJson(text);
      if (form !== "invalid" || truncated) return { ...classification, outline };
      const warning = "The body is labelled JSON but is not valid JSON; it is shown as text.";
      return { ...classification, kind: "text", warnings: [...warnings, warning] };
    }
    case "text": {
      if (!/^\s*[[{]/.test(text.slice(0, 100)) || !isJson(text)) return classification;
      return refine(
        { ...classification, kind: "json", mediaType: "application/json", language: "json" },
        text,
        truncated,
      );
    }
    default:
      return classification;
  }
}

function refineMarkup(classification: Classification, text: string, truncated: boolean): Refined {
  const { kind, warnings } = classification;
  const first = /\S/.exec(text.slice(0, 200))?.[0];
  if (first === "{" || first === "[") {
    if (kind === "feed" && looksLikeJsonFeed(text)) return classification;
    if (!isJson(text)) return classification;
    const warning = "The body is not labelled JSON but is; it was read as JSON.";
    const json = { ...classification, kind: "json", mediaType: "application/json", language: "json" } as const;
    return refine({ ...json, warnings: [...warnings, warning] }, text, truncated);
  }
  // A page that mentions a feed is HTML; one that is a feed begins as one.
  const root = rootElementOf(text);
  if (root === "html" && kind !== "html") return { ...classification, kind: "html" };
  const isFeed =
    root === "rss" ||
    root === "feed" ||
    (root === "rdf:rdf" && /xmlns=["']http:\/\/(?:purl\.org\/rss|my\.netscape\.com)\//.test(text.slice(0, 4_000)));
  if (isFeed) return { ...classification, kind: "feed" };
  return kind === "feed" ? { ...classification, kind: "xml" } : classification;
}

function markupOf(kind: ContentKind): "html" | "xml" | "none" {
  if (kind === "html") return "html";
  return kind === "xml" || kind === "feed" ? "xml" : "none";
}

function titleOf(url: string, kind: ContentKind): { readonly title?: string } {
  const name = fileNameOf(url)
    .replace(/[\p{Cc}\p{Cs}]/gu, "")
    .slice(0, 200);
  return kind === "html" || kind === "feed" || name === "" ? {} : { title: name };
}
