/** Resolves backslash escapes (CSS Syntax 3, 4.3.7). */
export function unescapeCss(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_all, code: string | undefined, char: string) => {
    if (code === undefined) return char;
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
