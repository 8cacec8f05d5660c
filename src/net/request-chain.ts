import { FetchError, isPosternError } from "../errors.js";
import type { Hop } from "../types.js";
import type { Connection, Connections } from "./connections.js";
import { createChainCookies } from "./cookies.js";
import type { Deadline } from "./deadline.js";
import { type Exchanged, exchange, isRedirect, type WireUsage } from "./exchange.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_REDIRECTS } from "./limits.js";
import type { NetEvent } from "./net-event.js";
import { withUsage } from "./net-failure.js";
import { proxyAdvice } from "./proxy/advice.js";
import { assertAnsweredByServer, proxyAuthorization } from "./proxy/http-proxy.js";
import type { ProxyRules } from "./proxy/upstream.js";
import { redactUrl } from "./redact-url.js";
import { assertRedirectAllowed, followRedirect, type HopIntent, redirectTarget } from "./redirects.js";
import { readRequestBody } from "./request-body.js";
import { requestHeaders, wireHeaders } from "./request-headers.js";
import { withRetry } from "./retry.js";
import type { TlsException } from "./tls/tls-exceptions.js";
import type { TransportOptions, TransportRequest, TransportResponse } from "./transport.js";
import type { CheckedUrl } from "./url-check.js";
import { delegates, type Way, wayTo } from "./way.js";

/** What the requests of one transport share. */
export interface ChainRooms extends TransportOptions {
  readonly proxyFor: ProxyRules;
  readonly connect: () => Promise<Connections>;
}

/** One request from its first URL to its last answer. */
export class RequestChain {
  readonly #rooms: ChainRooms;
  readonly #request: TransportRequest;
  readonly #deadline: Deadline;
  readonly #emit: ((event: NetEvent) => void) | undefined;
  readonly #hops: Hop[] = [];
  readonly #cookies = createChainCookies();
  readonly #asked = new Set<string>();
  readonly #retryBudget: { left: number };
  readonly #usage: WireUsage = { requests: 0, wireBytes: 0 };

  constructor(rooms: ChainRooms, request: TransportRequest, deadline: Deadline) {
    this.#rooms = rooms;
    this.#request = request;
    this.#deadline = deadline;
    this.#emit = joinListeners(rooms.onEvent, request.onEvent);
    this.#retryBudget = { left: request.retries ?? 0 };
  }

