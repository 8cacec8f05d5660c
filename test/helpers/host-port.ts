/** `host:port` as a URL or a `CONNECT` writes it: an IPv6 address stands in brackets (RFC 3986 3.2.2). */
export function hostPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
