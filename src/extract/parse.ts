import type { Tokenizer, TokenizerCallbacks } from "htmlparser2";
import { inDocumentOrder } from "./document-order.js";
import { EmbeddedTexts } from "./embedded-texts.js";
import { OpenElements } from "./open-elements.js";
import { Source } from "./source.js";
import { createTagTable, DOCUMENT, FOREIGN_BREAKOUT, HEAD_PARTS, SVG_KEPT, type Tag, TEXT } from "./tags.js";
import { TextRun } from "./text-run.js";
import { createTokenizer } from "./tokenizer.js";
import { Node, type Tree } from "./tree.js";

/** As browsers do: deeper elements become siblings, so that every walk up is bounded. */
const MAX_DEPTH = 512;
const MAX_NODES = 2_000_000;
const RAW_TEXT: ReadonlySet<string> = new Set(["script", "style"]);
/**
 * Builds the tree from htmlparser2's tokens. The tree construction is the useful part of HTML 13.2.6: implied end
 * tags, scopes, mis-nested formatting, `head` and `body`, foreign content, what tables cannot hold. Quirks are left out.
 */
class TreeBuilder implements TokenizerCallbacks {
  readonly nodes: Node[] = [];
  readonly root: Node;
  readonly embedded: EmbeddedTexts;
  /** The tables before which content stands that they cannot hold. */
  readonly fostered = new Map<Node, Node>();
  isTruncated = false;
  tokenizer: Tokenizer | undefined;

  private readonly html: string;
  private readonly source: Source;
  private readonly classNames = new Map<string, string>();
  private readonly tagOf = createTagTable();
  private readonly open: OpenElements;
  private readonly run: TextRun;
  private tag: Tag = DOCUMENT;
  /** Where the attributes of the tag that is being read begin. */
  private attributesStart = 0;
  private overflow = 0;
  private hasHead = false;
  private hasBody = false;

  constructor(html: string) {
    this.html = html;
    this.embedded = new EmbeddedTexts(html);
    this.source = new Source(html);
    this.run = new TextRun(this.source);
    this.root = this.append(DOCUMENT, undefined, 0, 0);
    this.open = new OpenElements(this.nodes, this.root);
  }

  ontext(start: number, end: number): void {
    const { top } = this.open;
    const { name } = top.tag;
    if (name === "script") this.embedded.addScript(top, start, end);
    else if (name === "style") {
      if (!this.open.isForeign) this.embedded.addStyle(top, start, end);
    } else this.run.add(start, end, top.tag.isRawText);
  }

  ontextentity(): void {}

  onopentagname(start: number, end: number): void {
    const tag = this.tagOf(this.html.slice(start, end));
    this.tag = tag.name === "image" && !this.open.isForeign ? this.tagOf("img") : tag;
    this.attributesStart = this.source.size;
  }

  onattribname(start: number, end: number): void {
    this.source.addAttribute(start, end);
  }

  onattribdata(start: number, end: number): void {
    this.source.setValue(start, end);
  }

  onattribentity(): void {}
  onattribend(): void {}

  onopentagend(): void {
    this.startTag(false);
  }

  onselfclosingtag(): void {
    this.startTag(this.open.isForeign || this.tag.name === "svg" || this.tag.name === "math");
  }