  async run(): Promise<TransportResponse> {
    try {
      return await this.#follow();
    } catch (error) {
      throw withUsage(error, this.#usage, (failure) => proxyAdvice(failure, this.#rooms));
    }
  }

  async #follow(): Promise<TransportResponse> {
    this.#deadline.throwIfEnded();
    const { redirect = "follow", maxRedirects = DEFAULT_MAX_REDIRECTS } = this.#request;
    let intent = await this.#firstIntent();
    let href = this.#request.url;
    let from: CheckedUrl | undefined;
    let status = 0;

    for (let hop = 0; ; hop += 1) {
      const url = await this.#guarded(href, hop, async () => this.#checkedStep(href, from));
      if (from !== undefined) intent = followRedirect(intent, status, from, url);
      await this.#guarded(url.href, hop, () => this.#approve(url, intent.method, hop));
      const answer = await this.#ask(url, intent, hop);
      if (!isRedirect(answer.status) || answer.headers.get("location") === null) return this.#response(url, answer);

      if (redirect === "error") throw redirectLimit("The server answered with a redirect, which was not wanted.");
      const next = await this.#guarded(url.href, hop, async () => redirectTarget(url, answer.headers));
      if (redirect === "manual") {
        const location = await this.#guarded(next, hop + 1, async () => this.#checkedStep(next, url));
        return { ...this.#response(url, answer), location: location.href };
      }
      if (hop === maxRedirects) throw redirectLimit(`The server redirects more than ${maxRedirects} times.`);
      this.#cookies.store(new URL(url.href), answer.headers.getAll("set-cookie"), Date.now());
      from = url;
      status = answer.status;
      href = next;
    }
  }

  async #firstIntent(): Promise<HopIntent> {
    const { method = "GET", headers = {} } = this.#request;
    const body = await readRequestBody(this.#request.body, this.#deadline);
    return { method, headers: requestHeaders(headers, this.#rooms.userAgent ?? "postern"), body };
  }

  /** The policy comes after the rules that need no look-up, and before a name leaves the machine. */
  async #approve(url: CheckedUrl, method: string, hop: number): Promise<void> {
    this.#emit?.({ type: "hop.started", url: redactUrl(url.href), hop, method });
    const { approveHop } = this.#request;
    if (approveHop !== undefined) await this.#deadline.suspend(() => approveHop(new URL(url.href), hop));
  }

  #checkedStep(href: string, from: CheckedUrl | undefined): CheckedUrl {
    const url = this.#rooms.jail.checkUrl(href);
    if (from !== undefined) assertRedirectAllowed(from, url);
    return url;
  }

  async #ask(url: CheckedUrl, intent: HopIntent, hop: number): Promise<Exchanged> {
    const startedAt = performance.now();
    const headers = wireHeaders(intent.headers, this.#chainCookiesFor(url));
    const taken: { way?: Way; tlsException?: TlsException | undefined } = {};
    const attempt = async (): Promise<Exchanged> => {
      // The client loads while the name is looked up.
      const connecting = this.#rooms.connect();
      taken.way = await this.#wayTo(url, hop);
      return await this.#exchange(url, taken.way, { ...intent, headers }, hop, connecting, (connection) => {
        taken.tlsException = connection.usedException;
      });
    };
    const answer = await withRetry(attempt, {
      method: intent.method,
      deadline: this.#deadline,
      budget: this.#retryBudget,
      onRetry: (reason, delayMs) =>
        this.#emit?.({ type: "request.retried", url: redactUrl(url.href), reason, delayMs }),
    });
    const via = viaOf(url, taken.way);
    const exemption = url.exemption ?? taken.way?.route.exemption;
    const durationMs = Math.round(performance.now() - startedAt);
    this.#hops.push({ url: url.href, status: answer.status, durationMs, via });
    this.#emit?.({
      type: "hop.finished",
      url: redactUrl(url.href),
      hop,
      status: answer.status,
      durationMs,
      via,
      ...(exemption === undefined ? {} : { exemption: exemption.name }),
      ...(taken.way?.proxy === undefined ? {} : { proxy: taken.way.proxy.label }),
      ...(taken.tlsException === undefined ? {} : { tlsException: taken.tlsException.name }),
    });
    return answer;
  }

  /** Looks the host up and checks the answers, unless the proxy resolves names. */
  async #wayTo(url: CheckedUrl, hop: number): Promise<Way> {
    this.#deadline.throwIfEnded();
    const proxy = this.#rooms.proxyFor(url);
    if (delegates(url, proxy)) return wayTo(url, { addresses: [] }, proxy);
    this.#deadline.stage = "dns";
    const startedAt = performance.now();
    const route = await this.#guarded(url.href, hop, () =>
      url.literal !== undefined ? this.#rooms.jail.resolve(url) : this.#rooms.jail.resolve(url, this.#deadline.signal),
    );
    if (this.#emit !== undefined && url.literal === undefined) {
      const durationMs = Math.round(performance.now() - startedAt);
      const addresses = route.addresses.length;
      this.#emit({ type: "dns.resolved", url: redactUrl(url.href), hop, addresses, durationMs });
    }
    return wayTo(url, route, proxy);
  }

  #exchange(
    url: CheckedUrl,
    way: Way,
    intent: HopIntent,
    hop: number,
    connecting: Promise<Connections>,
    onAnswer: (connection: Connection) => void,
  ): Promise<Exchanged> {
    this.#deadline.stage = "connect";
    const request = {
      method: intent.method,
      target: way.isForwarded ? url.href : url.target,
      headers: way.isForwarded ? { ...intent.headers, ...proxyAuthorization(way.proxy?.credentials) } : intent.headers,
      body: intent.body,
      maxBytes: this.#request.maxBytes ?? DEFAULT_MAX_BYTES,
    };
    return this.#guarded(url.href, hop, async () => {
      const connections = await connecting;
      const connection = await connections.take(url, way, this.#deadline);
      const answer = await exchange(connection, request, this.#deadline, this.#usage);
      onAnswer(connection);
      if (way.isForwarded) assertAnsweredByServer(answer.status, answer.headers);
      return answer;
    });
  }

  /**
   * Cookies go only to a URL that this chain has asked before: the consent gate that redirects to itself until its
   * cookie comes back. Anywhere else a cookie could only serve to recognise us.
   */
  #chainCookiesFor(url: CheckedUrl): string | undefined {
    const wasAsked = this.#asked.has(url.href);
    this.#asked.add(url.href);
    return wasAsked ? this.#cookies.headerFor(new URL(url.href)) : undefined;
  }

  /** Reports a refusal, by whatever rule, before it ends the request. */
  async #guarded<T>(href: string, hop: number, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (isPosternError(error) && error.kind === "blocked") {
        const rule = String(error.details.rule);
        this.#emit?.({ type: "hop.blocked", url: redactUrl(href), hop, rule });
      }
      throw error;
    }
  }

  #response(url: CheckedUrl, { status, headers, body }: Exchanged): TransportResponse {
    const { bytes, truncated } = body;
    return {
      url: url.href,
      status,
      headers,
      bytes,
      ...this.#usage,
      hops: this.#hops,
      ...(truncated === undefined ? {} : { truncated }),
    };
  }
}

/** The weakest guarantee that held on the way. */
function viaOf(url: CheckedUrl, way: Way | undefined): Hop["via"] {
  if (way?.isDelegated === true) return "delegated";
  if (url.exemption !== undefined) return "exemption";
  return way?.proxy === undefined ? "direct" : "proxy";
}

function redirectLimit(message: string): FetchError {
  return new FetchError("redirect_limit", message);
}

function joinListeners(
  first: ((event: NetEvent) => void) | undefined,
  second: ((event: NetEvent) => void) | undefined,
): ((event: NetEvent) => void) | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (event) => {
    first(event);
    second(event);
  };
}
