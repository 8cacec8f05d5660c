/** A page's content, as an author means it. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly value: string }
  | { readonly kind: "break" }
  | { readonly kind: "mark"; readonly tag: MarkTag; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "reference"; readonly label: string };

export type MarkTag = "strong" | "b" | "em" | "i" | "del" | "s";

export interface Item {
  /** Of a task; undefined for other items. */
  readonly isChecked: boolean | undefined;
  /** The first paragraph stands in the item without a `p`. */
  readonly isBare: boolean;
  readonly children: readonly Block[];
}

export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly kind: "quote"; readonly children: readonly Block[] }
  | { readonly kind: "code"; readonly value: string; readonly language: string }
  | { readonly kind: "rule" }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: "definitions"; readonly entries: readonly Definition[] };

export interface Definition {
  readonly term: readonly Inline[];
  readonly children: readonly Block[];
}

export interface Note {
  readonly label: string;
  readonly children: readonly Block[];
}

export interface DocumentTree {
  readonly blocks: readonly Block[];
  readonly notes: readonly Note[];
}
