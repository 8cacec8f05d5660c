import { FetchError, isPosternError } from "../errors.js";
import type { Hop } from "../types.js";
import type { Connections } from "./connections.js";
import { type ChainCookies, createChainCookies } from "./cookies.js";
import type { Deadline } from "./deadline.js";
import { type Exchanged, exchange, type WireUsage } from "./exchange.js";
import { elapsedMs, HopReporter } from "./hop-reporter.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_REDIRECTS } from "./limits.js";
import { proxyAdvice } from "./proxy/advice.js";
import { assertAnsweredByServer, proxyAuthorization } from "./proxy/http-proxy.js";
import type { ProxyRules } from "./proxy/upstream.js";
import { assertRedirectAllowed, followRedirect, type HopIntent, isRedirect, redirectTarget } from "./redirects.js";
import { readRequestBody } from "./request-body.js";
import { requestHeaders, wireHeaders } from "./request-headers.js";
import { withRetry } from "./retry.js";
import type { TlsException } from "./tls/tls-exceptions.js";
import type { TransportOptions, TransportRequest, TransportResponse } from "./transport.js";
import type { CheckedUrl } from "./url-check.js";
import { delegates, viaOf, type Way, wayTo } from "./way.js";

/** What the requests of one transport share. */
export interface ChainRooms extends TransportOptions {
  readonly proxyFor: ProxyRules;
  readonly connect: () => Promise<Connections>;
}

/** One hop's answer, and how it came. */
interface Attempt {
  readonly answer: Exchanged;
  readonly way: Way;
  readonly tlsException: TlsException | undefined;
}

/** One request from its first URL to its last answer. */
export class RequestChain {
  readonly #rooms: ChainRooms;
  readonly #request: TransportRequest;
  readonly #deadline: Deadline;
  readonly #report: HopReporter;
  readonly #hops: Hop[] = [];
  readonly #retryBudget: { left: number };
  readonly #usage: WireUsage = { requests: 0, wireBytes: 0 };
  /** From the first redirect on. */
  #cookies: ChainCookies | undefined;

  constructor(rooms: ChainRooms, request: TransportRequest, deadline: Deadline) {
    this.#rooms = rooms;
    this.#request = request;
    this.#deadline = deadline;
    this.#report = new HopReporter(rooms.onEvent, request.onEvent);
    this.#retryBudget = { left: request.retries ?? 0 };
  }

  async run(): Promise<TransportResponse> {
    try {
      return await this.#follow();
    } catch (error) {
      this.#report.failed(error);
      throw this.#explained(error);
    }
  }

