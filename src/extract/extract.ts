import type { Extraction, ExtractOptions } from "./extraction.js";
import { readLinkedData } from "./linked-data.js";
import { type Reading, readings } from "./main-content.js";
import { createLinkResolver, type LinkResolver } from "./markdown/links.js";
import { plainText } from "./markdown/plain-text.js";
import { MarkdownWriter } from "./markdown/writer.js";
import { readMeta, readMetadata } from "./metadata.js";
import { outline } from "./outline.js";
import { pageKind } from "./page-kind.js";
import { parse } from "./parse.js";
import { measureQuality } from "./quality.js";
import { readSignals } from "./signals.js";
import { countText, type TextStats } from "./text-stats.js";
import { attribute, type Tree } from "./tree.js";
import { markHidden, type Visibility } from "./visibility/visibility.js";

/** A reading this short is not believed while the page shows much more. */
const MIN_READING_CHARS = 250;
const MIN_READING_SHARE = 0.1;
const MIN_PAGE_CHARS = 200;

/**
 * Reads an HTML page: what a person would see of it, as Markdown. Takes any input, never throws; the time is linear in
 * its length.
 */
export function extract(html: string, options: ExtractOptions = {}): Extraction {
  const tree = parse(html);
  const { visibility, visible } = markVisible(tree);
  const meta = readMeta(tree);
  const data = readLinkedData(tree);
  const kind = pageKind(data, meta, options.url);
  const links = createLinkResolver(options.url, baseHref(tree));

  const choices =
    options.mode === "full" ? [wholePage(tree, visibility)] : readings(tree, visibility.gone, visible, kind);
  const { markdown, reading } = write(tree, choices, links, options, visible.chars[0] ?? 0);

  const metadata = readMetadata(tree, visibility.gone, meta, data, options.url);
  return {
    markdown,
    // Made when it is asked for: most callers want the Markdown alone.
    get text() {
      return plainText(markdown);
    },
    title: wellFormed(metadata.title),
    kind,
    outline: outline(markdown),
    metadata,
    removed: visibility.removed,
    removedText: visibility.removedText.map(wellFormed),
    quality: measureQuality(tree, visibility.gone, visible, reading.root, reading.gone),
    signals: readSignals(tree, visible.chars[0] ?? 0, visibility.isIncomplete),
  };
}

interface Seen {
  readonly visibility: Visibility;
  readonly visible: TextStats;
}

/** Pages that show nothing without scripts are read as a browser without scripts shows them. */
function markVisible(tree: Tree): Seen {
  const seen = see(tree, false);
  if (visibleChars(seen) >= MIN_PAGE_CHARS || !tree.nodes.some((node) => node.tag.name === "noscript")) return seen;
  const withoutScripts = see(tree, true);
  return visibleChars(withoutScripts) > MIN_PAGE_CHARS * 2 ? withoutScripts : seen;
}

function see(tree: Tree, keepNoscript: boolean): Seen {
  const visibility = markHidden(tree, { keepNoscript });
  return { visibility, visible: countText(tree, visibility.gone) };
}

function visibleChars({ visible }: Seen): number {
  return visible.chars[0] ?? 0;
}

function wholePage(tree: Tree, visibility: Visibility): Reading {
  return { root: tree.nodes.find((node) => node.tag.name === "body") ?? tree.root, gone: visibility.gone };
}

interface Written {
  readonly markdown: string;
  readonly reading: Reading;
}

/** The first reading that is long enough for the page, else the longest. */
function write(
  tree: Tree,
  choices: Iterable<Reading>,
  links: LinkResolver,
  { mode, images = "alt" }: ExtractOptions,
  visibleChars: number,
): Written {
  let best: Written = { markdown: "", reading: { root: tree.root, gone: new Uint8Array(0) } };
  for (const reading of choices) {
    const request = { tree, gone: reading.gone, links, images, keepsControls: mode === "full" };
    const markdown = wellFormed(new MarkdownWriter(request).write(reading.root));
    if (markdown.length > best.markdown.length * 1.5 || best.markdown === "") best = { markdown, reading };
    if (
      markdown.length >= Math.min(MIN_READING_CHARS, visibleChars * 0.5) &&
      markdown.length >= visibleChars * MIN_READING_SHARE
    )
      break;
  }
  return best;
}

function baseHref(tree: Tree): string | undefined {
  for (const node of tree.nodes) {
    const href = node.tag.name === "base" ? attribute(node, "href") : undefined;
    if (href !== undefined) return href;
  }
  return undefined;
}

/** Half a surrogate pair breaks encoders further on. */
function wellFormed(text: string): string {
  // Node 20 has the methods; the library types of ES2023 do not.
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
