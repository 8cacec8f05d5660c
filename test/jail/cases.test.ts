import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlockedError, FetchError } from "../../src/errors.js";
import { createJail, createTransport } from "../../src/net/index.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";
import { CASE_FILES, isJailCase, type JailCase, jailFor, walk } from "./jail-cases.js";

for (const { name, isPresent, cases } of CASE_FILES) {
  const rows = cases.filter(isJailCase);
  const plain = rows.filter((row) => row.redirects === undefined && row.resolves_seq === undefined);
  const redirecting = rows.filter((row) => row.redirects !== undefined);
  const rebinding = rows.filter((row) => row.resolves_seq !== undefined);

  describe.skipIf(!isPresent)(`${name}${isPresent ? "" : " is absent: its rows are skipped"}`, () => {
    it("holds both attacks and legal URLs", () => {
      expect(rows.filter((row) => row.verdict === "deny").length).toBeGreaterThan(10);
      expect(rows.filter((row) => row.verdict === "allow").length).toBeGreaterThan(10);
    });

    it.each(plain.map((row) => [row.id, row] as const))("judges %s", async (_id, row) => {
      const judgement = await jailFor(row).judge(row.url);
      expect(judgement, `${row.url} ${row.why}`).toMatchObject({ verdict: row.verdict });
      expect(judgement.rule === undefined, row.why).toBe(row.verdict === "allow");
      expect(judgement.rule).not.toBe("dns_failed");
    });

    it.each(redirecting.map((row) => [row.id, row] as const))("walks the redirects of %s", async (_id, row) => {
      expect(await walk(row), row.why).toBe(row.verdict);
    });

    describe("dialled for real", () => {
      let canary: RawServer;
      let canary6: RawServer;
      beforeAll(async () => {
        canary = await openRawServer((socket) => socket.end(answer("200 OK")));
        canary6 = await openRawServer((socket) => socket.end(answer("200 OK")), { host: "::1" });
      });
      afterAll(async () => {
        await canary.close();
        await canary6.close();
      });

      it("never connects for a URL that is denied without a redirect", async () => {
        for (const row of plain.filter((candidate) => candidate.verdict === "deny")) {
          const transport = createTransport({ jail: jailFor(row) });
          const refusal = await transport.request({ url: row.url, timeoutMs: 500 }).catch((error: unknown) => error);
          expect(refusal, `${row.url} ${row.why}`).toBeInstanceOf(BlockedError);
          await transport.close();
        }
      });

      it.each(rebinding.map((row) => [row.id, row] as const))("is not rebound by %s", async (_id, row) => {
        const sequence = row.resolves_seq ?? [];
        const jail = jailFor({ ...row, url: withPort(row.url, canary.port) });
        const dialling = [canary, canary6].map((server) =>
          createTransport({ jail: rebindingJail(sequence.at(-1) ?? [], server.port) }),
        );
        for (const answers of sequence.slice(0, -1)) {
          expect(await jail.judge(row.url), answers.join()).toEqual({ verdict: "allow" });
        }
        expect(await jail.judge(row.url)).toEqual({ verdict: "deny", rule: "dns_answer" });
        for (const [index, server] of [canary, canary6].entries()) {
          const request = dialling[index]?.request({ url: withPort(row.url, server.port), timeoutMs: 500 });
          await expect(request).rejects.toMatchObject({ code: "jail_refused", rule: "dns_answer" });
          await dialling[index]?.close();
        }
        expect(canary.connections + canary6.connections).toBe(0);
      });

      it.each(redirecting.filter(isDiallable).map((row) => [row.id, row] as const))(
        "stops at the refused hop of %s",
        async (_id, row) => {
          const outcome = await dialChain(row);
          expect(outcome.canaryConnections).toBe(0);
          expect(outcome.error).toBeInstanceOf(row.endless === true ? FetchError : BlockedError);
        },
      );
    });
  });
}

/** The jail of the request in which the attacker's last answer comes. */
function rebindingJail(answers: readonly string[], port: number) {
  return createJail({ ports: [port], resolve: async () => answers });
}

function isDiallable(row: JailCase): boolean {
  return row.verdict === "deny" && row.url.startsWith("http:");
}

/**
 * Plays a redirect row on loopback: hosts with public answers become exempted origins of one server that sends the
 * row's `Location` values; all others stay as they are.
 */
async function dialChain(row: JailCase): Promise<{ error: unknown; canaryConnections: number }> {
  const locations = row.redirects ?? [];
  let hop = 0;
  const canary = await openRawServer((socket) => socket.end(answer("200 OK")));
  const server = await openRawServer((socket) => {
    const location = relocate(locations[Math.min(hop, locations.length - 1)] ?? "");
    hop += 1;
    socket.write(answer("302 Found", { location }));
  });
  const publicHosts = new Set(
    [new URL(row.url).hostname, ...Object.keys(row.dns ?? {})].filter((host) => {
      const answers = row.dns?.[host]?.[0] ?? row.resolves_to ?? [];
      return answers.every((address) => !/^(10|127|192\.168)\./.test(address));
    }),
  );
  // A private target on port 80 becomes the canary, so that a hole would show.
  function relocate(location: string): string {
    const url = URL.canParse(location) ? new URL(location) : undefined;
    if (url === undefined || url.protocol !== "http:" || url.port !== "") return location;
    return withPort(location, publicHosts.has(url.hostname) ? server.port : canary.port);
  }
  const jail = createJail({
    ports: [canary.port],
    exemptions: [...publicHosts].map((host) => ({ origin: `http://${host}:${server.port}`, name: host.slice(0, 60) })),
    resolve: async (host) => (publicHosts.has(host) ? ["127.0.0.1"] : (row.dns?.[host]?.[0] ?? [])),
  });
  const transport = createTransport({ jail });
  const error = await transport
    .request({ url: withPort(row.url, server.port), timeoutMs: 2_000 })
    .then(() => undefined)
    .catch((reason: unknown) => reason);
  await transport.close();
  const canaryConnections = canary.connections;
  await canary.close();
  await server.close();
  return { error, canaryConnections };
}

function withPort(url: string, port: number): string {
  const parsed = new URL(url);
  parsed.port = String(port);
  return parsed.href;
}