  async #follow(): Promise<TransportResponse> {
    this.#deadline.throwIfEnded();
    const { method = "GET", headers = {}, redirect = "follow", maxRedirects = DEFAULT_MAX_REDIRECTS } = this.#request;
    const { approveHop } = this.#request;
    const body = await readRequestBody(this.#request.body, this.#deadline);
    let intent: HopIntent = { method, headers: requestHeaders(headers, this.#rooms.userAgent ?? "postern"), body };
    let url = this.#check(this.#request.url, 0);

    for (let hop = 0; ; hop += 1) {
      this.#report.moveTo(url.href, hop);
      this.#report.started(intent.method);
      // The policy comes after the rules that need no look-up, and before a name leaves the machine.
      if (approveHop !== undefined) await this.#deadline.suspend(() => approveHop(new URL(url.href), hop));
      const { answer, way } = await this.#ask(url, intent);
      if (!isRedirect(answer.status, answer.headers)) return this.#response(url, answer);

      if (redirect === "error") throw redirectLimit("The server answered with a redirect, which was not wanted.");
      const next = this.#check(redirectTarget(url, answer.headers), hop + 1);
      assertRedirectAllowed(url, next, url.isPrivate || way.route.isPrivate);
      if (redirect === "manual") return { ...this.#response(url, answer), location: next.href };
      if (hop === maxRedirects) throw redirectLimit(`The server redirects more than ${maxRedirects} times.`);
      this.#cookies ??= createChainCookies();
      this.#cookies.store(new URL(url.href), answer.headers.getAll("set-cookie"), Date.now());
      intent = followRedirect(intent, answer.status, url, next);
      url = next;
    }
  }

  #check(href: string, hop: number): CheckedUrl {
    this.#report.moveTo(href, hop);
    return this.#rooms.jail.checkUrl(href);
  }

  async #ask(url: CheckedUrl, intent: HopIntent): Promise<Attempt> {
    const startedAt = performance.now();
    const headers = wireHeaders(intent.headers, this.#cookiesFor(url));
    const attempt = await withRetry(() => this.#attempt(url, { ...intent, headers }), {
      method: intent.method,
      deadline: this.#deadline,
      budget: this.#retryBudget,
      onRetry: (reason, delayMs) => this.#report.retried(reason, delayMs),
    });
    const { answer, way, tlsException } = attempt;
    const exemption = url.exemption ?? way.route.exemption;
    const hop: Hop = {
      url: url.href,
      status: answer.status,
      durationMs: elapsedMs(startedAt),
      via: viaOf(url, way),
      ...(exemption === undefined ? {} : { exemption: exemption.name }),
      ...(way.proxy === undefined ? {} : { proxy: way.proxy.label }),
      ...(tlsException === undefined ? {} : { tlsException: tlsException.name }),
    };
    this.#hops.push(hop);
    this.#report.finished(hop);
    return attempt;
  }

  async #attempt(url: CheckedUrl, intent: HopIntent): Promise<Attempt> {
    this.#deadline.throwIfEnded();
    // The client loads while the name is looked up.
    const connecting = this.#rooms.connect();
    const way = await this.#findWay(url);
    this.#deadline.stage = way.proxy === undefined ? "connect" : "proxy";
    const connection = await (await connecting).take(url, way, this.#deadline);
    const request = {
      method: intent.method,
      target: way.isForwarded ? url.href : url.target,
      headers: way.isForwarded ? { ...intent.headers, ...proxyAuthorization(way.proxy?.credentials) } : intent.headers,
      body: intent.body,
      maxBytes: this.#request.maxBytes ?? DEFAULT_MAX_BYTES,
    };
    const answer = await exchange(connection, request, this.#deadline, this.#usage);
    if (way.isForwarded) assertAnsweredByServer(answer.status, answer.headers, way.proxy?.credentials);
    return { answer, way, tlsException: connection.usedException };
  }

  /** Looks the host up and checks the answers, unless the proxy resolves names. */
  async #findWay(url: CheckedUrl): Promise<Way> {
    const { jail, proxyFor } = this.#rooms;
    const proxy = proxyFor(url);
    if (delegates(url, proxy)) return wayTo(url, { addresses: [], isPrivate: false }, proxy);
    if (url.literal !== undefined) return wayTo(url, await jail.resolve(url), proxy);
    this.#deadline.stage = "dns";
    const startedAt = performance.now();
    const route = await jail.resolve(url, this.#deadline.signal);
    this.#report.resolved(route.addresses.length, startedAt);
    return wayTo(url, route, proxy);
  }

  /**
   * Cookies go only to a URL that this chain has asked before: the consent gate that redirects to itself until its
   * cookie comes back. Anywhere else a cookie could only serve to recognise us.
   */
  #cookiesFor(url: CheckedUrl): string | undefined {
    const wasAsked = this.#hops.some((hop) => hop.url === url.href);
    return wasAsked ? this.#cookies?.headerFor(new URL(url.href)) : undefined;
  }

  /** A FetchError with what was used until then, and with what may be missing to reach a host; others as they are. */
  #explained(error: unknown): unknown {
    if (!isPosternError(error) || error.kind !== "fetch") return error;
    const { code, message, retryable, cause } = error as FetchError;
    const advice = proxyAdvice(error as FetchError, this.#request.url, this.#rooms);
    return new FetchError(code, message, {
      hint: advice === undefined ? error.hint : `${error.hint} ${advice}`,
      retryable,
      cause,
      details: { ...error.details, ...this.#usage },
    });
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

function redirectLimit(message: string): FetchError {
  return new FetchError("redirect_limit", message);
}
