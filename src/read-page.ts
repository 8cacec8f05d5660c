import { type Content, type ContentKind, readContent, readFeed } from "./content/index.js";
import { extract } from "./extract/index.js";
import { sanitise } from "./guard/sanitise.js";
import { screenPage } from "./guard/screen.js";
import { smuggledTexts } from "./guard/smuggled-text.js";
import { outlineOf } from "./reading/index.js";
import type { Finding, OutlineEntry, RemovedCounts } from "./types.js";

/** What came over the wire, before anything was understood. */
export interface RawPage {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** Why `bytes` is not the whole body. */
  readonly truncated?: "cap" | "stream" | undefined;
}

/** A page as a reader sees it: plain data, so that a worker can hand it over and a cache can keep it. */
export interface ReadablePage {
  readonly title: string;
  readonly text: string;
  readonly format: "markdown" | "text";
  readonly mediaType: string;
  readonly outline: readonly OutlineEntry[];
  readonly removed: RemovedCounts;
  readonly findings: readonly Finding[];
  /** Our own sentences. */
  readonly warnings: readonly string[];
  /** Addresses that the page links to, without repetition. */
  readonly links: readonly string[];
  /** True when scripts would have to run before there is any text. */
  readonly needsScripts: boolean;
}

const MAX_LINKS = 2_000;

/** Bytes to readable text: content, extraction, sanitising, detectors. Pure, so that it can run anywhere. */
export function readPage(raw: RawPage): ReadablePage {
  const content = readContent({ ...raw, truncated: raw.truncated !== undefined });
  const draft = (DRAFTS[content.kind] ?? asItIs)(content, raw.url);
  const { text, removed } = sanitise(draft.text);
  const removedCounts = addCounts(draft.removed, removed);
  const { findings } = screenPage({
    text,
    removedTexts: draft.removedTexts,
    removedCounts,
    smuggled: text === draft.text ? [] : smuggledTexts(draft.text),
  });
  return {
    title: sanitise(draft.title).text,
    text,
    format: draft.format,
    mediaType: content.mediaType,
    // Headings keep their places only while sanitising changes nothing.
    outline: text === draft.text && draft.outline !== undefined ? draft.outline : outlineFor(text, draft.format),
    removed: removedCounts,
    findings,
    warnings: [...content.warnings, ...draft.warnings],
    links: linksOf(text),
    needsScripts: draft.needsScripts && text.trim() === "",
  };
}

/** A page's text before it is sanitised. */
interface Draft {
  readonly title: string;
  readonly text: string;
  readonly format: ReadablePage["format"];
  readonly outline?: readonly OutlineEntry[] | undefined;
  readonly removed: RemovedCounts;
  readonly removedTexts: readonly string[];
  readonly warnings: readonly string[];
  readonly needsScripts: boolean;
}

type ToDraft = (content: Content, url: string) => Draft;

const asItIs: ToDraft = ({ title = "", text, outline }) => ({
  title,
  text,
  format: "text",
  outline,
  removed: {},
  removedTexts: [],
  warnings: [],
  needsScripts: false,
});

const STYLES_INCOMPLETE =
  "the page's style sheets are too costly to follow to the end: text that they hide may be shown here";

/** How each kind of content becomes text; what is not named here is shown as it is. */
const DRAFTS: Readonly<Partial<Record<ContentKind, ToDraft>>> = {
  html(content, url) {
    const { markdown, title, outline, removed, removedText, signals } = extract(content.text, { url });
    const needsScripts = signals.scriptBytes > 0;
    return {
      title,
      text: markdown,
      format: "markdown",
      outline,
      removed,
      removedTexts: removedText,
      warnings: signals.stylesIncomplete === true ? [STYLES_INCOMPLETE] : [],
      needsScripts,
    };
  },
  markdown: (content, url) => ({ ...asItIs(content, url), format: "markdown" }),
  feed(content, url) {
    const htmlToText = (html: string) => extract(html, { url, mode: "full" }).text;
    const feed = readFeed(content.text, { url, htmlToText });
    if (feed === undefined) return asItIs(content, url);
    return {
      ...asItIs(content, url),
      title: feed.title,
      text: feed.markdown,
      format: "markdown",
      warnings: feed.warnings,
    };
  },
};

const outlineFor = (text: string, format: ReadablePage["format"]): readonly OutlineEntry[] =>
  format === "markdown" ? outlineOf(text) : [];

/** A text that no server sent: a page of the offline index, or one that a browser rendered. */
export function readText(text: string, title: string, mediaType: string, url: string): ReadablePage {
  const page = readPage({ url, bytes: new TextEncoder().encode(text), contentType: `${mediaType}; charset=utf-8` });
  return title === "" ? page : { ...page, title: sanitise(title).text };
}

function linksOf(text: string): readonly string[] {
  const links = new Set<string>();
  for (const [, link = ""] of text.matchAll(/(?:\]\(<?|<)(https?:\/\/[^\s<>()]{1,2000})/g)) {
    links.add(link);
    if (links.size === MAX_LINKS) break;
  }
  return [...links];
}

function addCounts(a: RemovedCounts, b: RemovedCounts): RemovedCounts {
  const sum: Record<string, number> = { ...a };
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}
