import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { NetworkOptions, Play, Played } from "./plays.js";

/** A network of its own: whatever address is dialled in it, and whatever name is asked for, is seen. */
export interface World {
  play(scene: Play): Promise<Played>;
  close(): Promise<void>;
}

type Reply = { readonly ready: true } | { readonly played: Played } | { readonly failure: string };

const SCRIPT = new URL("./world-process.ts", import.meta.url);
const UNSHARE = ["--net", "--mount", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])];
/** Everything that laying out a network needs. */
const TRIAL = [
  "set -e",
  "ip link set lo up",
  "ip route add local 0.0.0.0/0 dev lo",
  "ip -6 route add local ::/0 dev lo",
  "ip link add hole type veth peer name hole-end",
  "mount --bind /etc/hosts /etc/hosts",
  "mount --bind /etc/resolv.conf /etc/resolv.conf",
  "openssl version",
].join("\n");

/** Nothing of the machine's own settings: no proxy, no further authorities. */
export const BARE_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };

/** The arguments of `unshare` that run a script in a network namespace of its own. */
export function inNamespace(script: URL, input: unknown): readonly string[] {
  return [...UNSHARE, process.execPath, "--import", "tsx", fileURLToPath(script), JSON.stringify(input)];
}

/** Why this machine can lay out no network of its own; `undefined` when it can. */
export function namespaceObstacle(): string | undefined {
  const { status, stderr, error } = spawnSync("unshare", [...UNSHARE, "sh", "-c", TRIAL], { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim().replaceAll("\n", "; ");
}

export async function openWorld(options: NetworkOptions = {}): Promise<World> {
  const child = spawn("unshare", inNamespace(SCRIPT, options), {
    env: BARE_ENVIRONMENT,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await replyOf(child);
  return {
    async play(scene) {
      child.send(scene);
      const reply = await replyOf(child);
      if ("played" in reply) return reply.played;
      throw new Error("failure" in reply ? reply.failure : "The world started anew.");
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}

function replyOf(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const exited = (): void => reject(new Error("The namespace's process ended."));
    child.once("exit", exited);
    child.once("message", (reply: Reply) => {
      child.removeListener("exit", exited);
      resolve(reply);
    });
  });
}
