import { channel } from "node:diagnostics_channel";
import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { FetchError, isPosternError } from "../errors.js";

/** Every address of a host, as text. Rejects when there is none. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** Public: every host this package resolves is announced here before it is asked for, as `{ host: string }`. */
const lookupChannel = channel("postern:net:lookup");

/**
 * The machine's own resolver, all answers in its order: getaddrinfo, so that hosts files and split DNS hold here too.
 * It may complete a name by the search list of resolv.conf, as for an intranet host that the user exempted.
 */
export const systemResolver: Resolver = (host) => ask(host);

/**
 * The same for hosts that no exemption names: exactly the name that was checked is asked for. The search list would
 * complete one that does not exist, with `ndots` even one that does, and `docs.example` would be read from
 * `docs.example.corp.example`, which no rule of the user's was asked about. A final dot forbids it (RFC 1034 3.1);
 * since the hosts file knows no such dots, a name that stands there goes without.
 */
export const exactResolver: Resolver = async (host) =>
  ask(COMPLETES_NAMES && !(await isInHostsFile(host)) ? `${host}.` : host);

/** The C libraries of Linux apply the search list to names of several labels; macOS and Windows do not. */
const COMPLETES_NAMES = process.platform === "linux";

function ask(host: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    if (lookupChannel.hasSubscribers) lookupChannel.publish({ host });
    lookup(host, { all: true, order: "verbatim" }, (error, answers) => {
      if (error === null) resolve(answers.map((answer) => answer.address));
      else reject(error);
    });
  });
}

/** Read each time, as getaddrinfo does (hosts(5)). It decides how to ask; what the answer is, getaddrinfo alone. */
async function isInHostsFile(host: string): Promise<boolean> {
  const text = (await readFile("/etc/hosts", "utf8").catch(() => "")).toLowerCase();
  return text.includes(host) && text.split("\n").some((line) => namesIn(line).includes(host));
}

function namesIn(hostsLine: string): readonly string[] {
  const [entry = ""] = hostsLine.split("#");
  return entry.trim().split(/\s+/).slice(1);
}

/** `details.reason` of `dns_failed`. */
type DnsFailureReason = "not_found" | "resolver_failed";

interface ReasonRow {
  readonly says: string;
  readonly hint: string;
  readonly retryable?: true;
}

/** One row a reason: the name, or those who were asked for it. */
export const DNS_FAILURES: Readonly<Record<DnsFailureReason, ReasonRow>> = {
  not_found: {
    says: "The host's name does not exist, or has no address.",
    hint: "Check the host's spelling, or search for the page.",
  },
  resolver_failed: {
    says: "The name server did not answer for the host's name.",
    hint: "Try again in a moment; when every host fails, the machine's network or its DNS is down.",
    retryable: true,
  },
};

/** What node's resolvers say of a name that has no address, and not of themselves (RFC 1035 4.1.1, RFC 3493 6.1). */
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME", "EAI_NODATA"]);

/**
 * @throws FetchError `dns_failed`, whose `details.reason` is `not_found` for a name without an address, or
 * `resolver_failed`, which alone is worth another try; or the signal's reason, which ends the wait and not the look-up.
 */
export async function lookUp(resolver: Resolver, host: string, signal?: AbortSignal): Promise<readonly string[]> {
  signal?.throwIfAborted();
  let answers: readonly string[];
  try {
    answers = await (signal === undefined ? resolver(host) : untilAborted(resolver(host), signal));
  } catch (error) {
    if (isPosternError(error)) throw error;
    if (NOT_FOUND_CODES.has((error as { code?: unknown } | null)?.code)) throw dnsFailure("not_found");
    throw dnsFailure("resolver_failed", error);
  }
  if (!Array.isArray(answers)) throw dnsFailure("resolver_failed");
  if (answers.length === 0) throw dnsFailure("not_found");
  return answers;
}

function dnsFailure(reason: DnsFailureReason, cause?: unknown): FetchError {
  const { says, hint, retryable = false } = DNS_FAILURES[reason];
  return new FetchError("dns_failed", says, { hint, retryable, details: { reason }, cause });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
