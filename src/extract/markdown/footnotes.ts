import { attribute, type Node, type Tree } from "../tree.js";
import { textOf } from "./text-of.js";
import type { ElementWriter } from "./writer.js";

/** References and notes of one document, paired by their addresses, whatever generator wrote them. */
export interface Footnotes {
  /** `[^1]` for a link to a note; `[1]` when the note is not written. */
  reference(link: Node): string | undefined;
  /** Labels of the elements that are notes. */
  readonly labels: ReadonlyMap<Node, string>;
  /** A link from a note to where it belongs. */
  isWayBack(link: Node): boolean;
}

const REFERENCE_CLASS = /(?:^|[\s_-])(?:footnotes?|fn|noteref|footref|fnref|endnote)(?:$|[\s_-])|footnoteref/i;
const NOTE_FRAGMENT = /(?:^|[-_:.])(?:s?d?fn|ftn|footnote|footnotedef|cite_note|endnote)(?=[-_:.\d]|$)/i;
/** Numbers, letters, signs and short names such as `note 1`. */
const LABEL = /^(?:\d{1,4}|\p{L}{1,2}|[ivxlc]{1,6}|[*†‡§¶]{1,4}|\p{L}{1,5}\.?\d{1,4}\p{L}?)$/iu;
const NOTE_ELEMENT = /^(?:li|aside|div|p|dd|section|td|tr|table|blockquote)$/;
const CLOSER = /^(?:\\?[\])]|\\?[.:)])+(?:\s+|$)/;
const RAISED_CLOSER = /^(?:\\?[\]).:])*(?:\s+|$)/;
/** What a reference may be called whose mark or address says that it is one. */
const NAME = /^.{1,12}$/u;
const NUMBER = /^\d{1,3}$/;
const MAX_LABEL_CHARS = 12;
/** A larger element holds more than one note. */
const MAX_NOTE_NODES = 400;

const NONE: Footnotes = { reference: () => undefined, labels: new Map(), isWayBack: isMarkedWayBack };

/** Reads the notes inside `root` that are not `gone`. */
export function readFootnotes(tree: Tree, gone: Uint8Array, root: Node): Footnotes {
  const links: Node[] = [];
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node?.tag.name === "a" && gone[at] !== 1 && mayRefer(tree, node)) links.push(node);
  }
  if (links.length === 0) return NONE;
  const wanted = new Set(links.map(fragmentOf));
  const places = new Map<string, Node>();
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined || gone[at] === 1 || !node.hasAttributes) continue;
    const id = attribute(node, "id") ?? (node.tag.name === "a" ? attribute(node, "name") : undefined);
    if (id !== undefined && wanted.has(id) && !places.has(id)) places.set(id, node);
  }
  const pairs = new Pairs(tree, gone, places);
  for (const link of links) pairs.add(link);
  return pairs;
}

class Pairs implements Footnotes {
  private readonly tree: Tree;
  private readonly gone: Uint8Array;
  private readonly places: ReadonlyMap<string, Node>;
  private readonly references = new Map<Node, string>();
  readonly labels = new Map<Node, string>();
  private readonly fragments = new Map<Node, string>();
  private readonly taken = new Set<string>();
  /** Where references stand, by the ids that lead back to them. */
  private readonly origins = new Set<string>();

  constructor(tree: Tree, gone: Uint8Array, places: ReadonlyMap<string, Node>) {
    this.tree = tree;
    this.gone = gone;
    this.places = places;
  }

  reference(link: Node): string | undefined {
    return this.references.get(link);
  }

  isWayBack(link: Node): boolean {
    return isMarkedWayBack(link) || (this.origins.has(fragmentOf(link)) && this.isInNote(link));
  }

