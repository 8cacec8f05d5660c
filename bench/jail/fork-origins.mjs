import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts the servers of `origins.mjs`; they end with `stop`, or with this process. */
export async function forkOrigins() {
  const child = fork(fileURLToPath(new URL("./origins.mjs", import.meta.url)), [], {
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ port, securePort }] = await once(child, "message");
  return {
    port,
    securePort,
    async countOpen() {
      child.send("count");
      const [{ open }] = await once(child, "message");
      return open;
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
