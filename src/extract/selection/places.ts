import { attribute, type Node, type Tree } from "../tree.js";
import type { Blocks } from "./blocks.js";
import type { NameCues } from "./cues.js";

/** Where elements stand, by node; what an element is inside of is true of it too. */
export interface Places {
  /** Bits of `REGIONS`, of the element and all round it. */
  readonly regions: Int32Array;
  /** Bits of `NAME_GROUPS`, of the element's names and of those round it. */
  readonly groups: Int32Array;
  /** What the element's own class and id lean to: the strongest word. */
  readonly cue: Float32Array;
  readonly lowestCue: Float32Array;
  readonly highestCue: Float32Array;
  readonly cueSum: Float32Array;
  readonly nearestCue: Float32Array;
  /** How many block siblings have the same tag and classes, and the element's place among them. */
  readonly alike: Int32Array;
  readonly alikeIndex: Int32Array;
}

export const REGIONS: readonly {
  readonly name: string;
  readonly tags: readonly string[];
  readonly roles?: readonly string[];
}[] = [
  { name: "nav", tags: ["nav"], roles: ["navigation", "menu", "menubar", "toolbar", "doc-toc"] },
  { name: "header", tags: ["header"], roles: ["banner"] },
  { name: "footer", tags: ["footer"], roles: ["contentinfo"] },
  { name: "aside", tags: ["aside"], roles: ["complementary"] },
  { name: "main", tags: ["main"], roles: ["main"] },
  { name: "article", tags: ["article"], roles: ["article"] },
  { name: "form", tags: ["form"], roles: ["form", "search"] },
  { name: "list", tags: ["ul", "ol", "menu"] },
  { name: "table", tags: ["table"] },
  { name: "section", tags: ["section"] },
  { name: "figure", tags: ["figure"] },
  { name: "dialog", tags: ["dialog"], roles: ["dialog", "alertdialog"] },
  { name: "definitions", tags: ["dl"] },
  { name: "details", tags: ["details"] },
  { name: "quote", tags: ["blockquote"] },
  { name: "control", tags: ["button", "label", "select"], roles: ["button"] },
  { name: "link", tags: ["a"] },
];

/** The bits of regions, by their names. */
export function regionBits(...names: readonly string[]): number {
  return REGIONS.reduce((bits, { name }, place) => (names.includes(name) ? bits | (1 << place) : bits), 0);
}

/** What class names and ids say in plain words. */
export const NAME_GROUPS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: "comment", pattern: /comment|disqus|respond|discussion/i },
  { name: "reply", pattern: /repl(?:y|ies)|answer|message|thread|topic/i },
  {
    name: "related",
    pattern:
      /related|recommend|more-|read-?next|trending|popular|latest|also|suggest|up-?sell|cross-?sell|carousel|slider|swiper/i,
  },
  { name: "caption", pattern: /caption|credit|figure|gallery|photo|image/i },
  { name: "author", pattern: /author|byline|\bbio|profile|avatar|user/i },
  { name: "share", pattern: /share|social|follow/i },
  { name: "promotion", pattern: /promo|\bads?\b|advert|sponsor|newsletter|subscri|sign-?up|banner|cta|offer/i },
  { name: "meta", pattern: /meta|tags?\b|categor|date|time|info/i },
  { name: "navigation", pattern: /breadcrumb|pagina|pager|nav|menu/i },
  { name: "content", pattern: /content|article|\bpost|entry|body|story|text|description|markdown|prose/i },
  { name: "review", pattern: /review|rating|testimonial|feedback/i },
  { name: "product", pattern: /product|price|cart|sku|shop/i },
  { name: "side", pattern: /side|widget|aside|rail|column/i },
  { name: "foot", pattern: /foot|bottom|copyright|legal|cookie|consent|gdpr/i },
  { name: "head", pattern: /head|top|hero|masthead|title/i },
  { name: "modal", pattern: /modal|popup|overlay|dialog|drawer|tooltip|hidden/i },
  { name: "embed", pattern: /quote|signature|embed|tweet/i },
  { name: "card", pattern: /card|item|tile|list|grid|result/i },
  { name: "filter", pattern: /filter|facet|sort|search|select|form|input/i },
  { name: "toggle", pattern: /faq|accordion|tab|toggle|collapse/i },
];

/** What an element without names says. */
const EMPTY_NAME = { cue: 0, groups: 0 };

