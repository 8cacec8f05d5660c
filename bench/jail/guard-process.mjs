// Asks one guard for the URLs its parent sends. An error that nobody catches ends the process, as it would end a server.
import { GUARDS, loadGuard } from "./guards.mjs";

const TIMEOUT_MS = 2_500;

const guard = GUARDS.find(({ name }) => name === process.argv[2]);
const ask = guard.open(...(await loadGuard(guard)));
process.on("message", async (url) => {
  try {
    process.send({ status: await ask(url, AbortSignal.timeout(TIMEOUT_MS)) });
  } catch (error) {
    process.send({ error: String(error?.cause ?? error) });
  }
});
process.once("disconnect", () => process.exit());
process.send({ ready: true });
