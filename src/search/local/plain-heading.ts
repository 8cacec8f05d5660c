/** Beyond this nothing of a heading's source is read: room for a row of badges, none for a hostile line. */
export const MAX_HEADING_SOURCE = 8_192;
const MAX_HEADING_LENGTH = 300;

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** What Markdown writes around a text, in the order in which it goes: a badge is an image inside a link. */
const INLINE: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/<[^<>]*>/gu, ""],
  [/!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/gu, ""],
  [/\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/gu, "$1"],
  // Cut off in the middle of a link or a tag.
  [/!?\[([^[\]]*)\]\([^)]*$/u, "$1"],
  [/<[a-z/!][^<>]*$/iu, ""],
  [/\*\*|~~/gu, ""],
  [/(?<![\p{L}\p{N}*\\])\*(?=[^\s*])([^*]*[^\s*\\])\*(?![\p{L}\p{N}*])/gu, "$1"],
  [/(?<![\p{L}\p{N}_])_+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N})])_+(?![\p{L}\p{N}_])/gu, ""],
  [/\\([!-/:-@[-`{-~])/gu, "$1"],
];

/** Heading text as a reader sees it, 300 characters at most: no emphasis, code ticks, link targets, images or tags. */
export function plainHeading(source: string): string {
  return source
    .slice(0, MAX_HEADING_SOURCE)
    .split("`")
    .map((piece, index) => (index % 2 === 1 ? piece : plainInline(piece)))
    .join("")
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/gu, " ")
    .trim()
    .slice(0, MAX_HEADING_LENGTH)
    .replace(/[\ud800-\udbff]$/u, "")
    .trimEnd();
}

function plainInline(source: string): string {
  const plain = INLINE.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
  return plain.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => ENTITIES[entity] ?? entity);
}
