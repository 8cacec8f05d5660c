import { channel } from "node:diagnostics_channel";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPosternError } from "../../src/errors.js";
import { createJail, createTransport } from "../../src/net/index.js";
import { assertRedirectAllowed, redirectTarget } from "../../src/net/redirects.js";
import { createResponseHeaders } from "../../src/net/response-headers.js";
import { answer, openRawServer } from "../helpers/raw-server.js";
import { EXPLANATIONS, modelVerdict, type Opinion, type Uses } from "./fuzz-explanations.js";
import { type FuzzCase, fuzzAnswers, fuzzCase, fuzzLocation, fuzzUrl } from "./fuzz-grammar.js";
import { isLocalName, isWithin, parseModelAddress, rfc3986Host, type Verdict } from "./fuzz-opinions.js";

/** A failure prints both, with the smallest case that still fails: set them to see it again. */
const RUNS = Number(process.env.POSTERN_FUZZ_RUNS ?? 200_000);
const SEED = Number(process.env.POSTERN_FUZZ_SEED ?? 20_260_731);
/** So many that every kind of URL came up. */
const isThorough = RUNS >= 20_000;

const OPINIONS: readonly Opinion[] = ["registry", "ipaddr.js"];
const PUBLIC_PORTS = ["", "80", "443", "8080", "8443"];

type Subject = { readonly literal: string } | { readonly name: string };

function parse(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Who decides about the URL, by the letter of the rules: its literal, its name's answers, or nobody, for it is refused. */
function subjectOf(text: string): Subject | undefined {
  const url = text.length > 4096 || /[\s\p{Cc}]/u.test(text) ? undefined : parse(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username + url.password !== "" || !PUBLIC_PORTS.includes(url.port)) return undefined;
  const literal = /^\[(.*)\]$/.exec(url.hostname)?.[1] ?? url.hostname;
  if (parseModelAddress(literal) !== undefined) return { literal };
  const name = url.hostname.replace(/\.$/, "");
  return isLocalName(name) ? undefined : { name };
}

function expectedVerdict({ url, answers }: FuzzCase, opinion: Opinion, uses?: Uses): Verdict {
  const subject = subjectOf(url);
  if (subject === undefined) return "deny";
  const addresses = "literal" in subject ? [subject.literal] : answers;
  const verdicts = addresses.map((address) => modelVerdict(opinion, address, uses));
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "allow") ? "allow" : "deny";
}

/** `expect` would take longer than all that is tested here. */
function agree(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) expect.fail(`${what}: ${String(actual)}, and not ${String(expected)}`);
}

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

