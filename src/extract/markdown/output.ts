interface Container {
  /** Prefix of its first line, and of the others. */
  readonly first: string;
  rest: string;
  /** The list whose item it is. */
  readonly list: List | undefined;
  isUsed: boolean;
  blocks: number;
  /** What stands at its end, where that decides how the next block begins. */
  last: "paragraph" | "term" | List | undefined;
}

interface List {
  readonly isOrdered: boolean;
  readonly isNested: boolean;
  /** It follows another of its kind: the same marker would make the two one (CommonMark 0.31, 5.3). */
  readonly isAlternate: boolean;
  /** How many containers it stands in, and whether the innermost was opened for it. */
  readonly depth: number;
  readonly reopensItem: boolean;
  isLoose: boolean;
  /** The indentation of its last item; undefined while it has none. */
  indent: string | undefined;
}

/** Deeper quotes and lists are written at this depth: nobody reads them, and each line would carry their prefixes. */
const MAX_CONTAINERS = 20;
const DEFINITION = ": ";
/** Content of a note stands four spaces in, however long its label is (GFM). */
const NOTE_INDENT = "    ";
const RULE = "---";
/** What a block that is no paragraph begins with; in a paragraph it is escaped. */
const NO_PARAGRAPH = /^(?:#{1,6} |`{3,}[^`\n]*\n|\|.*\n\| ---|---$)/;
/** An ordered list that begins with another number cannot interrupt a paragraph, nor can an empty item (CommonMark 0.31, 5.3). */
const INTERRUPTS = /^(?:[-*]|1[.)]) /;

/** Lays blocks out: prefixes of quotes and list items, blank lines between blocks, none between short items. */
export class Output {
  private parts: string[] = [];
  private readonly root: Container = createContainer("", "");
  private readonly containers: Container[] = [];
  private readonly lists: List[] = [];
  /** Open containers too deep to indent. */
  private ignored = 0;

  /** True when the innermost list item has no text yet. */
  get isAtItemStart(): boolean {
    const { top } = this;
    return top.list !== undefined && !top.isUsed;
  }

  openList(isOrdered: boolean): void {
    const reopensItem = this.reopenItem();
    const { list, last } = this.top;
    this.lists.push({
      isOrdered,
      isNested: list !== undefined,
      isAlternate: typeof last === "object" && last.isOrdered === isOrdered && !last.isAlternate,
      depth: this.containers.length,
      reopensItem,
      isLoose: false,
      indent: undefined,
    });
  }

  closeList(): void {
    const list = this.lists.pop();
    if (list?.reopensItem === true) this.containers.pop();
    else if (list?.indent !== undefined) this.top.last = list;
  }

  /** `marker` is `- `, a number with a dot, or the label of a note. */
  openItem(marker: string): void {
    const list = this.lists[this.lists.length - 1];
    const isNote = marker.startsWith("[");
    const first = list?.isAlternate !== true || isNote ? marker : marker === "- " ? "* " : marker.replace(".", ")");
    this.open(createContainer(first, isNote ? NOTE_INDENT : " ".repeat(marker.length), list ?? createStrayList()));
  }

  openQuote(): void {
    this.open(createContainer("> ", "> "));
  }

  /** A definition inside another keeps to its margin: four spaces would be code. */
  openDefinition(): void {
    const { first, last } = this.top;
    const isAtMargin = first === DEFINITION || this.parts.length === 0;
    const container = createContainer(DEFINITION, isAtMargin ? "" : "  ");
    if (typeof last === "object") container.last = last;
    this.open(container);
  }

  close(): void {
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const container = this.containers.pop();
    if (container?.isUsed !== true) return;
    // The next definition follows this one as this one followed its term; a list in it is none of CommonMark's nesting.
    const { first, blocks, last } = container;
    if (first === DEFINITION) {
      this.top.blocks += blocks;
      if (blocks === 1 || typeof last === "object") this.top.last = last;
    }
    const { list } = container;
    if (list === undefined) return;
    list.indent = container.rest;
    if (container.blocks > 1) list.isLoose = true;
  }

