import { ConfigError, type ProviderError } from "../errors.js";
import { parseRetryAfter } from "../net/retry-after.js";
import { parseUrl } from "../parse-url.js";
import type { ProviderContext } from "./provider.js";
import { type ProviderCode, providerFailure, transportFailure } from "./provider-failure.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ProviderRequest {
  readonly url: URL;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a provider knows better than the status table. */
export interface Failure {
  readonly code: ProviderCode;
  readonly retryAfterMs?: number | undefined;
  readonly hint?: string;
}

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Statuses with one meaning for nearly every provider; the rest go by their class. */
const STATUS_CODES: Readonly<Record<number, ProviderCode>> = {
  400: "provider_invalid_request",
  401: "provider_auth",
  402: "provider_quota_exhausted",
  403: "provider_auth",
  404: "provider_misconfigured",
  405: "provider_misconfigured",
  407: "provider_misconfigured",
  408: "provider_timeout",
  410: "provider_unsupported",
  413: "provider_invalid_request",
  414: "provider_invalid_request",
  422: "provider_invalid_request",
  429: "provider_rate_limited",
  451: "provider_blocked",
};
const CLASS_CODES: Readonly<Record<number, ProviderCode>> = { 3: "provider_misconfigured", 5: "provider_unavailable" };

/** One exchange, whatever its status. Redirects are not followed: a key would travel with them. */
export async function sendRequest(
  provider: string,
  request: ProviderRequest,
  context: ProviderContext,
): Promise<ProviderReply> {
  try {
    const response = await context.fetch(request.url, {
      method: request.method ?? "GET",
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: "manual",
      signal: context.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    throw transportFailure(provider, cause, context.signal);
  }
}

/** One exchange whose answer must be a JSON object; `explain` reads what an error status means before the table does. */
export async function sendJson(
  provider: string,
  request: ProviderRequest,
  context: ProviderContext,
  explain: (reply: ProviderReply) => Failure | undefined = () => undefined,
): Promise<JsonObject> {
  const reply = await sendRequest(provider, request, context);
  if (reply.status < 200 || reply.status > 299) throw statusFailure(provider, reply, context, explain(reply));
  const body = asObject(parseJson(reply.text));
  if (body === undefined) throw providerFailure(provider, "provider_bad_response", { status: reply.status });
  return body;
}

/** The error that a reply's status stands for. */
export function statusFailure(
  provider: string,
  reply: ProviderReply,
  context: ProviderContext,
  failure?: Failure,
): ProviderError {
  const { status } = reply;
  const code =
    failure?.code ?? STATUS_CODES[status] ?? CLASS_CODES[Math.trunc(status / 100)] ?? "provider_bad_response";
  const waitMs = failure?.retryAfterMs ?? parseRetryAfter(reply.headers, (context.now ?? Date.now)());
  return providerFailure(provider, code, {
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS) }),
    ...(failure?.hint === undefined ? {} : { hint: failure.hint }),
  });
}

/** A setting that becomes a header value, where a stray newline would make an error that quotes the key. */
export function assertKey(provider: string, key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]{1,512}$/.test(trimmed)) return trimmed;
  throw new ConfigError(
    "invalid_configuration",
    `The key of ${provider} is empty or holds characters that no key has.`,
    {
      hint: "Copy the key again, on one line and without quotes.",
    },
  );
}

/** An http(s) base address without its trailing slash. Throws `ConfigError` for anything else. */
export function baseUrlOf(provider: string, baseUrl: string): string {
  const url = parseUrl(baseUrl);
  const plain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !plain || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ConfigError("invalid_configuration", `The base URL of ${provider} is not a plain http(s) address.`, {
      hint: "Give scheme, host and path only, such as http://localhost:8080.",
    });
  }
  return url.href.replace(/\/$/, "");
}

/** `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const asArray = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The empty string for anything that is not text. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");