function isLiteral(url: string): boolean {
  const subject = subjectOf(url);
  return subject !== undefined && "literal" in subject;
}

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
  const request = async (url: string): Promise<string> => {
    const before = isLiteral(url) ? "hop.started" : "dns.resolved";
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

const dials: unknown[] = [];
const recordDial = (message: unknown): void => void dials.push(message);
const { stackTraceLimit } = Error;
beforeAll(() => {
  channel("postern:net:dial").subscribe(recordDial);
  // Two refusals a URL: their stack traces would take half of the time.
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  channel("postern:net:dial").unsubscribe(recordDial);
  Error.stackTraceLimit = stackTraceLimit;
});

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
        const { verdict, rule } = await jail.judge(fuzzed.url);
        for (const opinion of OPINIONS) {
          agree(verdict, expectedVerdict(fuzzed, opinion, uses), `judge, by ${opinion}`);
        }
        agree(await request(fuzzed.url), rule ?? verdict, "the connecting path, by judge");
        const subject = subjectOf(fuzzed.url);
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

  it(`${RUNS / 4} redirects lead where the two opinions say, or nowhere`, { timeout: 600_000 }, async () => {
    const { jail, current, close } = createStoppedTransport();
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("http://example.org/a/b?c", "https://example.org:8443/a/b"),
        fuzzLocation,
        fuzzAnswers,
        async (base, location, answers) => {
          current.answers = answers;
          const from = jail.checkUrl(base);
          const onWire = Buffer.from(location, "utf8").toString("latin1");
          const step = async (): Promise<Verdict> => {
            const to = jail.checkUrl(redirectTarget(from, createResponseHeaders({ location: onWire })));
            assertRedirectAllowed(from, to);
            await jail.resolve(to);
            return "allow";
          };
          const verdict = await step().catch((error: unknown): Verdict => {
            if (isPosternError(error)) return "deny";
            throw error;
          });
          const isReadable = location.length <= 4096 && !/\p{Cc}/u.test(location);
          const url = (isReadable ? parse(location, base)?.href : undefined) ?? "";
          const isDowngrade = base.startsWith("https:") && url.startsWith("http:");
          for (const opinion of OPINIONS) {
            const expected = isDowngrade ? "deny" : expectedVerdict({ url, answers }, opinion);
            agree(verdict, expected, `redirect, by ${opinion}`);
          }
          if (verdict === "allow") allowed += 1;
        },
      ),
      { numRuns: RUNS / 4, seed: SEED },
    );
    await close();
    expect(allowed / (RUNS / 4)).toBeGreaterThan(0.1);
  });

  it("a server's own Location never makes a connection that the opinions refuse", { timeout: 120_000 }, async () => {
    let location = "";
    const server = await openRawServer((socket) => socket.write(answer("302 Found", { location })));
    const stop = new Error("would be dialled");
    const name = "http://start.example.org";
    let answers: readonly string[] = [];
    const jail = createJail({
      exemptions: [{ origin: `${name}:${server.port}`, name: "start" }],
      resolve: async (host) => (host === "start.example.org" ? ["127.0.0.1"] : answers),
    });
    const transport = createTransport({ jail });
    dials.length = 0;
    let requests = 0;
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(
        // A field line can hold no line break; all else goes over the wire.
        fuzzLocation.filter((text) => !/[\r\n\0]/.test(text)),
        fuzzAnswers,
        async (text, given) => {
          location = text;
          answers = given;
          requests += 1;
          const base = `${name}:${server.port}/a`;
          const error: unknown = await transport
            .request({
              url: base,
              maxRedirects: 1,
              // The second hop is not dialled: a public address would be a stranger's.
              onEvent: (event) => {
                if (event.type === "dns.resolved" && event.hop > 0) throw stop;
              },
              approveHop: async (url, hop) => {
                if (hop > 0 && isLiteral(url.href)) throw stop;
              },
            })
            .catch((reason: unknown) => reason);
          if (error !== stop) {
            const code = isPosternError(error) ? error.code : String(error);
            expect(["jail_refused", "dns_failed", "protocol_error", "redirect_limit"]).toContain(code);
            return;
          }
          passed += 1;
          const url = parse(text.replace(/^[ \t]+|[ \t]+$/g, ""), base);
          if (url?.origin === new URL(base).origin) return;
          for (const opinion of OPINIONS) {
            agree(expectedVerdict({ url: url?.href ?? "", answers }, opinion), "allow", `${opinion} of ${url?.href}`);
          }
        },
      ),
      { numRuns: Math.min(RUNS, 2_000), seed: SEED },
    );
    await transport.close();
    await server.close();
    expect(new Set(dials.map((dial) => JSON.stringify(dial)))).toEqual(
      new Set([JSON.stringify({ addresses: ["127.0.0.1"], port: server.port })]),
    );
    expect(server.received.join("").match(/GET \/a /g)).toHaveLength(requests);
    expect(passed / requests).toBeGreaterThan(0.1);
  });

  it(`${RUNS / 4} URLs with everything opened: metadata and link-local stay closed`, { timeout: 600_000 }, async () => {
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
      { numRuns: RUNS / 4, seed: SEED },
    );
    if (isThorough) expect([...opened.keys()].sort()).toEqual(["NAT64", "fake-IP", "origin", "public"]);
  });
});

/** The loosest rule that may let an address through, by the model alone. */
function openedBy(text: string, isExempt: boolean, isLiteral: boolean): string {
  const address = parseModelAddress(text);
  if (address === undefined) return "nothing";
  if (modelVerdict("registry", address) === "allow") return "public";
  const isIn = (...blocks: readonly string[]): boolean => blocks.some((block) => isWithin(address, block));
  const low: typeof address = { family: 4, value: address.value & 0xffffffffn };
  if (isIn("2001:db8:64::/96")) return modelVerdict("registry", low) === "allow" ? "NAT64" : "nothing";
  const metadata = ["100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32", "fd00:c1::/32", "fd00:42::/32"];
  if (isIn(...metadata, "fd00:100::/32", "fd00:a9fe:a9fe::/48")) return "nothing";
  const inner = isIn("::ffff:0:0/96") ? low : address;
  const owned = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"];
  const isOwned = [...owned, "fc00::/7", "::1/128"].some((block) => isWithin(inner, block));
  if (isExempt && isOwned && !isWithin(inner, "100.100.100.200/32")) return "origin";
  return !isLiteral && isIn("198.18.0.0/15", "fc00::/18") ? "fake-IP" : "nothing";
}
