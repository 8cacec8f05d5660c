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

/** The port a URL is dialled on. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** The URL's host as a resolver or a socket takes it: no brackets, no trailing dot. */
export function dialHostOf(url: URL): string {
  const host = url.hostname;
  if (host.startsWith("[")) return host.slice(1, -1);
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
