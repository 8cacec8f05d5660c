const MAX_LOGGED_CHARS = 8192;

/**
 * A URL that can be logged: no userinfo, no fragment, and each query value replaced by its length in brackets
 * (`?q=[11]`). Text that is no URL becomes a fixed word, since nothing is known of it.
 */
export function redactUrl(text: string): string {
  if (text.length > MAX_LOGGED_CHARS) return `(${text.length} characters)`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "(not a URL)";
  }
  const origin = url.origin === "null" ? url.protocol : url.origin;
  const path = url.origin === "null" ? `(${url.pathname.length})` : url.pathname;
  if (url.search.length < 2) return origin + path;
  const query = url.search.slice(1).split("&").map(redactPair).join("&");
  return `${origin}${path}?${query}`;
}

function redactPair(pair: string): string {
  const at = pair.indexOf("=");
  // A query without a name is all value: `?token`.
  const value = pair.slice(at + 1);
  // What was redacted before stays as it is, so that the lines of one call can be matched.
  if (/^\[\d+\]$/.test(value)) return pair;
  return at < 0 ? `[${pair.length}]` : `${pair.slice(0, at)}=[${value.length}]`;
}
