import { lookup } from "node:dns";
import { FetchError, isPosternError } from "../errors.js";

/** Every address of a host, as text. Rejects when there is none. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** The system's resolver, all answers in its order: getaddrinfo, so that hosts files and split DNS hold here too. */
export const systemResolver: Resolver = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true, order: "verbatim" }, (error, answers) => {
      if (error === null) resolve(answers.map((answer) => answer.address));
      else reject(error);
    });
  });

/** @throws FetchError `dns_failed`; or the signal's reason, which ends the wait and not the look-up itself. */
export async function lookUp(resolver: Resolver, host: string, signal?: AbortSignal): Promise<readonly string[]> {
  signal?.throwIfAborted();
  let answers: readonly string[];
  try {
    answers = await (signal === undefined ? resolver(host) : untilAborted(resolver(host), signal));
  } catch (error) {
    throw isPosternError(error) ? error : dnsFailure(error);
  }
  if (!Array.isArray(answers) || answers.length === 0) throw dnsFailure();
  return answers;
}

function dnsFailure(cause?: unknown): FetchError {
  return new FetchError("dns_failed", "The host's name could not be resolved.", cause === undefined ? {} : { cause });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
