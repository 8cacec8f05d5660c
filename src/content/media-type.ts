/** A parsed media type (WHATWG MIME Sniffing §4). */
export interface MediaType {
  /** `type/subtype`, lower case, without parameters. */
  readonly essence: string;
  /** Names lower case, values as sent; the first of a repeated name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const QUOTED_STRING_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HTTP_WHITESPACE = new Set(["\t", "\n", "\r", " "]);
/** Longer headers are noise; real ones are under a hundred characters. */
const MAX_HEADER_CHARS = 2_000;

/**
 * The media type of a `Content-Type` header, repeated headers joined by commas included: the last valid one counts and
 * inherits the charset of an earlier equal one (Fetch §2.2.2, "extract a MIME type"). `undefined` when none is valid.
 */
export function parseContentType(header: string): MediaType | undefined {
  let found: MediaType | undefined;
  for (const value of splitList(header.slice(0, MAX_HEADER_CHARS))) {
    const parsed = parseMediaType(value);
    if (parsed === undefined || parsed.essence === "*/*") continue;
    const inherited = found?.essence === parsed.essence ? found.parameters.get("charset") : undefined;
    found =
      inherited === undefined || parsed.parameters.has("charset")
        ? parsed
        : { essence: parsed.essence, parameters: new Map([...parsed.parameters, ["charset", inherited]]) };
  }
  return found;
}

/** The charset label of a header too sloppy to parse, such as `text/html charset=utf-8` or `charset='utf-8'`. */
export function charsetLabelOf(header: string): string | undefined {
  const label =
    parseContentType(header)?.parameters.get("charset") ??
    /charset\s{0,9}=\s{0,9}([^\s;,]{1,60})/i.exec(header.slice(0, MAX_HEADER_CHARS))?.[1];
  return label?.replace(/^["']+|["']+$/g, "");
}

/** Parses one media type (WHATWG MIME Sniffing §4.4); `undefined` when it is not one. */
export function parseMediaType(input: string): MediaType | undefined {
  const text = trimWhitespace(input);
  const typeEnd = text.indexOf("/");
  const subtypeEnd = indexOrEnd(text, ";", typeEnd + 1);
  const type = text.slice(0, Math.max(0, typeEnd));
  const subtype = trimWhitespace(text.slice(typeEnd + 1, subtypeEnd));
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  return { essence: `${type}/${subtype}`.toLowerCase(), parameters: parseParameters(text, subtypeEnd + 1) };
}

function parseParameters(text: string, from: number): Map<string, string> {
  const parameters = new Map<string, string>();
  let position = from;
  while (position < text.length) {
    while (HTTP_WHITESPACE.has(text[position] ?? "")) position++;
    const nameStart = position;
    while (position < text.length && text[position] !== ";" && text[position] !== "=") position++;
    const name = text.slice(nameStart, position).toLowerCase();
    if (text[position] !== "=") {
      position++;
      continue;
    }
    position++;
    let value: string;
    const quoted = text[position] === '"';
    if (quoted) {
      const string = readQuotedString(text, position);
      value = string.value;
      position = indexOrEnd(text, ";", string.end) + 1;
    } else {
      const end = indexOrEnd(text, ";", position);
      value = trimWhitespace(text.slice(position, end));
      position = end + 1;
    }
    const usable = TOKEN.test(name) && QUOTED_STRING_VALUE.test(value) && (quoted || value !== "");
    if (usable && !parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

function readQuotedString(text: string, start: number): { value: string; end: number } {
  let value = "";
  let position = start + 1;
  while (position < text.length && text[position] !== '"') {
    if (text[position] === "\\" && position + 1 < text.length) position++;
    value += text[position];
    position++;
  }
  return { value, end: position + 1 };
}

function splitList(header: string): string[] {
  const values: string[] = [];
  let start = 0;
  let position = 0;
  while (position < header.length) {
    if (header[position] === '"') {
      position = readQuotedString(header, position).end;
      continue;
    }
    if (header[position] === ",") {
      values.push(header.slice(start, position));
      start = position + 1;
    }
    position++;
  }
  values.push(header.slice(start));
  return values;
}

function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && HTTP_WHITESPACE.has(text[start] ?? "")) start++;
  while (end > start && HTTP_WHITESPACE.has(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}

function indexOrEnd(text: string, needle: string, from: number): number {
  const index = text.indexOf(needle, from);
  return index === -1 ? text.length : index;
}
