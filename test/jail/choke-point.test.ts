import { asyncWrapProviders } from "node:async_hooks";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRecorderDirectory, type RecorderReport } from "../helpers/recorder-report.js";
import { openSite, type Site } from "../helpers/site.js";
import { ESCAPES, prelude } from "./escapes.js";

let site: Site;
let port = 0;
beforeAll(async () => {
  site = await openSite({ "/page": "<h1>Ferry</h1><p>It leaves at seven.</p>" });
  port = Number(new URL(site.origin).port);
});
afterAll(() => site.close());

interface Recorded extends RecorderReport {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a module with a recorder of its own, and tells what that saw. */
async function record(source: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH }): Promise<Recorded> {
  const recorder = createRecorderDirectory();
  const child = spawn(process.execPath, ["--input-type=module", "-e", `${prelude(port)}${source}\nprocess.exit();`], {
    env: { ...env, ...recorder.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const report = recorder.read();
  recorder.remove();
  return { ...report, exitCode, output };
}

/**
 * Files, cryptography, measurements; servers; what stands on a socket, which was seen when that connected; and
 * processes and worker threads, which are recorded themselves.
 */
const OPENS_NOTHING: ReadonlySet<string> = new Set(
  (
    "PROCESSWRAP WORKER " +
    "BLOBREADER CHECKPRIMEREQUEST ARGON2REQUEST CIPHERREQUEST DERIVEBITSREQUEST DIRHANDLE DNSCHANNEL " +
    "ELDHISTOGRAM FILEHANDLE FILEHANDLECLOSEREQ FSEVENTWRAP FSREQCALLBACK FSREQPROMISE HASHREQUEST " +
    "HEAPSNAPSHOT HTTP2PING HTTP2SESSION HTTP2SETTINGS HTTP2STREAM HTTPCLIENTREQUEST HTTPINCOMINGMESSAGE " +
    "JSSTREAM JSUDPWRAP KEYEXPORTREQUEST KEYGENREQUEST KEYPAIRGENREQUEST LOCKS MESSAGEPORT NONE PBKDF2REQUEST " +
    "PIPESERVERWRAP PIPEWRAP PROMISE QUIC_LOGSTREAM QUIC_PACKET QUIC_SESSION QUIC_STREAM RANDOMBYTESREQUEST " +
    "RANDOMPRIMEREQUEST SCRYPTREQUEST SHUTDOWNWRAP SIGINTWATCHDOG SIGNALWRAP SIGNREQUEST STATWATCHER " +
    "STREAMPIPE TCPSERVERWRAP TCPWRAP TLSWRAP TTYWRAP UDPSENDWRAP VERIFYREQUEST WORKERCPUPROFILE " +
    "WORKERCPUUSAGE WORKERHEAPPROFILE WORKERHEAPSNAPSHOT WORKERHEAPSTATISTICS WRITEWRAP ZLIB"
  ).split(" "),
);

describe("the recorder sees", () => {
  it.concurrent.each(ESCAPES)("%s", async (_way, what, to, source) => {
    const { violations, output } = await record(source);
    expect(violations, output).toContainEqual(
      expect.objectContaining({ what, to: expect.stringMatching(to), why: expect.stringMatching(/^not /) }),
    );
  });
});

describe("the recorder lets pass", () => {
  it("all that a Postern does, because src/net announces it", async () => {
    const { violations, announced, output } = await record(`
      const { createPostern } = await import("postern");
      const origins = [origin, origin.replace("127.0.0.1", "localhost")];
      const postern = createPostern({ env: {}, jail: { exemptions: origins.map((origin) => ({ origin, name: "t" })) } });
      for (const origin of origins) console.log((await postern.fetch({ url: origin + "/page" })).text);
      await postern.close();`);
    expect(output.match(/It leaves at seven/g)).toHaveLength(2);
    expect(violations).toEqual([]);
    // Two connections and one look-up at least: localhost may have two addresses.
    expect(announced).toBeGreaterThanOrEqual(3);
  });

  it("what a test dials itself, or says it does", async () => {
    const { violations, byTests, output } = await record(`
      const { connect } = await import("node:net");
      const { channel } = await import("node:diagnostics_channel");
      const dial = from("/test/stray.test.ts", "(connect, port) => { const socket = connect(port, '127.0.0.1'); return socket; }");
      await ended(dial(connect, port).resume().end());
      await channel("postern:test:client").runStores({}, () => fetch(origin.replace("127.0.0.1", "localhost")));`);
    expect(violations, output).toEqual([]);
    expect(byTests).toBeGreaterThanOrEqual(3);
  });
});

it("not even an announced connection or look-up may leave the machine during a test", async () => {
  const { violations } = await record(`
    const { channel } = await import("node:diagnostics_channel");
    channel("postern:net:dial").publish({ addresses: ["192.0.2.1"], port: 80 });
    (await import("node:net")).connect(80, "192.0.2.1").on("error", () => {}).on("lookup", () => {});
    await new Promise(setImmediate);
    channel("postern:net:lookup").publish({ host: "leak.invalid" });
    (await import("node:dns")).lookup("leak.invalid", () => {});`);
  expect(violations).toMatchObject([
    { what: "connect", to: "192.0.2.1 80", why: "leaves the machine" },
    { what: "lookup", to: "leak.invalid", why: "leaves the machine" },
  ]);
});

it("every kind of asynchronous resource that this Node knows is watched, or known to open nothing", () => {
  const { watched } = createRequire(import.meta.url)("../helpers/recorder.cjs") as { watched: readonly string[] };
  const unknown = Object.keys(asyncWrapProviders).filter((type) => !watched.includes(type) && !OPENS_NOTHING.has(type));
  expect(unknown).toEqual([]);
});

it.each([
  ["escapes.mjs", 1, / 1 around; [\s\S]*^connect 127\.0\.0\.1 \d+: not announced$/m],
  ["stays.mjs", 0, / 0 around; /],
])("a run of a passing test that %s ends with exit code %i", async (file, expected, words) => {
  const { exitCode, output } = await record(
    `
    import { startVitest } from "vitest/node";
    const vitest = await startVitest("test", [], {
      config: false, watch: false, pool: "forks", root, include: ["test/fixtures/choke-point/${file}"],
      globalSetup: ["test/global-setup.ts"],
    });
    await vitest.close();`,
    { ...process.env, POSTERN_SKIP_BUILD: "1", NO_COLOR: "1" },
  );
  expect(output).toMatch(/Tests +1 passed/);
  expect(output).toMatch(words);
  expect(exitCode).toBe(expected);
});
