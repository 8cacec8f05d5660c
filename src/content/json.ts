import type { OutlineEntry } from "../types.js";

/** Shorter JSON is read whole; an outline would only repeat it. */
const MIN_OUTLINED_CHARS = 8_000;
/** Keys and array items below the root: what a reader needs to choose a part. */
const OUTLINE_DEPTH = 2;
const MAX_MEMBERS_PER_CONTAINER = 50;
const MAX_ENTRIES = 1_000;
const MAX_TITLE_CHARS = 80;

export interface JsonReading {
  readonly form: "document" | "lines" | "invalid";
  /** Empty for short documents, JSON lines and invalid JSON. */
  readonly outline: readonly OutlineEntry[];
}

/** Looks at JSON without touching it: numbers, key order and layout stay exactly as they came. */
export function readJson(text: string): JsonReading {
  if (isJson(text)) {
    return { form: "document", outline: text.length < MIN_OUTLINED_CHARS ? [] : outlineOfJson(text) };
  }
  return { form: isJsonLines(text) ? "lines" : "invalid", outline: [] };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON Lines, NDJSON or RFC 7464 text sequences: two or more lines, each a JSON value. */
function isJsonLines(text: string): boolean {
  let values = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(text.startsWith("\x1e", start) ? start + 1 : start, end);
    if (line.trim() !== "") {
      if (!isJson(line)) return false;
      values++;
    }
    start = end + 1;
  }
  return values >= 2;
}

interface Container {
  readonly isArray: boolean;
  readonly prefix: string;
  /** The next value or key begins a member. */
  atMember: boolean;
  members: number;
  /** Index of the member that is open. */
  current: number;
}

type MutableEntry = { -readonly [K in keyof OutlineEntry]: OutlineEntry[K] };

/**
 * The keys and items of the two topmost levels of valid JSON, with offsets, found by one scan without recursion.
 * Containers with more than 50 members end in an entry that stands for the rest.
 */
export function outlineOfJson(text: string): OutlineEntry[] {
  const entries: MutableEntry[] = [];
  const containers: Container[] = [];
  let depth = 0;

  const closeMember = (container: Container, end: number): void => {
    const entry = entries[container.current];
    if (entry !== undefined) entry.end = end;
  };
  const openMember = (container: Container, start: number, title: string): void => {
    container.atMember = false;
    container.members++;
    if (container.members > MAX_MEMBERS_PER_CONTAINER || entries.length >= MAX_ENTRIES) {
      const last = entries[container.current];
      if (last !== undefined && !last.title.endsWith(" …")) last.title += " …";
      return;
    }
    closeMember(container, start);
    container.current = entries.length;
    const number = `${container.prefix}${container.members}`;
    entries.push({ number, level: containers.length, title, start, end: text.length });
  };

  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === COLON) continue;
    const container = depth <= OUTLINE_DEPTH ? containers[depth - 1] : undefined;
    if (code === COMMA) {
      if (container !== undefined) container.atMember = true;
      continue;
    }
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (container !== undefined) {
        closeMember(container, index);
        containers.pop();
      }
      depth--;
      continue;
    }
    const end = code === QUOTE ? endOfString(text, index) : index + 1;
    if (container?.atMember === true) {
      const title = container.isArray ? `[${container.members}]` : titleOfKey(text.slice(index, end));
      openMember(container, index, title);
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth <= OUTLINE_DEPTH) {
        const prefix = container === undefined ? "" : `${entries[container.current]?.number ?? ""}.`;
        const folded = container !== undefined && container.members > MAX_MEMBERS_PER_CONTAINER;
        containers.push({
          isArray: code === OPEN_BRACKET,
          prefix,
          atMember: !folded,
          members: folded ? MAX_MEMBERS_PER_CONTAINER : 0,
          current: -1,
        });
      }
    }
    index = end - 1;
  }
  return entries;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The offset after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return Math.min(index + 1, text.length);
}

function titleOfKey(literal: string): string {
  const key: unknown = isJson(literal) ? JSON.parse(literal) : literal;
  const title = String(key)
    .slice(0, MAX_TITLE_CHARS)
    .replace(/\s+/g, " ")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .trim();
  return title === "" ? '""' : title;
}
