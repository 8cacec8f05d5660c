import { attribute, type Node } from "../tree.js";
import type { Place } from "./block-text.js";
import { type DocumentParts, readParts } from "./document-parts.js";
import { ELEMENTS } from "./elements.js";
import { collapseSpace, shortenDataUris } from "./escape.js";
import { withoutLabel } from "./footnotes.js";
import { InlineBuffer } from "./inline.js";
import type { CodePlace } from "./language.js";
import { formula, mayHoldTex, splitTex } from "./math.js";
import { Output } from "./output.js";
import { quotedLines } from "./quoted-lines.js";
import { hasRole, ROLE_WRITERS } from "./role-writers.js";
import { createRoleTable, type Role } from "./roles.js";
import type { WriteRequest } from "./write-request.js";

/** Called at an element's start; true when it has written the whole element. */
export type Enter = (writer: MarkdownWriter, node: Node) => boolean;

export interface ElementWriter {
  readonly enter: Enter;
  readonly leave?: (writer: MarkdownWriter, node: Node) => void;
}

/** State that all writers of one document share. */
interface Shared {
  readonly roleOf: (className: string) => Role;
  /** Read when the writing begins. */
  parts: DocumentParts | undefined;
  /** Descriptions of images that were written already. */
  readonly images: Set<string>;
}

/** Writes subtrees as Markdown (CommonMark 0.31 with GFM tables, footnotes and task lists). */
export class MarkdownWriter {
  readonly request: WriteRequest;
  readonly shared: Shared;
  readonly output: Output = new Output();
  readonly inline: InlineBuffer = new InlineBuffer();
  private inner: MarkdownWriter | undefined;
  private blocks: MarkdownWriter | undefined;
  /** Inside a table cell, where no block can stand. */
  readonly isInCell: boolean;
  readonly tableDepth: number;
  /** Counters of open lists; undefined for unordered ones. */
  readonly counters: (number | undefined)[] = [];
  /** The open heading: blocks inside it are parts of its line. */
  heading: Node | undefined;
  /** Text of a term, which its definition follows closely. */
  isInTerm = false;
  private nextIsTight = false;
  private nextLevel = 0;
  private noteLabel = "";
  private isLabelRaised = false;
  /** The open link whose blocks are lines of its text. */
  private joined: Node | undefined;
  private linkedHeading: { readonly heading: Node; readonly address: string } | undefined;

  constructor(request: WriteRequest, outer?: MarkdownWriter, isInCell: boolean = outer !== undefined) {
    this.request = request;
    this.shared = outer?.shared ?? {
      roleOf: createRoleTable(),
      parts: undefined,
      images: new Set(),
    };
    this.isInCell = isInCell;
    this.tableDepth = outer === undefined ? 0 : outer.tableDepth + 1;
  }

  /** The subtree's content, without `root`'s own markup. */
  write(root: Node): string {
    const { tree, gone } = this.request;
    const { nodes } = tree;
    this.shared.parts ??= readParts(this.request, root);
    const { writers } = this.parts;
    const open: { readonly node: Node; readonly leave: ((writer: MarkdownWriter, node: Node) => void) | undefined }[] =
      [];
    let at = root.index + 1;
    for (;;) {
      for (let top = open[open.length - 1]; top !== undefined && top.node.end <= at; top = open[open.length - 1]) {
        open.pop();
        if (top.leave !== undefined) top.leave(this, top.node);
        else this.endBlock();
      }
      const node = nodes[at];
      if (at >= root.end || node === undefined) break;
      if (gone[at] === 1 && node.tag.name !== "script") {
        at = node.end;
        continue;
      }
      if (node.text !== "") {
        this.text(node.text);
        at += 1;
        continue;
      }
      const writer = (writers.size > 0 ? writers.get(node) : undefined) ?? this.usualWriter(node);
      if (writer === undefined) {
        if (node.tag.isBlock) {
          this.endBlock();
          open.push({ node, leave: undefined });
        }
        at += 1;
        continue;
      }
      if (writer.enter(this, node)) {
        at = node.end;
        continue;
      }
      if (writer.leave !== undefined) open.push({ node, leave: writer.leave });
      else if (node.tag.isBlock) open.push({ node, leave: undefined });
      at += 1;
    }
    this.endBlock();
    return this.output.take();
  }