  /** Writes one block of one or more lines; an empty one is nothing. */
  block(text: string, options: { readonly isTight?: boolean; readonly isTerm?: boolean } = {}): void {
    if (text === "") return;
    const { top } = this;
    const isParagraph = !NO_PARAGRAPH.test(text);
    const isFirstInItem = top.list !== undefined && !top.isUsed;
    const startsWithFence = isFirstInItem && text.startsWith("```");
    const isTight = options.isTight === true && isParagraph && !top.isUsed && top.first === DEFINITION;
    if (this.parts.length > 0) this.parts.push(this.separator(isTight, startsWithFence));
    let first = "";
    let rest = "";
    for (const container of this.containers) {
      // A definition's mark stands before text alone: elsewhere it would be the text of a paragraph.
      const isBare = !container.isUsed && container.first === DEFINITION && !(container === top && isParagraph);
      // Without it the blocks stay at the margin, to be copied.
      if (isBare) container.rest = "";
      first += container.isUsed || isBare ? container.rest : container.first;
      rest += container.rest;
      container.isUsed = true;
      container.last = undefined;
    }
    top.blocks += 1;
    top.last = !isParagraph ? undefined : options.isTerm === true ? "term" : "paragraph";
    if (top !== this.root) this.root.last = undefined;
    // A fence begins its own line: an item may begin with an empty one (CommonMark 0.31, 5.2).
    if (startsWithFence) first = `${first.trimEnd()}\n${rest}`;
    this.parts.push(first + (isFirstInItem && text === RULE ? ruleBehind(first) : indentLines(text, rest)));
  }

  /** What was written; the output is empty again. */
  take(): string {
    if (this.parts.length < 2) return this.parts.pop() ?? "";
    const written = this.parts.join("");
    this.parts = [];
    this.root.last = undefined;
    return written;
  }

  private get top(): Container {
    return this.containers[this.containers.length - 1] ?? this.root;
  }

  private open(container: Container): void {
    if (this.containers.length < MAX_CONTAINERS) this.containers.push(container);
    else this.ignored += 1;
  }

  /** A list that stands in another, between its items, belongs to the item before it. */
  private reopenItem(): boolean {
    const outer = this.lists[this.lists.length - 1];
    if (outer?.indent === undefined || outer.depth !== this.containers.length || outer.depth >= MAX_CONTAINERS)
      return false;
    this.containers.push({ ...createContainer(outer.indent, outer.indent, outer), isUsed: true });
    return true;
  }

  private separator(isTight: boolean, startsEmpty: boolean): string {
    let prefix = "";
    let outer = this.root;
    for (const container of this.containers) {
      if (!container.isUsed) {
        if (isCloseItem(container, outer, startsEmpty)) return "\n";
        break;
      }
      prefix += container.rest;
      outer = container;
    }
    return isTight && outer.last === "term" ? "\n" : `\n${prefix.trimEnd()}\n`;
  }
}

/** A rule of the marker's own sign would be one with it (CommonMark 0.31, 4.1). */
function ruleBehind(markers: string): string {
  return markers.includes("*") ? "___" : "***";
}

/** True for a new item that stands close to the one before it, or to the text its list belongs to. */
function isCloseItem({ list, first }: Container, outer: Container, startsEmpty: boolean): boolean {
  if (list === undefined) return false;
  if (list.indent === undefined) return list.isNested && !startsEmpty && INTERRUPTS.test(first);
  return !list.isLoose && typeof outer.last !== "string";
}

function createContainer(first: string, rest: string, list?: List): Container {
  return { first, rest, list, isUsed: false, blocks: 0, last: undefined };
}

function createStrayList(): List {
  return {
    isOrdered: false,
    isNested: false,
    isAlternate: false,
    depth: 0,
    reopensItem: false,
    isLoose: false,
    indent: undefined,
  };
}

function indentLines(text: string, prefix: string): string {
  if (!text.includes("\n")) return text;
  const blank = prefix.trimEnd();
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line === "" ? blank : prefix + line))
    .join("\n");
}
