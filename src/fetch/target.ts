import { ConfigError } from "../errors.js";
import type { Jail } from "../net/index.js";

/** What is to be fetched, and where on it to begin. */
export interface Target {
  readonly kind: "web" | "docs";
  /** Without its fragment. */
  readonly url: string;
  readonly fragment: string;
}

/** Checks what can be checked without a look-up. Throws `ConfigError` `invalid_argument` and `BlockedError`. */
export function parseTarget(input: unknown, jail: Jail): Target {
  if (typeof input !== "string" || input.trim() === "") {
    throw new ConfigError("invalid_argument", "`url` is missing.", {
      hint: "Give an http(s) URL, or a docs: URL of a search result.",
    });
  }
  const text = input.trim();
  const hash = text.indexOf("#");
  const fragment = hash === -1 ? "" : text.slice(hash + 1);
  if (/^docs:/i.test(text)) return { kind: "docs", url: hash === -1 ? text : text.slice(0, hash), fragment };
  return { kind: "web", url: jail.checkUrl(text).href, fragment };
}
