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

/** `host:port` (RFC 3986 3.2), an IPv6 address in brackets: the way back. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
