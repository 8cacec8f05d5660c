import type { Extraction } from "postern/extract";

/** Nothing of half a surrogate pair, every offset inside the text, every share a share: holds for any input. */
export function faultsOf(read: Extraction): readonly string[] {
  const { markdown, text, title, metadata, outline, removedText, quality, signals } = read;
  const words = [
    markdown,
    text,
    title,
    ...stringsIn({ metadata, signals, removedText }),
    ...outline.map((entry) => entry.title),
  ];
  const counts = [quality.codeBlocks, quality.tables, quality.headings, quality.links];
  const claims: Readonly<Record<string, boolean>> = {
    "not well-formed": words.some((word) => /\p{Surrogate}/u.test(word)),
    "not trimmed": markdown !== markdown.trim(),
    "outline outside the text": outline.some(
      ({ start, end }) => !(start >= 0 && start < end && end <= markdown.length),
    ),
    "coverage is no share": !(quality.coverage >= 0 && quality.coverage <= 1),
    "kept more than there is": counts.some(({ kept, total }) => kept > total),
  };
  return Object.keys(claims).filter((claim) => claims[claim] === true);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.entries(value).flat().flatMap(stringsIn) : [];
}
