/** WHATWG HTML §13.2.3.2: "prescan a byte stream to determine its encoding" looks no further. */
export const PRESCAN_BYTES = 1_024;

const SPACE = new Set(["\t", "\n", "\f", "\r", " "]);

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

/**
 * The encoding label that a `<meta charset>`, a `<meta http-equiv=content-type>` or an XML declaration states in `head`,
 * the first 1,024 bytes as an isomorphic string; `undefined` when none does. Comments and other tags are skipped
 * as the standard skips them, so that a label quoted in an attribute does not count.
 */
export function prescanCharset(head: string): string | undefined {
  let position = 0;
  while (position < head.length) {
    if (head.startsWith("<!--", position)) {
      const end = head.indexOf("-->", position + 2);
      if (end === -1) break;
      position = end + 3;
    } else if (isMeta(head, position)) {
      const meta = readMeta(head, position + 5);
      if (meta.label !== undefined) return meta.label;
      position = meta.end;
    } else if (/^<\/?[A-Za-z]/.test(head.slice(position, position + 3))) {
      while (position < head.length && !SPACE.has(head[position] ?? "") && head[position] !== ">") position++;
      for (let next = readAttribute(head, position); next !== undefined; next = readAttribute(head, position)) {
        position = next.end;
      }
      position++;
    } else if (/^<[!/?]/.test(head.slice(position, position + 2))) {
      const end = head.indexOf(">", position);
      if (end === -1) break;
      position = end + 1;
    } else {
      const next = head.indexOf("<", position + 1);
      position = next === -1 ? head.length : next;
    }
  }
  return xmlEncoding(head);
}

/** The label of `<?xml … encoding="…"?>` (XML 1.0 §4.3.3), which must be the very first thing. */
export function xmlEncoding(head: string): string | undefined {
  if (!/^<\?xml[\t\n\r ]/.test(head)) return undefined;
  const declaration = head.slice(0, head.indexOf(">"));
  return /\sencoding\s{0,20}=\s{0,20}(?:"([^"]{1,60})"|'([^']{1,60})')/
    .exec(declaration)
    ?.slice(1)
    .find((label) => label !== undefined);
}

function isMeta(head: string, position: number): boolean {
  const after = head[position + 5] ?? "";
  return head.slice(position, position + 5).toLowerCase() === "<meta" && (SPACE.has(after) || after === "/");
}

function readMeta(head: string, from: number): { readonly label: string | undefined; readonly end: number } {
  const seen = new Map<string, string>();
  let position = from;
  for (let next = readAttribute(head, position); next !== undefined; next = readAttribute(head, position)) {
    if (!seen.has(next.name)) seen.set(next.name, next.value);
    position = next.end;
  }
  const isPragma = seen.get("http-equiv") === "content-type";
  const label = seen.get("charset") ?? (isPragma ? charsetOfContent(seen.get("content") ?? "") : undefined);
  return { label: label === "" ? undefined : label, end: position + 1 };
}

/** "Get an attribute"; names and values lower case. `undefined` at the end of the tag or of the input. */
function readAttribute(head: string, from: number): Attribute | undefined {
  let position = from;
  while (SPACE.has(head[position] ?? "") || head[position] === "/") position++;
  if (position >= head.length || head[position] === ">") return undefined;
  const nameStart = position;
  // An `=` that comes first belongs to the name.
  position++;
  while (position < head.length && !/[=\t\n\f\r />]/.test(head[position] ?? "")) position++;
  const name = head.slice(nameStart, position).toLowerCase();
  let equals = position;
  while (SPACE.has(head[equals] ?? "")) equals++;
  if (head[equals] !== "=") return { name, value: "", end: position };
  position = equals + 1;
  while (SPACE.has(head[position] ?? "")) position++;
  const quote = head[position];
  if (quote === '"' || quote === "'") {
    const end = head.indexOf(quote, position + 1);
    if (end === -1) return { name, value: "", end: head.length };
    return { name, value: head.slice(position + 1, end).toLowerCase(), end: end + 1 };
  }
  const valueStart = position;
  while (position < head.length && !/[\t\n\f\r >]/.test(head[position] ?? "")) position++;
  return { name, value: head.slice(valueStart, position).toLowerCase(), end: position };
}

/** WHATWG HTML §2.6.6, "extracting a character encoding from a meta element". */
function charsetOfContent(content: string): string | undefined {
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/.exec(content);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
