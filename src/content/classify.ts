import { parseContentType } from "./media-type.js";
import { type Sniffed, sniff } from "./signatures.js";
import { languageOfFileName, languageOfMediaType } from "./source-languages.js";

/** What a body is, as far as reading it goes. */
export type ContentKind = "html" | "markdown" | "text" | "json" | "feed" | "csv" | "xml" | "source" | "binary";

/** What a body is, decided before it is decoded. */
export interface Classification {
  readonly kind: ContentKind;
  /** A known media type: an invented one is replaced by what the bytes are. */
  readonly mediaType: string;
  /** For fenced code. */
  readonly language?: string;
  /** True when the header named the type and the bytes do not contradict it. */
  readonly declared: boolean;
  readonly warnings: readonly string[];
}

const KINDS_BY_MEDIA_TYPE: Readonly<Record<string, ContentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/vnd.wap.xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "application/json": "json",
  "text/json": "json",
  "application/x-json": "json",
  "application/jsonl": "json",
  "application/x-jsonlines": "json",
  "application/ndjson": "json",
  "application/x-ndjson": "json",
  "application/json-seq": "json",
  "application/rss+xml": "feed",
  "application/atom+xml": "feed",
  "application/feed+json": "feed",
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "csv",
  "text/xml": "xml",
  "application/xml": "xml",
  "application/pdf": "binary",
  "application/zip": "binary",
  "application/gzip": "binary",
  "application/x-gzip": "binary",
  "application/x-tar": "binary",
  "application/wasm": "binary",
  "application/msword": "binary",
  "application/java-archive": "binary",
};

const KINDS_BY_SUFFIX: readonly (readonly [RegExp, ContentKind])[] = [
  [/^[a-z]+\/[a-z0-9.-]{1,80}\+json$/, "json"],
  [/^[a-z]+\/[a-z0-9.-]{1,80}\+xml$/, "xml"],
  [/^[a-z]+\/[a-z0-9.-]{1,80}\+(?:zip|gzip)$/, "binary"],
  [/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-[a-z]+)[a-z0-9.-]{0,80}$/, "binary"],
  [/^(?:image|audio|video|font|model)\/[a-z0-9.+-]{1,80}$/, "binary"],
];

interface FileRow {
  readonly kind: ContentKind;
  readonly mediaType: string;
}

const FILES_BY_EXTENSION: Readonly<Record<string, FileRow>> = {
  html: { kind: "html", mediaType: "text/html" },
  htm: { kind: "html", mediaType: "text/html" },
  xhtml: { kind: "html", mediaType: "application/xhtml+xml" },
  md: { kind: "markdown", mediaType: "text/markdown" },
  mdx: { kind: "markdown", mediaType: "text/markdown" },
  markdown: { kind: "markdown", mediaType: "text/markdown" },
  json: { kind: "json", mediaType: "application/json" },
  jsonc: { kind: "json", mediaType: "application/json" },
  json5: { kind: "json", mediaType: "application/json" },
  geojson: { kind: "json", mediaType: "application/geo+json" },
  webmanifest: { kind: "json", mediaType: "application/manifest+json" },
  ipynb: { kind: "json", mediaType: "application/json" },
  jsonl: { kind: "json", mediaType: "application/x-ndjson" },
  ndjson: { kind: "json", mediaType: "application/x-ndjson" },
  rss: { kind: "feed", mediaType: "application/rss+xml" },
  atom: { kind: "feed", mediaType: "application/atom+xml" },
  xml: { kind: "xml", mediaType: "application/xml" },
  xsd: { kind: "xml", mediaType: "application/xml" },
  svg: { kind: "xml", mediaType: "image/svg+xml" },
  csv: { kind: "csv", mediaType: "text/csv" },
  tsv: { kind: "csv", mediaType: "text/tab-separated-values" },
  txt: { kind: "text", mediaType: "text/plain" },
  log: { kind: "text", mediaType: "text/plain" },
};

/** llmstxt.org: Markdown by definition, served as plain text by custom. */
const MARKDOWN_FILE_NAMES: ReadonlySet<string> = new Set(["llms.txt", "llms-full.txt"]);

/** Types that say nothing: the file's name and bytes decide. */
const VAGUE_TYPES: ReadonlySet<string> = new Set([
  "text/plain",
  "application/octet-stream",
  "binary/octet-stream",
  "application/unknown",
  "unknown/unknown",
  // `.ts` in the media type tables of many servers.
  "video/mp2t",
]);

