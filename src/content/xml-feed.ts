import { Parser } from "htmlparser2";
import { createFeedDraft, createFeedItem, type FeedDraft, type FeedItem, type FeedText } from "./feed-draft.js";

/** Feeds are a handful of levels deep; the parser's cost on broken nesting grows with depth. */
const MAX_DEPTH = 100;
const CHUNK_CHARS = 16_384;
const MAX_FIELD_CHARS = 200_000;

/** What an element means by its (lower-case) name, inside an item and inside the feed itself. */
const FIELDS: Readonly<Record<string, "title" | "link" | "date" | "updated" | "summary" | "content" | "guid">> = {
  title: "title",
  link: "link",
  guid: "guid",
  description: "summary",
  summary: "summary",
  subtitle: "summary",
  tagline: "summary",
  content: "content",
  "content:encoded": "content",
  pubdate: "date",
  published: "date",
  issued: "date",
  "dc:date": "date",
  updated: "updated",
  modified: "updated",
};

const ROOTS: ReadonlySet<string> = new Set(["rss", "feed", "rdf:rdf"]);

/** The field that is being read. */
interface Capture {
  readonly field: (typeof FIELDS)[string];
  readonly depth: number;
  readonly html: boolean;
  /** Markup that is not escaped, so that text must be to become HTML again. */
  readonly xhtml: boolean;
  text: string;
}

/**
 * Reads RSS 0.9x, 1.0, 2.0 and Atom 0.3, 1.0; `undefined` when `text` is another document. Keeps the first `maxItems` items.
 * A DOCTYPE's entities are not expanded: only XML's own five and character references are.
 */
export function readXmlFeed(text: string, maxItems: number): FeedDraft | undefined {
  const draft = createFeedDraft();
  let root: string | undefined;
  let depth = 0;
  let containerDepth = 0;
  let item: FeedItem | undefined;
  let capture: Capture | undefined;

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.toLowerCase();
        depth++;
        if (depth > MAX_DEPTH) draft.cut = true;
        root ??= name;
        if (capture !== undefined) {
          capture.text += `<${name.slice(name.indexOf(":") + 1)}>`;
        } else if (name === "item" || name === "entry") {
          draft.itemCount++;
          item = createFeedItem();
          containerDepth = depth;
          if (draft.items.length < maxItems) draft.items.push(item);
        } else if (name === "channel" || name === "feed") {
          containerDepth = depth;
        } else if (depth === containerDepth + 1 && Object.hasOwn(FIELDS, name)) {
          if (name === "link" && attributes.href !== undefined) {
            if ((attributes.rel ?? "alternate") === "alternate") setLink(item ?? draft, attributes.href);
            return;
          }
          if (name === "guid" && attributes.isPermaLink === "false") return;
          const type = (attributes.type ?? attributes.mode ?? (root === "feed" ? "text" : "html")).toLowerCase();
          const xhtml = type.includes("xhtml");
          const field = FIELDS[name];
          if (field !== undefined) capture = { field, depth, html: /html|escaped/.test(type), xhtml, text: "" };
        }
      },
      ontext(data) {
        if (capture === undefined || capture.text.length > MAX_FIELD_CHARS) return;
        capture.text += capture.xhtml ? data.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : data;
      },
      onclosetag(tag) {
        const name = tag.toLowerCase();
        if (capture !== undefined && depth > capture.depth) {
          capture.text += `</${name.slice(name.indexOf(":") + 1)}>`;
        } else if (capture !== undefined) {
          assign(item, draft, capture);
          capture = undefined;
        } else if (name === "item" || name === "entry") {
          item = undefined;
          containerDepth = depth - 1;
        }
        depth--;
      },
    },
    { xmlMode: true },
  );

  for (let start = 0; start < text.length && !draft.cut; start += CHUNK_CHARS) {
    parser.write(text.slice(start, start + CHUNK_CHARS));
    if (root !== undefined && !ROOTS.has(root)) return undefined;
  }
  if (!draft.cut) parser.end();
  const isFeed = root !== undefined && ROOTS.has(root) && (draft.itemCount > 0 || draft.title.text !== "");
  return isFeed ? draft : undefined;
}

function assign(item: FeedItem | undefined, draft: FeedDraft, { field, html, text }: Capture): void {
  const value: FeedText = { text, html };
  if (field === "link") {
    setLink(item ?? draft, text);
  } else if (item === undefined) {
    if (field === "title" && draft.title.text === "") draft.title = value;
    else if (field === "summary" && draft.description.text === "") draft.description = value;
  } else if (field === "guid") {
    if (/^\s*https?:/.test(text)) setLink(item, text);
  } else if (field === "date") {
    item.date = text;
  } else if (field === "updated") {
    if (item.date === "") item.date = text;
  } else if (item[field].text === "") {
    item[field] = value;
  }
}

/** The first link counts: a later `guid` or alternate is a stand-in. */
function setLink(target: FeedItem | FeedDraft, link: string): void {
  if (target.link === "") target.link = link;
}
