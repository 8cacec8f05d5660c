import { type Heading, type Section, sectionsOf } from "./sections.js";

/**
 * What a scan of a declaration file stops at: comments and strings (skipped whole, so that a brace inside them counts
 * for nothing), braces, and a declaration at the start of a line. Each alternative takes what it began even when it is
 * not closed, which keeps the scan linear on broken files.
 */
const SCAN = new RegExp(
  [
    /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/,
    /\/\/[^\n]*/,
    /"(?:[^"\\\n]|\\[^\n])*"?/,
    /'(?:[^'\\\n]|\\[^\n])*'?/,
    /`(?:[^`\\]|\\[\s\S])*`?/,
    /[{}]/,
    /^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:const[ \t]+)?(?<keyword>class|interface|type|function|const|let|var|enum|namespace|module)[ \t]+(?<name>[\w$.]+|"[^"\n]*"|'[^'\n]*')/,
  ]
    .map((alternative) => alternative.source)
    .join("|"),
  "gmu",
);

/** A block whose members are declarations themselves. */
interface Scope {
  readonly depth: number;
  readonly prefix: string;
}

/**
 * Cuts a `.d.ts` file at its declarations, each with the JSDoc before it; members of a namespace are called
 * `Namespace.Member`, overloads are one section. A scanner, not a compiler: it knows comments, strings and braces.
 */
export function splitDeclarations(text: string): readonly Section[] {
  const headings: Heading[] = [];
  const scopes: Scope[] = [];
  let depth = 0;
  let comment: { readonly start: number; readonly end: number } | undefined;
  let opening: string | undefined;
  for (const match of text.matchAll(SCAN)) {
    const [source] = match;
    const scope = scopes.at(-1);
    const name = match.groups?.name?.replace(/["']/gu, "");
    if (source.startsWith("/*")) comment = { start: match.index, end: match.index + source.length };
    else if (source === "{") {
      depth += 1;
      if (opening !== undefined) scopes.push({ depth, prefix: opening });
      opening = undefined;
    } else if (source === "}") {
      if (scope?.depth === depth) scopes.pop();
      depth = Math.max(0, depth - 1);
    } else if (name !== undefined && depth === (scope?.depth ?? 0)) {
      const keyword = match.groups?.keyword;
      const qualified = `${scope?.prefix ?? ""}${name}`;
      const documented = comment !== undefined && text.slice(comment.end, match.index).trim() === "";
      const start = documented && comment !== undefined ? comment.start : match.index;
      if (keyword === "namespace") opening = `${qualified}.`;
      if (keyword === "module") opening = "";
      const previous = headings.at(-1);
      const level = Math.min(scopes.length + 1, 6);
      if (previous?.text !== qualified || previous.level !== level) {
        headings.push({ start: lineStart(text, start), level, text: qualified, id: qualified });
      }
    }
  }
  return sectionsOf(text, headings);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