  onclosetag(start: number, end: number): void {
    this.flushText();
    this.endTag(this.tagOf(this.html.slice(start, end)));
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.embedded.addComment(start, end - endOffset);
  }

  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.flushText();
    this.open.popAll();
  }

  isInForeignContext(): boolean {
    return this.open.isForeign;
  }

  /** Of an element, `from` and `to` are its attributes' places; of text, its own. */
  private append(tag: Tag, parent: Node | undefined, from: number, to: number, text?: string): Node {
    const index = this.nodes.length;
    const written = from < to && tag !== TEXT ? this.source.attribute(from, to, "class") : undefined;
    const className = written === undefined ? "" : this.intern(written);
    const node = new Node(tag, parent, index, className, this.source, from, to, text);
    this.nodes.push(node);
    if (index >= MAX_NODES && !this.isTruncated) {
      this.isTruncated = true;
      this.tokenizer?.pause();
    }
    return node;
  }

  /** One string for equal class attributes: the passes look them up thousands of times. */
  private intern(className: string): string {
    const known = this.classNames.get(className);
    if (known !== undefined) return known;
    this.classNames.set(className, className);
    return className;
  }

  private flushText(): void {
    const { run } = this;
    if (run.isEmpty) return;
    const { text, start, end } = run;
    const isBlank = run.isBlank(text);
    run.clear();
    if (isBlank && this.open.top.tag.dropsBlankText) return;
    if (!isBlank && this.open.top.tag.name === "head") this.open.pop();
    if (!isBlank && !this.hasBody) this.implyBody();
    this.place(TEXT, start, end, text);
  }

  /** Appends to the innermost open element, or before the table when that can only hold its parts. */
  private place(tag: Tag, from: number, to: number, text?: string): Node {
    const { open } = this;
    const staysInTable = tag.isTablePart || tag.isTableGuest || open.isForeign;
    const table = staysInTable ? undefined : open.tableAround();
    const node = this.append(tag, table?.parent ?? open.top, from, to, text);
    if (table !== undefined) this.fostered.set(node, table);
    return node;
  }

  private startTag(selfClosing: boolean): void {
    this.flushText();
    const { tag, open } = this;
    const { name } = tag;
    if (open.isForeign) {
      if (FOREIGN_BREAKOUT.has(name)) open.popForeign();
      else if (open.isInSvg && !SVG_KEPT.has(name)) return;
    }
    if (name === "html" || name === "head" || name === "body") {
      if (!this.startsDocumentPart(name)) return;
    } else if (!this.hasBody) {
      if (HEAD_PARTS.has(name)) this.implyHead();
      else {
        if (open.top.tag.name === "head") open.pop();
        this.implyBody();
      }
    }
    if (name === "form" ? open.hasForm : tag.isTablePart && name !== "table" && !open.isInTable) return;
    if (!open.isForeign) open.endImplied(tag);
    if ((name === "td" || name === "th") && open.tableAround() !== undefined && open.top.tag.name !== "tr") {
      open.push(this.append(this.tagOf("tr"), open.top, 0, 0));
    }
    if (name === "a") this.endFormatting(tag);
    const node = this.place(tag, this.attributesStart, this.source.size);
    if (tag.isVoid || selfClosing) return;
    if (open.depth >= MAX_DEPTH && !RAW_TEXT.has(name)) this.overflow += 1;
    else open.push(node);
  }

  /** Tags may be left out, style rules name the elements all the same (HTML 13.2.6.4.2 to 13.2.6.4.6). */
  private implyBody(): void {
    if (this.imply("body")) this.hasBody = true;
  }

  private implyHead(): void {
    if (!this.hasHead) this.hasHead = this.imply("head");
  }

  private implyHtml(): void {
    const { open, root } = this;
    if (open.top === root) open.push(this.append(this.tagOf("html"), root, 0, 0));
  }

  private imply(part: string): boolean {
    const { open } = this;
    this.implyHtml();
    if (open.top.tag.name !== "html") return false;
    open.push(this.append(this.tagOf(part), open.top, 0, 0));
    return true;
  }

  /** A second `html`, `head` or `body` is ignored, as is their order. */
  private startsDocumentPart(name: string): boolean {
    const { open } = this;
    if (name === "html") return this.nodes.length === 1;
    if (this.hasBody) return false;
    this.implyHtml();
    if (name === "head") {
      if (this.hasHead || open.top.depth > 1) return false;
      this.hasHead = true;
      return true;
    }
    open.popHead();
    this.hasBody = open.top.depth < 2;
    return this.hasBody;
  }

  private endTag(tag: Tag): void {
    const { name } = tag;
    if (tag.isVoid) {
      if (name === "br") this.place(tag, 0, 0);
    } else if (this.overflow > 0 && !RAW_TEXT.has(name)) this.overflow -= 1;
    else if (name === "body" || name === "html") return;
    else if (name === this.open.top.tag.name && name !== "form") this.open.pop();
    else if (tag.isFormatting) this.endFormatting(tag);
    else if (!this.open.end(tag) && name === "p" && this.hasBody) this.place(tag, 0, 0);
  }

  private endFormatting(tag: Tag): void {
    for (const block of this.open.endFormatting(tag)) {
      this.open.push(this.append(block.tag, this.open.top, block.from, block.to));
    }
  }
}

/** Parses a document of any shape; never throws. Linear in the length of `html`. */
export function parse(html: string): Tree {
  // Outside SVG and MathML a CDATA section is a comment that ends at the first `>` (HTML 13.2.5.42), not at `]]>`.
  const source = html.includes("CDATA[") ? html.replaceAll("<![CDATA[", "<!-CDATA[ ") : html;
  const builder = new TreeBuilder(source);
  const tokenizer = createTokenizer(builder);
  builder.tokenizer = tokenizer;
  tokenizer.write(source);
  if (builder.isTruncated) builder.onend();
  else tokenizer.end();
  const { root, fostered, isTruncated, embedded } = builder;
  const nodes = fostered.size === 0 ? builder.nodes : inDocumentOrder(builder.nodes, fostered);
  const { styles, comments, commentCount } = embedded;
  const scripts = embedded.placedScripts();
  const formulas = scripts.filter(({ type }) => type.startsWith("math/tex"));
  const texScripts = new Map(formulas.map((script) => [script.index, script]));
  return { html: source, nodes, root, styles, scripts, texScripts, comments, commentCount, isTruncated };
}
