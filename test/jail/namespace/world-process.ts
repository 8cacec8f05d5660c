// Started inside a network namespace of its own; plays what its parent sends, and tells what was seen.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isPosternError } from "../../../src/errors.js";
import { createPostern } from "../../../src/index.js";
import { createJail, createTransport } from "../../../src/net/index.js";
import { createHome, type Home, runCommand } from "../../helpers/command.js";
import { openCanaries } from "./canaries.js";
import { openNameServer } from "./name-server.js";
import { layOutNetwork } from "./network.js";
import type { Door, NetworkOptions, Outcome, Play, Played } from "./plays.js";

type Ask = (url: string) => Promise<Pick<Outcome, "isReached" | "via" | "code" | "rule">>;

/** Something that can be asked for URLs, and ends when its play does. */
interface Opened {
  readonly ask: Ask;
  close(): Promise<void>;
}

const options = JSON.parse(process.argv[2] ?? "{}") as NetworkOptions;
const network = layOutNetwork(options);
const certificate = createCertificate(network.directory, options.certified ?? []);
const nameServer = await openNameServer(network.nameServer);
const canaries = await openCanaries(options.families ?? [4, 6], certificate);
const home = await createHome();

const DOORS: Readonly<Record<Door, (play: Play) => Opened>> = {
  judge({ exemptions, nat64Prefixes }) {
    const jail = createJail({ exemptions, nat64Prefixes });
    return {
      async ask(url) {
        const { verdict, rule } = await jail.judge(url);
        return { isReached: verdict === "allow", ...(rule === undefined ? {} : { rule }) };
      },
      close: async () => {},
    };
  },
  request({ exemptions, nat64Prefixes, timeoutMs = 3_000 }) {
    const jail = createJail({ exemptions, nat64Prefixes });
    const transport = createTransport({ jail, ca: [certificate.cert] });
    return {
      async ask(url) {
        const { hops } = await transport.request({ url, timeoutMs });
        return { isReached: true, via: hops.map(({ via }) => via) };
      },
      close: () => transport.close(),
    };
  },
  fetch({ exemptions = [], deny, timeoutMs }) {
    const postern = createPostern({
      env: {},
      fetch: { timeoutMs },
      jail: { exemptions: exemptions.filter((each) => "origin" in each), caFiles: [certificate.path] },
      policy: { approval: "allow", deny },
    });
    return {
      async ask(url) {
        await postern.fetch({ url, caller: "model" });
        return { isReached: true };
      },
      close: () => postern.close(),
    };
  },
  command({ exemptions, deny, timeoutMs }) {
    const configuration = join(home.directory, "configuration");
    mkdirSync(join(configuration, "postern"), { recursive: true });
    const settings = { fetch: { timeoutMs }, jail: { exemptions, caFiles: [certificate.path] }, policy: { deny } };
    writeFileSync(join(configuration, "postern", "config.json"), JSON.stringify(settings));
    return {
      ask: (url) => askCommand(url, home, configuration),
      close: async () => {},
    };
  },
};

async function askCommand(url: string, from: Home, configuration: string): ReturnType<Ask> {
  const env = { XDG_CONFIG_HOME: configuration };
  const { exitCode, stdout, stderr } = await runCommand(["fetch", "--json", "--", url], from, { env });
  if (exitCode === 0) return { isReached: true };
  if (stdout === "") throw new Error(`The command said nothing: ${stderr}`);
  const { error } = JSON.parse(stdout) as { error: { code: string; details?: { rule?: string; stage?: string } } };
  return { isReached: false, code: error.code, ...error.details };
}

async function play(scene: Play): Promise<Played> {
  network.setResolver(scene.resolver ?? [], scene.hosts ?? []);
  nameServer.zone = scene.zone ?? {};
  nameServer.reset();
  canaries.script = { redirects: scene.redirects ?? [], status: scene.status ?? 302 };
  canaries.reset();
  const before = counts();
  const door = DOORS[scene.door](scene);
  const outcomes: Outcome[] = [];
  for (const url of scene.urls) outcomes.push(await timed(() => door.ask(url)));
  await door.close();
  // What was sent last has been received when the loop has gone round.
  await setImmediate();
  await setImmediate();
  const after = counts();
  return {
    outcomes,
    arrivals: [...canaries.arrivals],
    queries: [...nameServer.queries],
    accepted: after.accepted - before.accepted,
    tcpOpens: after.tcpOpens - before.tcpOpens,
    udpSends: after.udpSends - before.udpSends,
    udpQueries: after.udpQueries - before.udpQueries,
  };
}

async function timed(work: () => ReturnType<Ask>): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await work().catch(failed);
  return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
}

function failed(error: unknown): Omit<Outcome, "durationMs"> {
  if (!isPosternError(error)) throw error;
  const { code, message, details } = error;
  return {
    isReached: false,
    code,
    message: `${message} ${error.hint}`,
    ...(details.rule === undefined ? {} : { rule: String(details.rule) }),
    ...(details.stage === undefined ? {} : { stage: String(details.stage) }),
    ...(details.reason === undefined ? {} : { reason: String(details.reason) }),
  };
}

function counts() {
  const { udpQueries, udpReplies, tcpConnections } = nameServer;
  return {
    accepted: canaries.connections + tcpConnections,
    tcpOpens: kernelCount("Tcp", "ActiveOpens"),
    udpSends: kernelCount("Udp", "OutDatagrams") + kernelCount("Udp6", "OutDatagrams") - udpReplies,
    udpQueries,
  };
}

/** RFC 4022 and 4113: counters of this namespace, both families together for TCP. */
function kernelCount(protocol: "Tcp" | "Udp" | "Udp6", counter: string): number {
  if (protocol === "Udp6") {
    const [, value] = /^Udp6OutDatagrams\s+(\d+)$/m.exec(readFileSync("/proc/net/snmp6", "utf8")) ?? [];
    return Number(value ?? 0);
  }
  const lines = readFileSync("/proc/net/snmp", "utf8").split("\n");
  const [names = [], values = []] = lines
    .filter((line) => line.startsWith(`${protocol}:`))
    .map((line) => line.split(" "));
  return Number(values[names.indexOf(counter)]);
}

/** One certificate for every host, and its own authority. */
function createCertificate(directory: string, hosts: readonly string[]) {
  const path = join(directory, "certificate.pem");
  const keyPath = join(directory, "key.pem");
  const names = ["canary.invalid", ...hosts].map((host) => `${isIP(host) === 0 ? "DNS" : "IP"}:${host}`);
  const command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=canary";
  const files = ["-keyout", keyPath, "-out", path, "-addext", `subjectAltName=${names.join(",")}`];
  execFileSync("openssl", [...command.split(" "), ...files], { stdio: "ignore" });
  return { path, cert: readFileSync(path, "utf8"), key: readFileSync(keyPath, "utf8") };
}

process.on("message", (scene: Play) => {
  play(scene).then(
    (played) => process.send?.({ played }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once("disconnect", async () => {
  network.remove();
  await home.remove();
  process.exit();
});
process.send?.({ ready: true });
