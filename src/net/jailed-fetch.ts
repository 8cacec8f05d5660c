import { ConfigError, FetchError } from "../errors.js";
import { parseUrl } from "../parse-url.js";
import { createJail, type JailOptions } from "./jail.js";
import type { Method } from "./request-headers.js";
import { refusal } from "./rules.js";
import {
  createTransport,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from "./transport.js";

/** What a transport of its own is made with. */
type OwnTransport = JailOptions &
  Pick<TransportOptions, "userAgent" | "ca" | "env" | "proxy" | "unusedProxy" | "tlsExceptions" | "onEvent">;

export interface JailedFetchOptions
  extends OwnTransport,
    Pick<TransportRequest, "timeoutMs" | "maxBytes" | "maxRedirects"> {
  /**
   * An existing transport, with its jail, proxy and certificates, none of which may then be given here. It stays open when
   * this fetch closes. Default: one of its own.
   */
  readonly transport?: Transport | undefined;
  /** When given, no hop leaves these origins: a key meant for one service stays with it. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** Each option that goes to a transport of its own, and so means nothing beside another. */
const OWN_TRANSPORT: { readonly [K in keyof OwnTransport]-?: true } = {
  resolve: true,
  exemptions: true,
  ports: true,
  deny: true,
  nat64Prefixes: true,
  userAgent: true,
  ca: true,
  env: true,
  proxy: true,
  unusedProxy: true,
  tlsExceptions: true,
  onEvent: true,
};

export type JailedFetch = typeof fetch & {
  /** Leaves no socket behind. */
  close(): Promise<void>;
};

/** `Request` is used for bodies and headers alone: the jail must be the only one to parse the URL. */
const PLACEHOLDER_URL = "http://placeholder.invalid/";

/**
 * A `fetch` that cannot reach private addresses. The body is read before it returns, within `maxBytes`; forbidden
 * headers are dropped, other schemes and credentials in the URL are refused. `statusText` is empty, as over HTTP/2.
 *
 * Instead of `TypeError` it throws BlockedError, FetchError (also for a body that was cut or broke off) and
 * ConfigError for a request that cannot be sent.
 */
export function createJailedFetch(options: JailedFetchOptions = {}): JailedFetch {
  const { timeoutMs, maxBytes, maxRedirects } = options;
  const ignored = Object.keys(OWN_TRANSPORT).find((name) => options[name as keyof OwnTransport] !== undefined);
  if (options.transport !== undefined && ignored !== undefined) {
    throw new ConfigError("invalid_argument", `\`${ignored}\` means nothing beside \`transport\`.`, {
      hint: "Give it to createJail or createTransport, which that transport was made with.",
    });
  }
  const transport = options.transport ?? createTransport({ ...options, jail: createJail(options) });
  const approveHop = originGuard(options.allowedOrigins);

  const jailedFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const source = isRequestLike(input) ? input : undefined;
    const request = toRequest(source, init);
    const response = await transport.request({
      url: source?.url ?? String(input),
      method: request.method as Method,
      headers: Object.fromEntries(request.headers),
      body: request.body ?? undefined,
      redirect: request.redirect,
      signal: init.signal ?? source?.signal,
      timeoutMs,
      maxBytes,
      maxRedirects,
      approveHop,
    });
    return toResponse(response);
  };
  return Object.assign(jailedFetch, {
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  });
}

/** Any realm's or library's `Request`, not only the global class. */
function isRequestLike(input: string | URL | Request): input is Request {
  return typeof input === "object" && "url" in input;
}

function toRequest(source: Request | undefined, init: RequestInit): Request {
  const { signal: _, ...rest } = init;
  const inherited: RequestInit =
    source === undefined
      ? {}
      : { method: source.method, headers: source.headers, body: source.body, redirect: source.redirect };
  try {
    return new Request(PLACEHOLDER_URL, { duplex: "half", ...inherited, ...rest });
  } catch {
    // Its message quotes the header, which may hold a key.
    throw new ConfigError("invalid_argument", "The request's method, headers or body are not valid.");
  }
}

function toResponse(answer: TransportResponse): Response {
  const { status, headers, bytes, truncated, url, hops, location, requests, wireBytes } = answer;
  const details = { requests, wireBytes };
  if (truncated === "cap") throw new FetchError("too_large", "The answer is larger than the limit.", { details });
  if (truncated === "stream") {
    throw new FetchError("connect_failed", "The answer broke off before its end.", { details });
  }
  // What `Response` can hold (Fetch standard 5.5).
  if (status < 200 || status > 599) {
    throw new FetchError("protocol_error", "The server sent an unknown status.", { details });
  }
  const fields = new Headers();
  for (const [name, value] of headers.rawEntries()) fields.append(name, value);
  if (location !== undefined) fields.set("location", location);
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const response = new Response(hasBody ? bytes : null, { status, headers: fields });
  Object.defineProperties(response, { url: { value: url }, redirected: { value: hops.length > 1 } });
  return response;
}

function originGuard(origins: readonly string[] | undefined): ((url: URL) => Promise<void>) | undefined {
  if (origins === undefined) return undefined;
  for (const origin of origins) {
    if (parseUrl(origin)?.origin !== origin) {
      throw new ConfigError("invalid_configuration", "allowedOrigins holds something that is no exact origin.");
    }
  }
  const allowed = new Set(origins);
  return async (url) => {
    if (!allowed.has(url.origin)) throw refusal("redirect_origin");
  };
}