export function measurePlaces(tree: Tree, gone: Uint8Array, blocks: Blocks, cues: NameCues): Places {
  const { nodes } = tree;
  const size = nodes.length;
  const places = {
    regions: new Int32Array(size),
    groups: new Int32Array(size),
    cue: new Float32Array(size),
    lowestCue: new Float32Array(size),
    highestCue: new Float32Array(size),
    cueSum: new Float32Array(size),
    nearestCue: new Float32Array(size),
    alike: new Int32Array(size),
    alikeIndex: new Int32Array(size),
  };
  const regionOf = regionTable();
  const known = new Map<string, typeof EMPTY_NAME>();
  const said = (name: string): typeof EMPTY_NAME => {
    let found = known.get(name);
    if (found === undefined) {
      found = { cue: cues.of(name), groups: groupsOf(name) };
      known.set(name, found);
    }
    return found;
  };
  for (let at = 1; at < size; ) {
    const node = nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    at += 1;
    if (node.text !== "") continue;
    const { index } = node;
    // What holds no text is inside nothing that matters.
    if (blocks.before[node.end] === blocks.before[index] && !isInBlock(blocks, index)) continue;
    const outer = node.parent?.index ?? 0;
    let regions = regionOf.tags.get(node.tag.name) ?? 0;
    let cue = 0;
    let groups = 0;
    if (node.hasAttributes) {
      const role = attribute(node, "role");
      if (role !== undefined) regions |= regionOf.roles.get(role) ?? 0;
      const classes = node.className === "" ? EMPTY_NAME : said(node.className);
      const id = attribute(node, "id");
      const named = id === undefined || id === "" ? EMPTY_NAME : said(id);
      cue = Math.abs(named.cue) > Math.abs(classes.cue) ? named.cue : classes.cue;
      if (node.tag.name !== "body" && node.tag.name !== "html") groups = classes.groups | named.groups;
    }
    places.regions[index] = (places.regions[outer] ?? 0) | regions;
    places.groups[index] = (places.groups[outer] ?? 0) | groups;
    places.cue[index] = cue;
    places.lowestCue[index] = Math.min(places.lowestCue[outer] ?? 0, cue);
    places.highestCue[index] = Math.max(places.highestCue[outer] ?? 0, cue);
    places.cueSum[index] = (places.cueSum[outer] ?? 0) + cue;
    places.nearestCue[index] = cue === 0 ? (places.nearestCue[outer] ?? 0) : cue;
  }
  countAlike(tree, gone, places.alike, places.alikeIndex);
  return places;
}

function isInBlock({ before, ends }: Blocks, at: number): boolean {
  const block = (before[at] ?? 0) - 1;
  return block >= 0 && (ends[block] ?? 0) > at;
}

function regionTable(): { readonly tags: ReadonlyMap<string, number>; readonly roles: ReadonlyMap<string, number> } {
  const tags = new Map<string, number>();
  const roles = new Map<string, number>();
  for (const [place, region] of REGIONS.entries()) {
    for (const tag of region.tags) tags.set(tag, 1 << place);
    for (const role of region.roles ?? []) roles.set(role, 1 << place);
  }
  return { tags, roles };
}

function groupsOf(name: string): number {
  let bits = 0;
  for (const [place, { pattern }] of NAME_GROUPS.entries()) if (pattern.test(name)) bits |= 1 << place;
  return bits;
}

/** Records repeat: rows of results, posts of a thread, cards of a shelf. */
function countAlike(tree: Tree, gone: Uint8Array, alike: Int32Array, alikeIndex: Int32Array): void {
  const { nodes } = tree;
  const members = new Map<string, Node[]>();
  const kinds = new Map<string, number>();
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    at += 1;
    if (!node.tag.isBlock) continue;
    const looks = `${node.tag.name}.${node.className}`;
    let kind = kinds.get(looks);
    if (kind === undefined) {
      kind = kinds.size;
      kinds.set(looks, kind);
    }
    const key = `${node.parent?.index ?? 0}.${kind}`;
    const group = members.get(key);
    if (group === undefined) members.set(key, [node]);
    else group.push(node);
  }
  for (const group of members.values()) {
    for (const [place, { index }] of group.entries()) {
      alike[index] = group.length;
      alikeIndex[index] = place;
    }
  }
}
