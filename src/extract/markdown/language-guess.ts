import { languageOfFile } from "./language-names.js";

/** Longer text is not parsed: who shows so much JSON names it. */
const MAX_JSON_CHARS = 20_000;
const FILE_COMMENT =
  /^(?:\/\/|\/\*|<!--|#(?=\s)|--(?=\s))\s*(?:file(?:name)?:\s*)?([\w@./[\]-]+\.\w+)\s*(?:\*\/|-->)?$/i;
const SHEBANG = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*\/)?([a-z]+)[\d.]*(?:\s|$)/;
const INTERPRETERS: ReadonlyMap<string, string> = new Map([
  ["sh", "sh"],
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["fish", "fish"],
  ["python", "python"],
  ["node", "javascript"],
  ["ruby", "ruby"],
  ["perl", "perl"],
  ["php", "php"],
  ["lua", "lua"],
  ["awk", "awk"],
  ["pwsh", "powershell"],
]);
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^<\?php\b/, "php"],
  [/^<\?xml\s/, "xml"],
  [/^<!doctype html\b/i, "html"],
  [/^diff --git a\//, "diff"],
  [/^--- \S.*\n\+\+\+ \S.*\n@@ /, "diff"],
  [/^>>> \S/, "pycon"],
];

/** The language of code that says itself what it is: by its first line, or as JSON that parses; else "". */
export function guessLanguage(text: string): string {
  const opening = OPENINGS.find(([pattern]) => pattern.test(text));
  if (opening !== undefined) return opening[1];
  const lineEnd = text.indexOf("\n");
  const line = (lineEnd < 0 ? text : text.slice(0, lineEnd)).trim();
  if (line.startsWith("#!")) return INTERPRETERS.get(SHEBANG.exec(line)?.[1] ?? "") ?? "";
  const file = lineEnd < 0 ? undefined : FILE_COMMENT.exec(line)?.[1];
  if (file !== undefined) return languageOfFile(file);
  return isJson(text.trim()) ? "json" : "";
}

function isJson(text: string): boolean {
  const isWhole = (text.startsWith("{") && text.endsWith("}")) || /^\[\s*[[{]/.test(text);
  if (!isWhole || !text.includes(":") || text.length > MAX_JSON_CHARS) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
