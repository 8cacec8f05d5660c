// Started inside a network namespace of its own; runs one proxy, asks a site through it, and prints what was seen.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isPosternError } from "../../../src/errors.js";
import { createJail, createTransport } from "../../../src/net/index.js";
import { answer, openRawServer } from "../../helpers/raw-server.js";
import { asTestClient } from "../../helpers/recorder-test-client.js";
import { layOutNetwork } from "./network.js";
import {
  type PlayedThroughProxy,
  PROXIED_ORIGIN,
  PROXIED_SITE,
  PROXY,
  type ProxyAsk,
  type ProxyOutcome,
  type ProxyPlay,
} from "./proxy-plays.js";

const play = JSON.parse(process.argv[2] ?? "{}") as ProxyPlay;
const network = layOutNetwork({ families: [4] });
process.once("exit", () => network.remove());
process.once("SIGTERM", () => process.exit(1));
network.setResolver([], [`${PROXIED_SITE.address} ${PROXIED_SITE.host}`]);

// On every address, so that whichever is dialled says which it was, and who dialled.
const site = await openRawServer(
  (socket) => socket.write(answer("200 OK", {}, `${socket.remoteAddress} asked ${socket.localAddress}`)),
  { host: "0.0.0.0", port: PROXIED_SITE.port },
);
await startProxy();
const outcomes: Record<string, ProxyOutcome> = {};
for (const [name, asked] of Object.entries(play.asks)) {
  if (asked.isSiteGone) await site.close();
  outcomes[name] = await ask(asked);
}
const hosts = site.received.map((text) => /^host: *(.*?)\r$/im.exec(text)?.[1]);
const played: PlayedThroughProxy = { outcomes, hosts };
process.stdout.write(JSON.stringify(played), () => process.exit());

async function startProxy(): Promise<void> {
  // Or squid meets the memory that another one shares under the same names, and leaves its own behind.
  execFileSync("mount", ["-t", "tmpfs", "none", "/dev/shm"]);
  // Some give up root, and read their files after that.
  chmodSync(network.directory, 0o755);
  for (const [name, lines] of Object.entries(play.files ?? {})) {
    writeFileSync(join(network.directory, name), `${lines.join("\n")}\n`);
  }
  const [command = "", ...args] = play.command;
  const proxy = spawn(command, args, { cwd: network.directory, stdio: ["ignore", 2, 2] });
  process.once("exit", () => proxy.kill("SIGKILL"));
  while (!(await isListening())) {
    if (proxy.exitCode !== null || proxy.signalCode !== null) throw new Error("The proxy ended.");
    await setTimeout(50);
  }
}

function isListening(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = asTestClient(() => connect(PROXY.port, PROXY.address));
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function ask({ proxy = `http://${PROXY.address}:${PROXY.port}`, dns, url = PROXIED_ORIGIN }: ProxyAsk) {
  const jail = createJail({ exemptions: [{ origin: PROXIED_ORIGIN, name: "site" }] });
  const transport = createTransport({ jail, proxy: { http: proxy, dns } });
  try {
    const { status, bytes, hops } = await transport.request({ url, timeoutMs: 5_000 });
    return { status, text: Buffer.from(bytes).toString(), via: hops[0]?.via };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return { code: error.code, ...error.details };
  } finally {
    await transport.close();
  }
}