  /** The writer that an element's classes or its name choose. */
  usualWriter(node: Node): ElementWriter | undefined {
    if (node.hasAttributes) {
      const role = node.className === "" ? "" : this.shared.roleOf(node.className);
      const special = role === "" || !hasRole(this, node, role) ? undefined : ROLE_WRITERS.get(role);
      if (special !== undefined) return special;
    }
    return ELEMENTS.get(node.tag.name);
  }

  text(text: string): void {
    if (!mayHoldTex(text) || !this.parts.rendersTex) this.plain(text);
    else {
      for (const part of splitTex(text)) {
        if (typeof part === "string") this.plain(part);
        else this.formula(formula(part.tex, part.isDisplay), part.isDisplay);
      }
    }
  }

  private plain(text: string): void {
    this.inline.text(shortenDataUris(collapseSpace(text)));
  }

  /** The writer for content that is not laid out here, such as a table cell's; one for all of them. */
  nested(): MarkdownWriter {
    this.inner ??= new MarkdownWriter(this.request, this);
    return this.inner;
  }

  /** The writer for blocks that stand in a frame of their own. */
  standalone(): MarkdownWriter {
    this.blocks ??= new MarkdownWriter(this.request, this, false);
    return this.blocks;
  }

  /** Ends the paragraph that is being collected. */
  endBlock(): void {
    if (this.heading !== undefined) {
      this.inline.space();
      return;
    }
    if (this.joined !== undefined) {
      this.inline.divide();
      return;
    }
    const { place } = this;
    const markdown = this.inline.flush(place);
    if (markdown !== "") for (const block of quotedLines(markdown)) this.block(block, place);
  }

  private get place(): Place {
    if (this.isInCell) return "part";
    if (this.nextLevel > 0) return "heading";
    return this.isInTerm || this.nextIsTight ? "term" : "block";
  }

  block(text: string, place: Place = "block"): void {
    const level = this.nextLevel;
    this.nextLevel = 0;
    const markdown = this.noteLabel === "" ? text : withoutLabel(text, this.noteLabel, this.isLabelRaised);
    if (markdown === "") return;
    this.noteLabel = "";
    const isHeading = level > 0 && !this.isInCell;
    this.output.block(isHeading ? `${"#".repeat(level)} ${markdown}` : markdown, {
      isTight: this.nextIsTight,
      isTerm: place === "term",
    });
    this.nextIsTight = false;
  }

  /** The next block is a heading of this level. */
  headNextBlock(level: number): void {
    this.nextLevel = level;
  }

  /** The next block follows without a blank line. */
  tighten(): void {
    this.nextIsTight = true;
  }

  /** The next block begins with a note's label, which is not written again. */
  dropNoteLabel(label: string, isRaised: boolean): void {
    this.noteLabel = label;
    this.isLabelRaised = isRaised;
  }

  /** Until `endJoin` of the same link, blocks are lines. */
  joinBlocks(link: Node): void {
    this.joined ??= link;
  }

  endJoin(link: Node): void {
    if (this.joined !== link) return;
    this.joined = undefined;
    this.endBlock();
  }

  /** The heading's text links to `address`. */
  linkHeading(heading: Node, address: string): void {
    this.linkedHeading = { heading, address };
  }

  headingAddress(heading: Node): string | undefined {
    return this.linkedHeading?.heading === heading ? this.linkedHeading.address : undefined;
  }

  get parts(): DocumentParts {
    this.shared.parts ??= readParts(this.request, this.request.tree.root);
    return this.shared.parts;
  }

  /** A formula in its line, or as a block where one can stand. */
  formula(markdown: string, isDisplay: boolean): void {
    if (!isDisplay || this.isInCell) {
      this.inline.raw(markdown);
      return;
    }
    this.endBlock();
    this.block(markdown);
  }

  get codePlace(): CodePlace {
    const { tree, gone } = this.request;
    return { tree, gone, tabLabels: this.parts.tabs.labels };
  }

  attribute(node: Node, name: string): string {
    return attribute(node, name) ?? "";
  }
}
