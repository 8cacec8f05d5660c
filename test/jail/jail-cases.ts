import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPosternError } from "../../src/errors.js";
import { createJail, type Jail } from "../../src/net/index.js";
import { assertRedirectAllowed, redirectTarget } from "../../src/net/redirects.js";
import { createResponseHeaders } from "../../src/net/response-headers.js";

/** One URL with the verdict it must get. */
export interface JailCase {
  readonly id: string;
  readonly url: string;
  readonly kind: string;
  readonly verdict: "allow" | "deny";
  readonly grade: "must" | "may";
  readonly why: string;
  readonly layer?: "policy";
  /** Answers for the URL's own host. */
  readonly resolves_to?: readonly string[];
  /** Answers of successive look-ups; the last repeats. */
  readonly resolves_seq?: readonly (readonly string[])[];
  /** Answers for the hosts of later hops. */
  readonly dns?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** `Location` values, one a hop. */
  readonly redirects?: readonly string[];
  /** Of the redirects. Default 302. */
  readonly status?: number;
  readonly endless?: boolean;
}

export interface CaseFile {
  readonly name: string;
  readonly path: string;
  readonly isPresent: boolean;
  readonly cases: readonly JailCase[];
}

const MAX_REDIRECTS = 5;

function readCases(name: string, path: string): CaseFile {
  const isPresent = existsSync(path);
  const lines = isPresent
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
  return { name, path, isPresent, cases: lines.map((line) => JSON.parse(line) as JailCase) };
}

const shared = process.env.POSTERN_SHARED ?? join(process.cwd(), "..", "shared");

/** Our own rows, and a larger set when it lies beside the repository. */
export const CASE_FILES: readonly CaseFile[] = [
  readCases("corpus", join(process.cwd(), "corpus", "jail", "cases.jsonl")),
  readCases("shared data", join(shared, "data", "jail", "cases.jsonl")),
];

/** Rows that addresses decide; the others belong to the egress policy. */
export function isJailCase(row: JailCase): boolean {
  return row.layer !== "policy" && row.grade === "must";
}

/** A jail whose DNS answers as the row says. */
export function jailFor(row: JailCase, lookUps: string[] = []): Jail {
  let nth = 0;
  const firstHost = URL.canParse(row.url) ? new URL(row.url).hostname.replace(/\.$/, "") : "";
  return createJail({
    resolve: async (host) => {
      lookUps.push(host);
      const later = row.dns?.[host]?.[0];
      if (later !== undefined) return later;
      if (host !== firstHost) throw new Error(`unexpected look-up of ${host}`);
      const inTurn = row.resolves_seq?.[Math.min(nth, row.resolves_seq.length - 1)];
      nth += 1;
      return inTurn ?? row.resolves_to ?? [];
    },
  });
}

/** Follows the row's redirects through the functions the transport is made of. */
export async function walk(row: JailCase): Promise<"allow" | "deny"> {
  const jail = jailFor(row);
  try {
    let url = jail.checkUrl(row.url);
    await jail.resolve(url);
    for (const [hop, location] of (row.redirects ?? []).entries()) {
      if (hop === MAX_REDIRECTS) return "deny";
      const onWire = Buffer.from(location, "utf8").toString("latin1");
      const next = jail.checkUrl(redirectTarget(url, createResponseHeaders({ location: onWire })));
      assertRedirectAllowed(url, next, url.isPrivate);
      await jail.resolve(next);
      url = next;
    }
    return "allow";
  } catch (error) {
    if (isPosternError(error)) return "deny";
    throw error;
  }
}
