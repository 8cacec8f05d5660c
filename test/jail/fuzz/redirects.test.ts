import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPosternError } from "../../../src/errors.js";
import { createJail, createTransport } from "../../../src/net/index.js";
import { assertRedirectAllowed, redirectTarget } from "../../../src/net/redirects.js";
import { createResponseHeaders } from "../../../src/net/response-headers.js";
import { answer, openRawServer } from "../../helpers/raw-server.js";
import { fuzzAnswers, fuzzLocation } from "./grammar.js";
import { agree, expectedVerdict, isLiteral, OPINIONS, parse, QUARTER, RUNS, SEED, subjectOf } from "./model.js";
import type { Verdict } from "./opinions.js";
import { recordDials } from "./record-dials.js";

const dials = recordDials();

describe(`fuzzing redirects with seed ${SEED}`, () => {
  it(`${QUARTER} redirects lead where the two opinions say, or nowhere`, { timeout: 600_000 }, async () => {
    let given: readonly string[] = [];
    const jail = createJail({ resolve: async () => given });
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("http://example.org/a/b?c", "https://example.org:8443/a/b"),
        fuzzLocation,
        fuzzAnswers,
        async (base, location, answers) => {
          given = answers;
          const from = jail.checkUrl(base);
          const onWire = Buffer.from(location, "utf8").toString("latin1");
          const step = async (): Promise<Verdict> => {
            const to = jail.checkUrl(redirectTarget(from, createResponseHeaders({ location: onWire })));
            assertRedirectAllowed(from, to, false);
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
            const expected = isDowngrade ? "deny" : expectedVerdict(subjectOf(url), answers, opinion);
            agree(verdict, expected, `redirect, by ${opinion}`);
          }
          if (verdict === "allow") allowed += 1;
        },
      ),
      { numRuns: QUARTER, seed: SEED },
    );
    expect(allowed / QUARTER).toBeGreaterThan(0.1);
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
                if (hop > 0 && isLiteral(subjectOf(url.href))) throw stop;
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
            agree(expectedVerdict(subjectOf(url?.href ?? ""), answers, opinion), "allow", `${opinion} of ${url?.href}`);
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
});
