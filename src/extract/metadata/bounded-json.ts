import { isObject, type JsonObject } from "./json-ld.js";

const MAX_OBJECTS = 20;
const MAX_CHARS = 50_000;
const MAX_STRING_CHARS = 2_000;
const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;
/** Terms and prefixed terms of JSON-LD; nothing that means something to JavaScript. */
const KEY = /^@?[a-z][\w:./#-]{0,100}$/i;

/**
 * Copies of the first twenty objects, together at most 50,000 characters of JSON or so: longer strings are cut at 2,000
 * characters, lists at 200 entries, and what is nested deeper than eight levels is left out.
 */
export function boundedObjects(objects: readonly JsonObject[]): readonly JsonObject[] {
  let left = MAX_CHARS;
  const copy = (value: unknown, depth: number): unknown => {
    left -= 6;
    if (typeof value === "string") return copyText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return undefined;
    const entries = Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .filter(([key]) => Array.isArray(value) || KEY.test(key));
    const copied: [string, unknown][] = [];
    for (const [key, one] of entries) {
      if (left <= 0) break;
      left -= key.length;
      const its = copy(one, depth + 1);
      if (its !== undefined) copied.push([key, its]);
    }
    return Array.isArray(value) ? copied.map(([, one]) => one) : Object.fromEntries(copied);
  };
  const copyText = (text: string): string => {
    const cut = text.slice(0, MAX_STRING_CHARS) as string & { toWellFormed(): string };
    left -= cut.length;
    return cut.toWellFormed();
  };
  const copies: JsonObject[] = [];
  for (const object of objects.slice(0, MAX_OBJECTS)) {
    const copied = left > 0 ? copy(object, 0) : undefined;
    if (isObject(copied)) copies.push(copied);
  }
  return copies;
}
