import { findSecrets } from "../guard/secret-formats.js";
import { redactUrl as redactUrlParts } from "../net/redact-url.js";

const MAX_SCANNED_CHARS = 65_536;

/** Replaces every secret of a known format by `[secret]`. Text beyond 65,536 characters is cut off, unread. */
export function redactSecrets(text: string): string {
  const scanned = text.slice(0, MAX_SCANNED_CHARS);
  const places = [...findSecrets(scanned)].sort((a, b) => a.start - b.start);
  let redacted = "";
  let from = 0;
  for (const { start, end } of places) {
    if (start >= from) redacted += `${scanned.slice(from, start)}[secret]`;
    from = Math.max(from, end);
  }
  return redacted + scanned.slice(from);
}

/** A URL fit for a log: no userinfo, no fragment, no query values, and no secret in its path. Never throws. */
export function redactUrl(url: string): string {
  return redactSecrets(redactUrlParts(url));
}
