import type { Tree } from "../tree.js";

/** What a page wrote: nothing is known of the values. */
export type JsonObject = Readonly<Record<string, unknown>>;

const MAX_SCRIPT_CHARS = 500_000;
const MAX_OBJECTS = 500;
/** Comment marks that some tools put round the JSON, for readers of HTML older than scripts; the parser has renamed CDATA. */
const WRAPPING = /^\s*(?:\/[/*]\s*)?(?:<!--|<!-?\[?CDATA\[)\s*(?:\*\/)?|(?:\/[/*]\s*)?(?:-->|\]\]>)\s*(?:\*\/\s*)?$/g;
/** Every branch matches whatever follows, so that the scans stay linear. */
const STRING_OR_COMMENT = /"(?:[^"\\]+|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const STRING_OR_LAST_COMMA = /"(?:[^"\\]+|\\[\s\S])*"?|,(?=\s{0,1000}[}\]])/g;
const ESCAPED = /\\(?:["\\/bfnrt]|u[\da-f]{4})|[\\\p{Cc}]/giu;
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects at the top of the page's JSON-LD scripts, and those in their `@graph`. */
export function jsonLdObjects({ scripts, html }: Tree): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (const { type, start, end } of scripts) {
    if (!type.trim().startsWith("application/ld+json") || end - start > MAX_SCRIPT_CHARS) continue;
    for (const value of [parseLenient(html.slice(start, end))].flat()) {
      if (!isObject(value)) continue;
      const graph = value["@graph"];
      for (const object of graph === undefined ? [value] : [graph].flat()) {
        if (isObject(object) && found.length < MAX_OBJECTS) found.push(object);
      }
    }
  }
  return found;
}

/** JSON as pages have it: in comment marks, with comments, line breaks in strings, wrong escapes, a comma too many. */
function parseLenient(text: string): unknown {
  const bare = text.replace(WRAPPING, "");
  return parseJson(bare) ?? parseJson(repaired(bare));
}

const repaired = (json: string): string =>
  json
    .replace(STRING_OR_COMMENT, (token) => (token.startsWith('"') ? repairedString(token) : ""))
    .replace(STRING_OR_LAST_COMMA, (token) => (token === "," ? "" : token))
    .replace(/;\s*$/, "");

const repairedString = (token: string): string =>
  token.replace(ESCAPED, (part) => (part.length > 1 ? part : (ESCAPES[part] ?? "")));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
