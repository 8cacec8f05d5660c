import { Parser } from "htmlparser2";

export const TITLE_CHARS = 300;
export const SNIPPET_CHARS = 1_000;

const BREAKS: ReadonlySet<string> = new Set(["br", "p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "dt", "dd"]);

/** Highlighting that engines put around matched words; every quantifier stops at the next `<`, so time is linear. */
const HIGHLIGHT = /<(b|strong|em|mark|span)(?:\s[^<>]*)?>([^<]*)<\/\1>/gi;

/**
 * One line of plain text from a provider's title or snippet: entities decoded once, control characters gone, at most
 * `maxChars` UTF-16 units.
 *
 * `html` sources escape what is not markup, so every tag goes. `text` sources do not: only paired highlighting goes,
 * because `<div>: the content division element` and `Vec<T>` are what a developer searched for.
 */
export function plainText(source: string, kind: "html" | "text", maxChars: number): string {
  const bounded = source.slice(0, maxChars * 8);
  const markup = kind === "html" ? bounded : bounded.replace(HIGHLIGHT, "$2").replaceAll("<", "&lt;");
  let text = "";
  const parser = new Parser({
    ontext: (data) => {
      text += data;
    },
    onopentagname: (name) => {
      if (BREAKS.has(name)) text += " ";
    },
  });
  parser.end(markup);
  return clippedLine(text, maxChars);
}

/** Control characters and runs of white space become one space; a lone surrogate becomes U+FFFD. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .trim();
}

/** `oneLine` of text that is decoded already, cut to `maxChars` UTF-16 units with an ellipsis. */
export function clippedLine(text: string, maxChars: number): string {
  const line = oneLine(text);
  return line.length <= maxChars ? line : `${dropHalfPair(line.slice(0, maxChars - 1)).trimEnd()}…`;
}

/** Takes away a high surrogate that a cut left alone at the end. */
export function dropHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
