import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dial } from "../../src/net/dial.js";
import { createJail, createTransport, type NetEvent } from "../../src/net/index.js";
import { parseIpAddress } from "../../src/net/ip-address.js";
import { closeAfter } from "../helpers/close-after.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";

async function serve(host = "127.0.0.1"): Promise<RawServer> {
  return closeAfter(await openRawServer((socket) => socket.write(answer("200 OK", {}, "ok")), { host }));
}

/** A transport to `http://app.example.org:port`, whose DNS says whatever `answers` holds at the moment. */
function transportWith(
  port: number,
  answers: { now: readonly string[] },
  exempt = true,
  onEvent?: (e: NetEvent) => void,
) {
  const origin = `http://app.example.org:${port}`;
  const lookUps: string[] = [];
  const transport = closeAfter(
    createTransport({
      jail: createJail({
        ports: [port],
        exemptions: exempt ? [{ origin, name: "app" }] : [],
        resolve: async (host) => {
          lookUps.push(host);
          return answers.now;
        },
      }),
      onEvent,
    }),
  );
  return { transport, lookUps, url: `${origin}/` };
}

describe("a connection", () => {
  it("goes to a checked address without asking the system's DNS", async () => {
    const server = await serve("127.0.0.2");
    const { transport, lookUps, url } = transportWith(server.port, { now: ["127.0.0.2"] });
    expect((await transport.request({ url })).status).toBe(200);
    expect(lookUps).toEqual(["app.example.org"]);
  });

  it("falls through to the second checked address", async () => {
    const server = await serve("127.0.0.2");
    const { transport, url } = transportWith(server.port, { now: ["127.0.0.3", "127.0.0.2"] });
    expect((await transport.request({ url })).status).toBe(200);
  });

  it("ends before its first byte when the peer is not on the route", async () => {
    const server = await serve();
    const lie = { ...parseIpAddress("127.0.0.2"), text: "127.0.0.1" } as const;
    const route = { addresses: [{ family: 4, bytes: lie.bytes ?? [], text: lie.text } as const], isPrivate: false };
    const error = await dial(route, server.port, () => {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "jail_refused", rule: "remote_address" });
    await expect.poll(() => server.open).toBe(0);
    expect(server.received.join("")).toBe("");
  });

  it("pool-reuse: a warm one never skips a check", async () => {
    const server = await serve();
    const answers = { now: ["127.0.0.1"] as readonly string[] };
    const { transport, lookUps, url } = transportWith(server.port, answers);
    await transport.request({ url });
    await transport.request({ url });
    expect([server.connections, lookUps.length]).toEqual([1, 2]);
    answers.now = ["169.254.169.254"];
    await expect(transport.request({ url })).rejects.toMatchObject({ rule: "dns_answer" });
    answers.now = ["127.0.0.4"];
    await expect(transport.request({ url, timeoutMs: 500 })).rejects.toMatchObject({ kind: "fetch" });
    expect(server.received[0]?.match(/GET/g), "only the two allowed requests").toHaveLength(2);
  });

  it("is shared by answers in another order", async () => {
    const server = await serve();
    const answers = { now: ["127.0.0.1", "127.0.0.5"] as readonly string[] };
    const { transport, url } = transportWith(server.port, answers);
    await transport.request({ url });
    answers.now = ["127.0.0.5", "127.0.0.1"];
    await transport.request({ url });
    expect(server.connections).toBe(1);
  });

  it("is opened at most so often for one origin, and waiting ends with the deadline", async () => {
    const server = closeAfter(await openRawServer(() => {}));
    const origin = server.origin;
    const jail = createJail({ exemptions: [{ origin, name: "slow" }] });
    const transport = closeAfter(createTransport({ jail, maxConnectionsPerOrigin: 2 }));
    const request = (timeoutMs: number) => transport.request({ url: origin, timeoutMs });
    const holding = Promise.allSettled([request(1_000), request(1_000)]);
    const waiting = await Promise.allSettled([request(200), request(200), request(200)]);
    expect(waiting.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      Array(3).fill("timeout"),
    );
    expect(server.connections).toBe(2);
    await holding;
  });

  it("reads the same for an open and a closed private port", async () => {
    const server = await serve();
    const jail = createJail({ ports: [server.port, 8089] });
    const transport = closeAfter(createTransport({ jail }));
    const refusals = await Promise.all(
      [server.port, 8089].map((port) =>
        transport
          .request({ url: `http://127.0.0.1:${port}/` })
          .catch((error: Error) => JSON.stringify([error, error.message])),
      ),
    );
    expect(refusals[0]).toBe(refusals[1]);
    expect(refusals[0]).not.toContain("127.0.0.1");
    expect(server.connections).toBe(0);
  });
});

describe("the user's settings", () => {
  it("change what is judged and what is dialled alike", async () => {
    const server = await serve();
    const closed = transportWith(server.port, { now: ["127.0.0.1"] }, false);
    await expect(closed.transport.request({ url: closed.url })).rejects.toMatchObject({ rule: "dns_answer" });
    expect(server.connections).toBe(0);
    const opened = transportWith(server.port, { now: ["127.0.0.1"] });
    expect((await opened.transport.request({ url: opened.url })).hops).toMatchObject([{ via: "exemption" }]);
    expect(server.connections).toBe(1);

    const resolve = async () => ["198.41.0.4"];
    const url = "http://example.org:3000/";
    expect(await createJail({ resolve }).judge(url)).toEqual({ verdict: "deny", rule: "port" });
    expect(await createJail({ resolve, ports: [3000] }).judge(url)).toEqual({ verdict: "allow" });
  });

  it("name the exemption in the event", async () => {
    const server = await serve();
    const events: NetEvent[] = [];
    const { transport, url } = transportWith(server.port, { now: ["127.0.0.1"] }, true, (event) => events.push(event));
    await transport.request({ url });
    expect(events.at(-1)).toMatchObject({ type: "hop.finished", via: "exemption", exemption: "app" });
    expect(JSON.stringify(events)).not.toContain("127.0.0.1");
  });
});

describe("closing", () => {
  it("leaves no socket and no timer, and ends requests under way", async () => {
    const server = closeAfter(
      await openRawServer((socket, head) => {
        if (head.startsWith("GET /quick")) socket.write(answer("200 OK"));
      }),
    );
    const transport = createTransport({ jail: createJail({ exemptions: [{ origin: server.origin, name: "t" }] }) });
    await transport.request({ url: `${server.origin}/quick` });
    const waiting = transport.request({ url: `${server.origin}/never` });
    waiting.catch(() => {});
    await expect.poll(() => server.received.join("")).toContain("/never");
    await transport.close();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(() => server.open).toBe(0);
    await expect(transport.request({ url: server.origin })).rejects.toMatchObject({ code: "aborted" });
    await transport.close();
  });

  it("is not needed for a process to end, whose own fetch was not touched", async () => {
    const server = await serve();
    const script = `
      const globalDispatcher = () => globalThis[Symbol.for("undici.globalDispatcher.1")];
      const before = globalDispatcher();
      const { createJail, createTransport } = await import(${JSON.stringify(new URL("../../src/net/index.ts", import.meta.url).href)});
      const origin = ${JSON.stringify(server.origin)};
      const transport = createTransport({ jail: createJail({ exemptions: [{ origin, name: "t" }] }), keepAliveMs: 600_000 });
      const { status } = await transport.request({ url: origin });
      process.stdout.write(status + " " + (globalDispatcher() === before));
    `;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
    });
    closeAfter({ close: () => void child.kill() });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect([output, exitCode]).toEqual(["200 true", 0]);
  });
});