  add(link: Node): void {
    const fragment = fragmentOf(link);
    const text = textOf(this.tree, this.gone, link, MAX_LABEL_CHARS * 2);
    const written = text.replace(/[[\](){}^`\\\s]/g, "");
    if (!this.labelPattern(link, fragment).test(written) || this.origins.has(fragment)) return;
    const note = this.noteAt(fragment, link);
    if (note === undefined) {
      if (isMarkedReference(link) && !this.places.has(fragment)) this.references.set(link, `[${written}]`);
      return;
    }
    const label = this.labels.get(note) ?? this.unique(written);
    this.labels.set(note, label);
    this.fragments.set(note, fragment);
    this.references.set(link, `[^${label}]`);
    for (const place of [link, link.parent, link.parent?.parent]) {
      const id = place === undefined ? undefined : (attribute(place, "id") ?? attribute(place, "name"));
      if (id !== undefined) this.origins.add(id);
    }
  }

  /** The surer the link is a reference, the more its text may be. */
  private labelPattern(link: Node, fragment: string): RegExp {
    if (isMarkedReference(link)) return NAME;
    if (!isRaised(this.tree, link)) return NUMBER;
    return NOTE_FRAGMENT.test(fragment) ? NAME : LABEL;
  }

  /** The element that the fragment's note fills; undefined where it is no note of its own. */
  private noteAt(fragment: string, link: Node): Node | undefined {
    const place = this.places.get(fragment);
    if (place === undefined) return undefined;
    let note: Node | undefined = place;
    while (note !== undefined && !NOTE_ELEMENT.test(note.tag.name)) {
      note = note.tag.name === "dt" ? this.tree.nodes[note.end] : note.parent;
    }
    if (note?.tag.name === "td" || note?.tag.name === "p") note = wholeNote(note, place);
    if (note === undefined || note.end - note.index > MAX_NOTE_NODES) return undefined;
    if (link.index > note.index && link.index < note.end) return undefined;
    return (this.fragments.get(note) ?? fragment) === fragment ? note : undefined;
  }

  private isInNote(link: Node): boolean {
    for (let outer = link.parent; outer !== undefined; outer = outer.parent) if (this.labels.has(outer)) return true;
    return false;
  }

  private unique(label: string): string {
    let name = label;
    for (let count = 2; this.taken.has(name); count++) name = `${label}-${count}`;
    this.taken.add(name);
    return name;
  }
}

/** A paragraph that is the first of its note, a cell that is the label of its row. */
function wholeNote(part: Node, place: Node): Node | undefined {
  const outer = part.parent;
  if (part.tag.name === "td") return outer;
  const isWhole = outer !== undefined && /^(?:li|aside|dd)$/.test(outer.tag.name) && outer.index + 1 === part.index;
  return isWhole && place !== part ? outer : part;
}

function mayRefer(tree: Tree, link: Node): boolean {
  const fragment = fragmentOf(link);
  if (fragment === "" || isMarkedWayBack(link)) return false;
  return isMarkedReference(link) || isRaised(tree, link) || NOTE_FRAGMENT.test(fragment);
}

function isMarkedReference(link: Node): boolean {
  const { parent } = link;
  if (attribute(link, "role") === "doc-noteref" || attribute(link, "data-footnote-ref") !== undefined) return true;
  if (REFERENCE_CLASS.test(link.className)) return true;
  return parent?.tag.name === "sup" && (parent.className === "reference" || REFERENCE_CLASS.test(parent.className));
}

/** A link in a superscript, or round one and nothing else. */
function isRaised(tree: Tree, link: Node): boolean {
  const inner = tree.nodes[link.index + 1];
  return link.parent?.tag.name === "sup" || (inner?.tag.name === "sup" && inner.end === link.end);
}

function isMarkedWayBack(link: Node): boolean {
  return (
    attribute(link, "role") === "doc-backlink" ||
    attribute(link, "data-footnote-backref") !== undefined ||
    /(?:^|\s)(?:fn-backref|footnote-back(?:ref)?|reversefootnote)(?:\s|$)/.test(link.className)
  );
}

function fragmentOf(link: Node): string {
  const href = attribute(link, "href") ?? "";
  const at = href.indexOf("#");
  if (at < 0) return "";
  const fragment = href.slice(at + 1);
  if (!fragment.includes("%")) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** `[^label]: ` before the note (GFM, Pandoc, PHP Markdown Extra). */
export const note: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    const label = writer.parts.footnotes.labels.get(node) ?? "";
    writer.output.openItem(`[^${label}]: `);
    writer.dropNoteLabel(label, beginsRaised(writer.request.tree, node));
    return false;
  },
  leave(writer) {
    writer.endBlock();
    writer.output.close();
  },
};

function beginsRaised(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node !== undefined && node.text.trim() !== "") return node.parent?.tag.name === "sup";
  }
  return false;
}

/** The text of a note without the label that it repeats; a raised one needs no point or bracket to be known. */
export function withoutLabel(text: string, label: string, isRaised: boolean): string {
  const rest = text.replace(/^(?:\\?[[(]\s*\\?[\])]|[.:^,]|\s)+/, "");
  const bare = label.replace(/-\d+$/, "");
  const opener = /^\\?[[(]/.exec(rest)?.[0] ?? "";
  if (!rest.startsWith(bare, opener.length)) return rest;
  const closer = (isRaised ? RAISED_CLOSER : CLOSER).exec(rest.slice(opener.length + bare.length))?.[0];
  return closer === undefined && opener.length + bare.length < rest.length
    ? rest
    : rest.slice(opener.length + bare.length + (closer?.length ?? 0));
}
