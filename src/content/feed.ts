import { parseUrl } from "../parse-url.js";
import type { FeedDraft, FeedText } from "./feed-draft.js";
import { readJsonFeed } from "./json-feed.js";
import { readXmlFeed } from "./xml-feed.js";

/** Beyond these, older items and the rest of a summary are left out, and a warning says so. */
const MAX_ITEMS = 100;
const MAX_SUMMARY_CHARS = 2_000;
const MAX_TITLE_CHARS = 300;

export interface FeedOptions {
  /** The feed's address, for relative links. */
  readonly url: string;
  /** Turns an HTML fragment into plain text; injected so that this room need not know the extractor. */
  readonly htmlToText: (html: string) => string;
}

export interface Feed {
  readonly title: string;
  /** Items in the feed, shown or not. */
  readonly itemCount: number;
  /** A heading for the feed and one for each item, then its date, link and summary. */
  readonly markdown: string;
  readonly warnings: readonly string[];
}

/**
 * Reads RSS 0.9x/1.0/2.0, Atom (RFC 4287) or JSON Feed into Markdown; `undefined` when `text` is none of them.
 * Entities and external references are never followed.
 */
export function readFeed(text: string, options: FeedOptions): Feed | undefined {
  const draft = /^\s*\{/.test(text) ? readJsonFeed(text, MAX_ITEMS) : readXmlFeed(text, MAX_ITEMS);
  return draft === undefined ? undefined : render(draft, options);
}

function render(draft: FeedDraft, { url, htmlToText }: FeedOptions): Feed {
  const plain = ({ text, html }: FeedText): string =>
    (html && /[<&]/.test(text) ? htmlToText(text) : text).replace(/\p{Cs}/gu, "\uFFFD").trim();
  const line = (value: FeedText, maxChars: number): string =>
    plain(value).replace(/\s+/g, " ").slice(0, maxChars).trim();

  const title = line(draft.title, MAX_TITLE_CHARS) || "Untitled feed";
  const lines = [`# ${escapeMarkdown(title)}`, ""];
  const home = resolveLink(draft.link, url);
  if (home !== undefined) lines.push(home, "");
  const description = line(draft.description, MAX_SUMMARY_CHARS);
  if (description !== "") lines.push(escapeMarkdown(description), "");
  let shortened = 0;
  for (const item of draft.items) {
    const summary = plain(item.summary.text.trim() === "" ? item.content : item.summary).replace(/\n{3,}/g, "\n\n");
    lines.push(`## ${escapeMarkdown(line(item.title, MAX_TITLE_CHARS) || "Untitled")}`, "");
    const facts = [dateOf(item.date), resolveLink(item.link, url)].filter((fact) => fact !== undefined);
    if (facts.length > 0) lines.push(facts.join(" — "), "");
    if (summary.length > MAX_SUMMARY_CHARS) {
      shortened++;
      const end = summary.lastIndexOf(" ", MAX_SUMMARY_CHARS);
      const cut = summary.slice(0, end > MAX_SUMMARY_CHARS / 2 ? end : MAX_SUMMARY_CHARS).replace(/\p{Cs}/gu, "");
      lines.push(escapeBlock(`${cut} […]`), "");
    } else if (summary !== "") {
      lines.push(escapeBlock(summary), "");
    }
  }
  const left = draft.itemCount - draft.items.length;
  const warnings = [
    ...(left > 0 ? [`The feed has ${draft.itemCount} items; the first ${draft.items.length} are shown.`] : []),
    ...(shortened > 0
      ? [`${shortened} item texts are cut after ${MAX_SUMMARY_CHARS} characters; fetch an item's link for the whole.`]
      : []),
    ...(draft.cut ? ["The feed is nested too deeply to be read to its end."] : []),
  ];
  return { title, itemCount: draft.itemCount, markdown: `${lines.join("\n").trimEnd()}\n`, warnings };
}

/** The publisher's own day, as ISO 8601, from an RFC 822 or RFC 3339 date. */
function dateOf(date: string): string | undefined {
  const iso = /^\s*(\d{4}-\d{2}-\d{2})/.exec(date)?.[1];
  if (iso !== undefined) return iso;
  const rfc822 = /(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (\d{4})/i.exec(date.slice(0, 60));
  const [, day, month, year] = rfc822 ?? [];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const monthNumber = "janfebmaraprmayjunjulaugsepoctnovdec".indexOf(month.toLowerCase()) / 3 + 1;
  return `${year}-${String(monthNumber).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function resolveLink(link: string, base: string): string | undefined {
  const address = link.trim();
  const url = address === "" ? undefined : parseUrl(address, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, "\\$&");
}

/** Keeps a line of a plain summary from becoming a heading, a list or a fence of the whole document. */
function escapeBlock(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^(#{1,6}(?=\s|$)|[-+*](?=\s)|>|={2,}$|-{2,}$|`{3,}|~{3,})/, "\\$1"))
    .join("\n");
}