/** Decides what a body is from its `Content-Type`, its bytes (WHATWG MIME Sniffing) and its file name, in that order. */
export function classify(bytes: Uint8Array, contentType: string | undefined, url: string): Classification {
  const essence = contentType === undefined ? undefined : parseContentType(contentType)?.essence;
  const sniffed = sniff(bytes);
  const declared = essence === undefined ? undefined : declaredType(essence);
  if (declared?.kind === "binary" && (essence !== "video/mp2t" || sniffed.binary)) {
    return { kind: "binary", mediaType: sniffed.binaryType ?? declared.mediaType, declared: true, warnings: [] };
  }
  if (sniffed.binary && (sniffed.binaryType !== undefined || declared?.kind !== "html")) {
    const mediaType = sniffed.binaryType ?? "application/octet-stream";
    const mislabelled = declared !== undefined && essence !== mediaType;
    return {
      kind: "binary",
      mediaType,
      declared: !mislabelled,
      warnings: mislabelled ? [`The body is labelled as text but is binary (${sayableType(mediaType)}).`] : [],
    };
  }
  if (sniffed.htmlDocument && declared !== undefined && !["html", "xml", "feed"].includes(declared.kind)) {
    // Source and Markdown files may begin with HTML; plain text and JSON that do are mislabelled pages.
    const file = fileType(url);
    const mislabelled = declared.kind === "json" || (essence === "text/plain" && file?.kind !== "markdown");
    if (mislabelled && file?.language === undefined) {
      return {
        kind: "html",
        mediaType: "text/html",
        declared: false,
        warnings: [`The page is labelled ${sayableType(declared.mediaType)} but is HTML; it was read as HTML.`],
      };
    }
  }
  if (declared !== undefined && !VAGUE_TYPES.has(declared.mediaType)) return declared;
  return fileType(url) ?? declared ?? sniffedText(sniffed);
}

function declaredType(essence: string): Classification | undefined {
  const language = languageOfMediaType(essence);
  const kind: ContentKind | undefined = Object.hasOwn(KINDS_BY_MEDIA_TYPE, essence)
    ? KINDS_BY_MEDIA_TYPE[essence]
    : language !== undefined
      ? "source"
      : (KINDS_BY_SUFFIX.find(([pattern]) => pattern.test(essence))?.[1] ??
        (essence.startsWith("text/") ? "text" : undefined));
  if (kind === undefined) return undefined;
  const invented = kind === "text" && !/^text\/[a-z0-9.-]{1,40}$/.test(essence);
  return {
    kind,
    mediaType: invented ? "text/plain" : essence,
    declared: true,
    warnings: [],
    ...withLanguage(kind, language),
  };
}

function fileType(url: string): Classification | undefined {
  const fileName = fileNameOf(url).toLowerCase();
  if (MARKDOWN_FILE_NAMES.has(fileName)) {
    return { kind: "markdown", mediaType: "text/markdown", declared: false, warnings: [] };
  }
  const language = languageOfFileName(fileName);
  if (language !== undefined) {
    return { kind: "source", mediaType: "text/plain", language, declared: false, warnings: [] };
  }
  const extension = fileName.slice(fileName.lastIndexOf(".") + 1);
  if (!fileName.includes(".") || !Object.hasOwn(FILES_BY_EXTENSION, extension)) return undefined;
  const row = FILES_BY_EXTENSION[extension];
  return row === undefined
    ? undefined
    : { ...row, declared: false, warnings: [], ...withLanguage(row.kind, undefined) };
}

function sniffedText({ html, xml }: Sniffed): Classification {
  const [kind, mediaType]: readonly [ContentKind, string] = html
    ? ["html", "text/html"]
    : xml
      ? ["xml", "application/xml"]
      : ["text", "text/plain"];
  return { kind, mediaType, declared: false, warnings: [], ...withLanguage(kind, undefined) };
}

const LANGUAGES_BY_KIND: Readonly<Partial<Record<ContentKind, string>>> = { json: "json", xml: "xml", csv: "csv" };

function withLanguage(kind: ContentKind, language: string | undefined): { readonly language?: string } {
  const known = language ?? LANGUAGES_BY_KIND[kind];
  return known === undefined ? {} : { language: known };
}

/** The last path segment of a URL, decoded; empty when there is none. */
export function fileNameOf(url: string): string {
  const path = url.replace(/[?#].*$/s, "").replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const COMMON_TYPES: readonly string[] = (
  "image/png image/jpeg image/gif image/webp image/avif image/svg+xml image/x-icon image/bmp image/tiff image/heic " +
  "audio/mpeg audio/ogg audio/wav audio/wave audio/flac audio/aac video/mp4 video/webm video/ogg video/mpeg " +
  "font/woff font/woff2 font/ttf font/otf application/octet-stream text/plain"
).split(" ");
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...COMMON_TYPES,
  ...Object.keys(KINDS_BY_MEDIA_TYPE),
  ...Object.values(FILES_BY_EXTENSION).map(({ mediaType }) => mediaType),
]);
const TOP_LEVEL_TYPES: ReadonlySet<string> = new Set("application audio font image model text video".split(" "));

/** A type as our own sentences may name it: what a header invented may be a sentence itself, so only its kind is said. */
export function sayableType(mediaType: string): string {
  if (KNOWN_TYPES.has(mediaType)) return mediaType;
  const [kind = ""] = mediaType.split("/", 1);
  return TOP_LEVEL_TYPES.has(kind) ? kind : "unknown type";
}
