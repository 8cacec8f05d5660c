import type { Dispatcher } from "undici";
import { FetchError } from "../errors.js";
import { type BodyReader, createBodyReader, parseContentCoding, type ReadBody } from "./body.js";
import type { Connection } from "./connections.js";
import type { Deadline } from "./deadline.js";
import { netFailure } from "./net-failure.js";
import { isRedirect } from "./redirects.js";
import { createResponseHeaders, type RawHeaders, type ResponseHeaders } from "./response-headers.js";

/** One request on one connection, redirects and retries left aside. */
export interface ExchangeRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly maxBytes: number;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Empty for a redirect, whose body is never read, and for an answer that can have none. */
  readonly body: ReadBody;
}

/** What was used on the wire, counted up as it happens. */
export interface WireUsage {
  /** Written to a socket. */
  requests: number;
  /** Of bodies, as they came. */
  wireBytes: number;
}

const NO_BODY: ReadBody = { bytes: new Uint8Array(0), truncated: undefined };

/** RFC 9110 6.4.1: whatever their header says, their message ends with it. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);
/** Without a `TE` of ours, all that a server may frame with (RFC 9112 7.4), and what says that it does not. */
const TRANSFER_CODINGS: ReadonlySet<string> = new Set(["chunked", "identity"]);

/**
 * Sends the request and reads the answer within its caps. The connection is given back when the answer came to its
 * end, and destroyed in every other case.
 * @throws FetchError, BlockedError by the connector, or the deadline's reason
 */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  deadline: Deadline,
  usage: WireUsage,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(connection, request, deadline, usage, {
      resolve: (answer) => {
        unsubscribe();
        resolve(answer);
      },
      reject: (error) => {
        unsubscribe();
        // First of all: ending the connection makes undici report that end as an error of its own.
        reject(netFailure(error));
        connection.destroy();
      },
    });
    const unsubscribe = deadline.onEnd((reason) => handler.fail(reason));
    if (deadline.reason !== undefined) return handler.fail(deadline.reason);
    const { method, target, headers, body = null } = request;
    connection.dispatcher.dispatch({ path: target, method, headers, body }, handler);
  });
}

interface Outcome {
  readonly resolve: (answer: Exchanged) => void;
  readonly reject: (error: unknown) => void;
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #request: ExchangeRequest;
  readonly #deadline: Deadline;
  readonly #usage: WireUsage;
  readonly #outcome: Outcome;
  #reader: BodyReader | undefined;

  constructor(
    connection: Connection,
    request: ExchangeRequest,
    deadline: Deadline,
    usage: WireUsage,
    outcome: Outcome,
  ) {
    this.#connection = connection;
    this.#request = request;
    this.#deadline = deadline;
    this.#usage = usage;
    this.#outcome = outcome;
  }

  /** Ends the exchange from outside. */
  fail(error: Error): void {
    if (this.#reader === undefined) this.#outcome.reject(error);
    else this.#reader.fail(error);
  }

  onRequestStart(): void {
    this.#deadline.stage = "headers";
    this.#usage.requests += 1;
  }

  onResponseStart(_controller: unknown, status: number, raw: RawHeaders): void {
    if (status < 200) return;
    this.#deadline.stage = "body";
    const headers = createResponseHeaders(raw);
    try {
      refuseUnknownFraming(headers);
      if (this.#request.method === "HEAD" || BODILESS.has(status) || isRedirect(status, headers)) {
        this.#outcome.resolve({ status, headers, body: NO_BODY });
        // An end that came in the same read has given the connection back by then; nothing more is waited for.
        setImmediate(() => this.#connection.destroy());
        return;
      }
      this.#refuseDeclaredLength(headers);
      const coding = parseContentCoding(headers.get("content-encoding"));
      this.#reader = createBodyReader(coding, this.#request.maxBytes, () => this.#connection.destroy());
    } catch (error) {
      this.#outcome.reject(error);
      return;
    }
    this.#reader.result.then((body) => this.#outcome.resolve({ status, headers, body }), this.#outcome.reject);
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    this.#usage.wireBytes += chunk.length;
    this.#reader?.push(chunk);
  }

  onResponseEnd(): void {
    this.#connection.release();
    this.#reader?.finish("complete");
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#connection.destroy();
    if (this.#reader === undefined) this.#outcome.reject(error);
    // Where the protocol is broken, rather than the connection, nothing of a body can be told from its framing.
    else if (netFailure(error).code === "protocol_error") this.#reader.fail(netFailure(error));
    else this.#reader.finish("broken");
  }

  #refuseDeclaredLength(headers: ResponseHeaders): void {
    const { maxBytes } = this.#request;
    const declaredBytes = Number(headers.get("content-length") ?? 0);
    if (declaredBytes > maxBytes) {
      throw new FetchError("too_large", `The document is ${declaredBytes} bytes long; the limit is ${maxBytes}.`, {
        details: { declaredBytes, maxBytes },
      });
    }
  }
}

/** The parser reads a body until the connection ends when it does not know the coding: its chunks would be content. */
function refuseUnknownFraming(headers: ResponseHeaders): void {
  const codings = headers.getAll("transfer-encoding");
  if (codings.length > 1 || codings.some((coding) => !TRANSFER_CODINGS.has(coding.trim().toLowerCase()))) {
    throw new FetchError("protocol_error", "The server frames its answer in a way that was not asked for.");
  }
}
