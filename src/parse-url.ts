/**
 * The one way that text becomes a URL here, by the WHATWG parser; `undefined` when it is none. `URL.canParse` is another
 * parser: once it runs hot, node 20 and 22 read its Latin-1 strings as UTF-8 and refuse a host such as `straße.example`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
