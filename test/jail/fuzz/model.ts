import { expect } from "vitest";
import { modelVerdict, type Opinion, type Uses } from "./explanations.js";
import { isLocalName, parseModelAddress, type Verdict } from "./opinions.js";

/** A failure prints both, with the smallest case that still fails: set them to see it again. */
export const RUNS: number = Number(process.env.POSTERN_FUZZ_RUNS ?? 200_000);
export const SEED: number = Number(process.env.POSTERN_FUZZ_SEED ?? 20_260_731);
/** For the properties beside the main one. */
export const QUARTER: number = Math.ceil(RUNS / 4);
/** So many that every kind of URL came up. */
export const isThorough: boolean = RUNS >= 20_000;

export const OPINIONS: readonly Opinion[] = ["registry", "ipaddr.js"];
const PUBLIC_PORTS = ["", "80", "443", "8080", "8443"];

export type Subject = { readonly literal: string } | { readonly name: string };

export function parse(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Who decides about the URL, by the letter of the rules: its literal, its name's answers, or nobody, for it is refused. */
export function subjectOf(text: string): Subject | undefined {
  const url = text.length > 4096 || /[\s\p{Cc}]/u.test(text) ? undefined : parse(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username + url.password !== "" || !PUBLIC_PORTS.includes(url.port)) return undefined;
  const literal = /^\[(.*)\]$/.exec(url.hostname)?.[1] ?? url.hostname;
  if (parseModelAddress(literal) !== undefined) return { literal };
  const name = url.hostname.replace(/\.$/, "");
  return isLocalName(name) ? undefined : { name };
}

export function expectedVerdict(
  subject: Subject | undefined,
  answers: readonly string[],
  opinion: Opinion,
  uses?: Uses,
): Verdict {
  if (subject === undefined) return "deny";
  const addresses = "literal" in subject ? [subject.literal] : answers;
  const verdicts = addresses.map((address) => modelVerdict(opinion, address, uses));
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "allow") ? "allow" : "deny";
}

/** `expect` would take longer than all that is tested here. */
export function agree(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) expect.fail(`${what}: ${String(actual)}, and not ${String(expected)}`);
}

export function isLiteral(subject: Subject | undefined): boolean {
  return subject !== undefined && "literal" in subject;
}
