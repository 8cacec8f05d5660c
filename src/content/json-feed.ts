import { createFeedDraft, type FeedDraft, type FeedText } from "./feed-draft.js";

/** Reads JSON Feed 1.0 and 1.1 (jsonfeed.org); `undefined` when `text` is not one. Keeps the first `maxItems` items. */
export function readJsonFeed(text: string, maxItems: number): FeedDraft | undefined {
  const root = parseObject(text);
  if (root === undefined || !isJsonFeedVersion(root.version)) return undefined;
  const draft = createFeedDraft();
  draft.title = plain(root.title);
  draft.link = stringOf(root.home_page_url);
  draft.description = plain(root.description);
  const items: readonly unknown[] = Array.isArray(root.items) ? root.items : [];
  draft.itemCount = items.length;
  for (const value of items.slice(0, maxItems)) {
    if (!isObject(value)) continue;
    const html = stringOf(value.content_html);
    draft.items.push({
      title: plain(value.title),
      link: stringOf(value.url) || stringOf(value.external_url),
      date: stringOf(value.date_published) || stringOf(value.date_modified),
      summary: plain(value.summary),
      content: html === "" ? plain(value.content_text) : { text: html, html: true },
    });
  }
  return draft;
}

/** True when `text` begins as a JSON Feed does: its version comes first in practice, within the first 2,000 characters. */
export function looksLikeJsonFeed(text: string): boolean {
  return /"version"\s{0,99}:\s{0,99}"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(text.slice(0, 2_000));
}

function isJsonFeedVersion(version: unknown): boolean {
  return typeof version === "string" && /^https?:\/\/jsonfeed\.org\/version\//.test(version);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function plain(value: unknown): FeedText {
  return { text: stringOf(value), html: false };
}
