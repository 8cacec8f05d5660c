import { attribute, type Node, type Script, type StyleSource } from "./tree.js";

const MAX_COMMENTS = 200;

/** What a document holds beside its own text: style sheets, scripts and comments. */
export class EmbeddedTexts {
  readonly styles: StyleSource[] = [];
  /** The first of them. */
  readonly comments: string[] = [];
  commentCount = 0;
  private readonly html: string;
  private readonly scripts: {
    readonly node: Node;
    readonly type: string;
    readonly start: number;
    readonly end: number;
  }[] = [];

  constructor(html: string) {
    this.html = html;
  }

  addComment(start: number, end: number): void {
    this.commentCount += 1;
    if (this.comments.length < MAX_COMMENTS) this.comments.push(this.html.slice(start, end));
  }

  /** The text of a `style` element of HTML. */
  addStyle(element: Node, start: number, end: number): void {
    const type = typeOf(element);
    if (type !== "" && type !== "text/css") return;
    const around = ancestorNames(element);
    if (around.has("template")) return;
    const media = attribute(element, "media") ?? "";
    this.styles.push({ css: this.html.slice(start, end), media, isInNoscript: around.has("noscript") });
  }

  addScript(node: Node, start: number, end: number): void {
    this.scripts.push({ node, type: typeOf(node), start, end });
  }

  /** Known once the nodes stand in document order. */
  placedScripts(): readonly Script[] {
    return this.scripts.map(({ node, type, start, end }) => {
      return { type, id: attribute(node, "id") ?? "", index: node.index, start, end };
    });
  }
}

function typeOf(element: Node): string {
  return (attribute(element, "type") ?? "").toLowerCase();
}

function ancestorNames(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) names.add(outer.tag.name);
  return names;
}
