import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPosternError } from "../../../src/errors.js";
import { createJail, createTransport } from "../../../src/net/index.js";
import { EXPLANATIONS, modelVerdict, type Uses } from "./explanations.js";
import { fuzzAnswers, fuzzCase, fuzzUrl } from "./grammar.js";
import {
  agree,
  expectedVerdict,
  isLiteral,
  isThorough,
  OPINIONS,
  QUARTER,
  RUNS,
  SEED,
  type Subject,
  subjectOf,
} from "./model.js";
import { type Block, isWithin, parseBlock, parseModelAddress, rfc3986Host, tailOf } from "./opinions.js";
import { recordDials } from "./record-dials.js";

/**
 * Why an allowed URL names its host in other words than a parser after RFC 3986 would find in it. It never matters to
 * the jail, which dials what WHATWG's parser found and reads the text no second time.
 */
const REPAIRS: readonly { readonly why: string; readonly holds: (text: string) => boolean }[] = [
  { why: "a backslash is a slash", holds: (text) => text.includes("\\") },
  { why: "any number of slashes begins a host", holds: (text) => !/^https?:\/\/[^/]/i.test(text) },
  { why: "a host is percent-decoded and mapped (UTS 46)", holds: (text) => /[%\u0080-\u{10ffff}]/u.test(text) },
  { why: "an IPv6 address has one spelling", holds: (text) => text.includes("[") },
  { why: "a number is an IPv4 address, in any base", holds: (text) => /^[0-9a-fx.]+$/i.test(rfc3986Host(text) ?? "") },
];

/** A transport that is stopped when only the dialling is left to do. */
function createStoppedTransport() {
  const stop = new Error("would be dialled");
  const current = { answers: [] as readonly string[], lookUps: 0 };
  const jail = createJail({
    resolve: async () => {
      current.lookUps += 1;
      return current.answers;
    },
  });
  const transport = createTransport({ jail });
  const request = async (url: string, subject: Subject | undefined): Promise<string> => {
    const before = isLiteral(subject) ? "hop.started" : "dns.resolved";
    const error: unknown = await transport
      .request({
        url,
        onEvent: ({ type }) => {
          if (type === before) throw stop;
        },
      })
      .catch((reason: unknown) => reason);
    if (error === stop) return "allow";
    if (!isPosternError(error)) throw error;
    return error.kind === "blocked" ? String(error.details.rule) : error.code;
  };
  return { jail, current, request, close: transport.close };
}

const dials = recordDials();

describe(`fuzzing with seed ${SEED}`, () => {
  it(`${RUNS} URLs: the jail, the connecting path and two opinions agree`, { timeout: 600_000 }, async () => {
    const { jail, current, request, close } = createStoppedTransport();
    const uses: Uses = new Map();
    const repairs = new Set<string>();
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(fuzzCase, async (fuzzed) => {
        current.answers = fuzzed.answers;
        current.lookUps = 0;
        const subject = subjectOf(fuzzed.url);
        const { verdict, rule } = await jail.judge(fuzzed.url);
        for (const opinion of OPINIONS) {
          agree(verdict, expectedVerdict(subject, fuzzed.answers, opinion, uses), `judge, by ${opinion}`);
        }
        agree(await request(fuzzed.url, subject), rule ?? verdict, "the connecting path, by judge");
        agree(current.lookUps, subject !== undefined && "name" in subject ? 2 : 0, "look-ups of both");
        if (verdict === "deny") return;
        allowed += 1;
        const { host } = jail.checkUrl(fuzzed.url);
        const written = rfc3986Host(fuzzed.url)?.replace(/\.$/, "");
        if (written === host) return;
        const repair = REPAIRS.find(({ holds }) => holds(fuzzed.url));
        if (repair === undefined) expect.fail(`${written} is dialled as ${host}`);
        repairs.add(repair.why);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    await close();
    expect(dials).toEqual([]);
    expect(allowed / RUNS).toBeGreaterThan(0.1);
    // An explanation that nothing needs is one that hides something: it has to go.
    if (!isThorough) return;
    expect(EXPLANATIONS.filter((explanation) => !uses.has(explanation)).map(({ why }) => why)).toEqual([]);
    expect(REPAIRS.filter(({ why }) => !repairs.has(why)).map(({ why }) => why)).toEqual([]);
  });

  it(`${QUARTER} URLs with everything opened: metadata and link-local stay closed`, { timeout: 600_000 }, async () => {
    const origins = [
      "http://example.org",
      "https://nip.io:8443",
      "http://10.0.0.1",
      "http://localhost",
      "http://[::1]",
    ];
    let answers: readonly string[] = [];
    const jail = createJail({
      ports: [3000],
      nat64Prefixes: ["2001:db8:64::/96"],
      exemptions: [
        ...origins.map((origin) => ({ origin, name: "own" })),
        { network: "198.18.0.0/15", name: "proxy" },
        { network: "fc00::/18", name: "proxy" },
      ],
      resolve: async () => answers,
    });
    const url = fc.oneof(fc.constantFrom(...origins), fuzzUrl);
    const opened = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(url, fuzzAnswers, async (text, given) => {
        answers = given;
        if ((await jail.judge(text)).verdict === "deny") return;
        const checked = jail.checkUrl(text);
        const route = await jail.resolve(checked);
        agree(route.addresses.length > 0, true, "a route has addresses");
        for (const { text: address } of route.addresses) {
          const kind = openedBy(address, checked.exemption !== undefined, checked.literal !== undefined);
          if (kind === "nothing") expect.fail(`${text} leads to ${address}`);
          if (kind === "fake-IP") agree(route.exemption?.name, "proxy", "the route's exemption");
          opened.set(kind, (opened.get(kind) ?? 0) + 1);
        }
      }),
      { numRuns: QUARTER, seed: SEED },
    );
    if (isThorough) expect([...opened.keys()].sort()).toEqual(["NAT64", "fake-IP", "origin", "public"]);
  });
});

const OWN_NAT64 = parseBlock("2001:db8:64::/96");
const MAPPED = parseBlock("::ffff:0:0/96");
const FAKE_IP = ["198.18.0.0/15", "fc00::/18"].map(parseBlock);
const OWNED = "10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 198.18.0.0/15 fc00::/7 ::1/128"
  .split(" ")
  .map(parseBlock);
const METADATA =
  "100.100.100.200/32 fd00:ec2::/32 fd20:ce::/32 fd00:c1::/32 fd00:42::/32 fd00:100::/32 fd00:a9fe:a9fe::/48"
    .split(" ")
    .map(parseBlock);

/** The loosest rule that may let an address through, by the model alone. */
function openedBy(text: string, isExempt: boolean, isLiteral: boolean): string {
  const address = parseModelAddress(text);
  if (address === undefined) return "nothing";
  if (modelVerdict("registry", address) === "allow") return "public";
  if (isWithin(address, OWN_NAT64)) return modelVerdict("registry", tailOf(address)) === "allow" ? "NAT64" : "nothing";
  const host = isWithin(address, MAPPED) ? tailOf(address) : address;
  const isIn = (blocks: readonly Block[]): boolean => blocks.some((block) => isWithin(host, block));
  if (isIn(METADATA)) return "nothing";
  if (isExempt && isIn(OWNED)) return "origin";
  return !isLiteral && host === address && isIn(FAKE_IP) ? "fake-IP" : "nothing";
}
