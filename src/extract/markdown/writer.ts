import { attribute, type Node, type Tree } from "../tree.js";
import { TAB_WRITERS } from "./controls.js";
import { ELEMENTS } from "./elements.js";
import { collapseSpace, escapeText, shortenDataUris } from "./escape.js";
import { InlineBuffer } from "./inline.js";
import type { CodePlace } from "./language.js";
import type { LinkResolver } from "./links.js";
import { Output } from "./output.js";
import { PageParts } from "./page-parts.js";
import { ROLE_WRITERS } from "./role-writers.js";
import { createRoleTable, type Role } from "./roles.js";

/** What to write, and how. */
interface WriteRequest {
  readonly tree: Tree;
  /** 1 for nodes that are not written. */
  readonly gone: Uint8Array;
  readonly links: LinkResolver;
  /** `alt` names images without their address; `link` writes `![alt](url)`. */
  readonly images: "alt" | "link";
  /** Buttons and other controls are text too. */
  readonly keepsControls: boolean;
}

/** Called at an element's start; true when it has written the whole element. */
export type Enter = (writer: MarkdownWriter, node: Node) => boolean;

export interface ElementWriter {
  readonly enter: Enter;
  readonly leave?: (writer: MarkdownWriter, node: Node) => void;
}

/** State that all writers of one document share. */
interface Shared {
  readonly roleOf: (className: string) => Role;
  /** Footnote labels by the id of the note. */
  readonly footnotes: Map<string, string>;
  readonly pageParts: PageParts;
  readonly hasTabPanels: boolean;
  /** Tab labels by the id of their panel or of the tab itself. */
  readonly tabLabels: Map<string, string>;
  readonly untitledTabs: string[];
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
  /** Inside a table cell, where no block can stand. */
  readonly isInCell: boolean;
  readonly tableDepth: number;
  /** Counters of open lists; undefined for unordered ones. */
  readonly counters: (number | undefined)[] = [];
  /** The open heading: blocks inside it are parts of its line. */
  heading: Node | undefined;
  private nextIsTight = false;
  private nextLevel = 0;

  constructor(request: WriteRequest, outer?: MarkdownWriter) {
    this.request = request;
    this.shared = outer?.shared ?? {
      roleOf: createRoleTable(),
      footnotes: new Map(),
      pageParts: new PageParts(request.tree),
      hasTabPanels: request.tree.html.includes("tabpanel"),
      tabLabels: new Map(),
      untitledTabs: [],
      images: new Set(),
    };
    this.isInCell = outer !== undefined;
    this.tableDepth = outer === undefined ? 0 : outer.tableDepth + 1;
  }

  /** The subtree's content, without `root`'s own markup. */
  write(root: Node): string {
    const { tree, gone } = this.request;
    const { nodes } = tree;
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
      const writer = this.writerFor(node);
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

  private writerFor(node: Node): ElementWriter | undefined {
    if (node.attributes.length > 0) {
      const role = node.className === "" ? "" : this.shared.roleOf(node.className);
      const special = role === "" ? undefined : ROLE_WRITERS.get(role);
      const part = this.shared.hasTabPanels ? TAB_WRITERS.get(this.attribute(node, "role")) : undefined;
      if (special !== undefined || part !== undefined) return special ?? part;
    }
    return ELEMENTS.get(node.tag.name);
  }

  text(text: string): void {
    this.inline.text(escapeText(shortenDataUris(collapseSpace(text)), this.inline.isInLink));
  }

  /** The writer for content that is not laid out here, such as a table cell's; one for all of them. */
  nested(): MarkdownWriter {
    this.inner ??= new MarkdownWriter(this.request, this);
    return this.inner;
  }

  /** Ends the paragraph that is being collected. */
  endBlock(): void {
    if (this.heading !== undefined) {
      this.inline.space();
      return;
    }
    if (this.inline.isEmpty) {
      this.inline.flush();
      return;
    }
    this.block(this.inline.flush());
  }

  block(markdown: string): void {
    const level = this.nextLevel;
    this.nextLevel = 0;
    if (markdown === "") return;
    const isHeading = level > 0 && !this.isInCell;
    this.output.block(isHeading ? `${"#".repeat(level)} ${markdown}` : markdown, { isTight: this.nextIsTight });
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
    return { tree, gone, tabLabels: this.shared.tabLabels };
  }

  attribute(node: Node, name: string): string {
    return attribute(node, name) ?? "";
  }
}
