import { textOf } from "../markdown/text-of.js";
import { parse } from "../parse.js";

const NOTHING_GONE = new Uint8Array(0);
const MARKUP = /<(?:\/[a-z]|(?:br|hr|img|p)\b)/i;

/** A stranger's words on one line of well-formed text, at most `maxChars` of them; undefined when none are left. */
export function oneLine(text: string | undefined, maxChars: number): string | undefined {
  if (text === undefined) return undefined;
  const line = text
    .slice(0, 4 * maxChars)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const cut = line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
  // Node 20 has the method; the library types of ES2023 do not.
  const wellFormed = (cut as string & { toWellFormed(): string }).toWellFormed().trimEnd();
  return wellFormed === "" ? undefined : wellFormed;
}

/** As `oneLine`, of a value whose references to characters were escaped once too often, as in many titles. */
export function unescapedLine(value: string | undefined, maxChars: number): string | undefined {
  if (value?.includes("&") !== true) return oneLine(value, maxChars);
  return lineOfHtml(value.slice(0, 4 * maxChars).replaceAll("<", "&lt;"), maxChars);
}

/** As `unescapedLine`, of a value that may be HTML, as in many fields of JSON-LD; `List<T>` is none. */
export function plainLine(value: string | undefined, maxChars: number): string | undefined {
  if (value === undefined || !MARKUP.test(value)) return unescapedLine(value, maxChars);
  return lineOfHtml(value.slice(0, 8 * maxChars), maxChars);
}

function lineOfHtml(html: string, maxChars: number): string | undefined {
  const tree = parse(html);
  return oneLine(textOf(tree, NOTHING_GONE, tree.root, 4 * maxChars), maxChars);
}
