import type { Extraction, ExtractOptions } from "./extraction.js";
import { createLinkResolver } from "./markdown/links.js";
import { plainText } from "./markdown/plain-text.js";
import { MarkdownWriter } from "./markdown/writer.js";
import { outline } from "./outline.js";
import { ownText, ownTexts } from "./own-text.js";
import { readPage } from "./page.js";
import { measureQuality } from "./quality.js";
import { loadModel, type Model } from "./selection/model.js";
import { selectContent } from "./selection/select.js";
import { readSignals } from "./signals.js";
import { countText } from "./text-stats.js";
import { attribute, type Tree } from "./tree.js";

/**
 * Reads an HTML page: what a person would see of it, as Markdown. Takes any input, never throws; the time is linear in
 * its length.
 */
export function extract(html: string, options: ExtractOptions = {}): Extraction {
  return extractWith(loadModel, html, options);
}

/** `extract` by other weights than those that come with the package. */
export function extractWith(model: () => Model, html: string, options: ExtractOptions = {}): Extraction {
  const { tree, visibility, hidden, metadata, facts } = readPage(html, options.url);
  const content =
    options.mode === "full" ? { gone: hidden, kind: facts.kind } : selectContent(tree, hidden, facts, model());
  const { gone } = content;
  const body = tree.nodes.find((node) => node.tag.name === "body") ?? tree.root;
  const writer = new MarkdownWriter({
    tree,
    gone,
    hidden,
    links: createLinkResolver(options.url, baseHref(tree)),
    images: options.images ?? "alt",
    keepsControls: options.mode === "full",
  });
  const markdown = ownText(writer.write(body));
  const visible = countText(tree, hidden);
  const ownMetadata = ownTexts(metadata);
  return {
    markdown,
    // Made when it is asked for: most callers want the Markdown alone.
    get text() {
      return plainText(markdown);
    },
    title: ownMetadata.title,
    kind: content.kind,
    outline: outline(markdown),
    metadata: ownMetadata,
    removed: visibility.removed,
    removedText: visibility.removedText.map(ownText),
    quality: measureQuality(tree, hidden, visible, body, gone),
    signals: readSignals(tree, visible.total, visibility.isIncomplete),
  };
}

function baseHref(tree: Tree): string | undefined {
  for (const node of tree.nodes) {
    const href = node.tag.name === "base" ? attribute(node, "href") : undefined;
    if (href !== undefined) return href;
  }
  return undefined;
}
