import { readLinkedData } from "./metadata/linked-data.js";
import { readMeta } from "./metadata/meta-tags.js";
import { type Metadata, readMetadata } from "./metadata/metadata.js";
import { pageKind } from "./page-kind.js";
import { parse } from "./parse.js";
import type { PageFacts } from "./selection/page-blocks.js";
import type { Tree } from "./tree.js";
import { markHidden, type Visibility } from "./visibility/visibility.js";

/** A page that shows less than this needs its scripts. */
const MIN_PAGE_CHARS = 200;

/** A page before its content is chosen: what it holds, what of it is seen, and what it says of itself. */
export interface Page {
  readonly tree: Tree;
  readonly visibility: Visibility;
  /** 1 for nodes that a reader of the page does not see. */
  readonly hidden: Uint8Array;
  readonly metadata: Metadata;
  readonly facts: PageFacts;
}

export function readPage(html: string, url: string | undefined): Page {
  const tree = parse(html);
  const visibility = markVisible(tree);
  const meta = readMeta(tree);
  const data = readLinkedData(tree, url);
  const metadata = readMetadata(tree, visibility.gone, meta, data, url);
  const facts = {
    title: metadata.title,
    description: metadata.description ?? "",
    kind: pageKind(data, meta, url),
    url,
    types: [...data.types, meta.get("og:type") ?? ""],
  };
  return { tree, visibility, hidden: visibility.gone, metadata, facts };
}

/** Pages that show nothing without scripts are read as a browser without scripts shows them. */
function markVisible(tree: Tree): Visibility {
  const seen = markHidden(tree, { keepNoscript: false });
  if (hasText(tree, seen, MIN_PAGE_CHARS) || !tree.nodes.some((node) => node.tag.name === "noscript")) return seen;
  const withoutScripts = markHidden(tree, { keepNoscript: true });
  return hasText(tree, withoutScripts, MIN_PAGE_CHARS * 2) ? withoutScripts : seen;
}

function hasText(tree: Tree, { gone }: Visibility, minChars: number): boolean {
  let chars = 0;
  for (let at = 1; at < tree.nodes.length && chars < minChars; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    chars += node.inkChars;
    at += 1;
  }
  return chars >= minChars;
}
