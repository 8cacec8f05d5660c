interface Container {
  /** Prefix of its first line, and of the others. */
  readonly first: string;
  readonly rest: string;
  isUsed: boolean;
  readonly list: List | undefined;
  blocks: number;
}

interface List {
  readonly isNested: boolean;
  isLoose: boolean;
  hasItems: boolean;
}

/** Deeper quotes and lists are written at this depth: nobody reads them, and each line would carry their prefixes. */
const MAX_CONTAINERS = 20;

/** Lays blocks out: prefixes of quotes and list items, blank lines between blocks, none between short items. */
export class Output {
  private parts: string[] = [];
  private readonly containers: Container[] = [];
  private readonly lists: List[] = [];
  /** Open containers too deep to indent. */
  private ignored = 0;

  get isInItem(): boolean {
    return this.containers[this.containers.length - 1]?.list !== undefined;
  }

  /** True when the innermost list item has no text yet. */
  get isAtItemStart(): boolean {
    const top = this.containers[this.containers.length - 1];
    return top?.list !== undefined && !top.isUsed;
  }

  openList(): void {
    this.lists.push({ isNested: this.isInItem, isLoose: false, hasItems: false });
  }

  closeList(): void {
    this.lists.pop();
  }

  openItem(marker: string, rest: string = " ".repeat(marker.length)): void {
    const list = this.lists[this.lists.length - 1];
    this.open(marker, rest, list ?? { isNested: false, isLoose: false, hasItems: false });
  }

  openQuote(): void {
    this.open("> ", "> ");
  }

  open(first: string, rest: string, list?: List): void {
    if (this.containers.length >= MAX_CONTAINERS) {
      this.ignored += 1;
      return;
    }
    this.containers.push({ first, rest, isUsed: false, list, blocks: 0 });
  }

  close(): void {
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const container = this.containers.pop();
    if (container?.first === "") this.countBlocks(container.blocks);
    if (container?.list === undefined || !container.isUsed) return;
    container.list.hasItems = true;
    if (container.blocks > 1) container.list.isLoose = true;
  }

  /** Writes one block of one or more lines; an empty one is nothing. */
  block(text: string, options: { readonly isTight?: boolean } = {}): void {
    if (text === "") return;
    const { containers } = this;
    if (containers.length === 0) {
      this.parts.push(this.parts.length === 0 ? text : `${options.isTight === true ? "\n" : "\n\n"}${text}`);
      return;
    }
    if (this.parts.length > 0) this.parts.push(this.separator(options.isTight === true));
    const startsItem = text.startsWith("```") && this.isAtItemStart;
    let first = "";
    let rest = "";
    for (const container of containers) {
      first += container.isUsed ? container.rest : container.first;
      rest += container.rest;
      container.isUsed = true;
    }
    this.countBlocks(1);
    // A fence begins its own line: an item may begin with an empty one (CommonMark 0.31, 5.2).
    this.parts.push((startsItem ? `${first.trimEnd()}\n${rest}` : first) + indentLines(text, rest));
  }

  /** What was written; the output is empty again. */
  take(): string {
    const written = this.parts.join("");
    this.parts = [];
    return written;
  }

  private countBlocks(count: number): void {
    const top = this.containers[this.containers.length - 1];
    if (top !== undefined) top.blocks += count;
  }

  private separator(isTight: boolean): string {
    let prefix = "";
    for (const { isUsed, rest, list } of this.containers) {
      if (isUsed) {
        prefix += rest;
        continue;
      }
      // A new item: close to the one before it, or to the text its list belongs to.
      if (list !== undefined && (list.hasItems ? !list.isLoose : list.isNested)) return "\n";
      break;
    }
    return isTight ? "\n" : `\n${prefix.trimEnd()}\n`;
  }
}

function indentLines(text: string, prefix: string): string {
  if (!text.includes("\n")) return text;
  const blank = prefix.trimEnd();
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line === "" ? blank : prefix + line))
    .join("\n");
}
