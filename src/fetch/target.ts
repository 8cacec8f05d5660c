import { ConfigError } from "../errors.js";
import type { Jail } from "../net/index.js";
import type { FetchRequest } from "../types.js";

/** What is to be fetched, and where on it to begin. */
export interface Target {
  readonly kind: "web" | "docs";
  /** Without its fragment. */
  readonly url: string;
  readonly fragment: string;
}

/** Checks what can be checked without a look-up. Throws `ConfigError` `invalid_argument` and `BlockedError`. */
export function parseTarget(request: FetchRequest, jail: Jail): Target {
  assertArguments(request);
  const input: unknown = request.url;
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

/** With its fragment, which is not sent, but which a model may have written a secret into all the same. */
export function wholeUrl({ url, fragment }: Target): URL {
  const whole = new URL(url);
  whole.hash = fragment;
  return whole;
}

const TEXTS = ["prompt", "section", "find"] as const;
const NUMBERS = ["offset", "maxBytes"] as const;

/** Callers without types send anything. */
function assertArguments(request: FetchRequest): void {
  const wrong =
    TEXTS.find((name) => request[name] !== undefined && typeof request[name] !== "string") ??
    NUMBERS.find((name) => request[name] !== undefined && typeof request[name] !== "number");
  if (wrong !== undefined) throw new ConfigError("invalid_argument", `\`${wrong}\` has the wrong type.`);
}
