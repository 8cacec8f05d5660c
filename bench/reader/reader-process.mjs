// One reader in a process of its own: `node --expose-gc reader-process.mjs NAME`. It does what its parent asks, in turn.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { documentationPage } from "../pages.mjs";

const KILOBYTE = 1_024;
const WARM_UP_READINGS = 20;
const WARM_UP_BYTES = 50_000;
const WARM_UP_URL = "https://harbour.example/manual";

let pages = [];

const actions = {
  /** Reads one page. */
  read: async ({ html, url }) => {
    const { elapsed, result } = await timed(() => reader.read(html, url));
    return { markdown: String(result ?? ""), ...elapsed };
  },

  /** Brings the reader to its speed on made-up pages. */
  warmUp: async () => {
    const html = documentationPage(WARM_UP_BYTES);
    for (let i = 0; i < WARM_UP_READINGS; i += 1) await reader.read(html, WARM_UP_URL);
  },

  /** Keeps pages in memory for `time`. */
  load: (files) => {
    pages = files.map(({ path, url }) => ({ html: brotliDecompressSync(readFileSync(path)).toString("utf8"), url }));
    return { bytes: pages.map(({ html }) => Buffer.byteLength(html)) };
  },

  /** Reads some of the loaded pages; a page that throws has taken its time all the same. */
  time: async ({ from, to }) => {
    const times = [];
    for (const { html, url } of pages.slice(from, to)) {
      const { elapsed } = await timed(async () => {
        try {
          await reader.read(html, url);
        } catch {}
      });
      times.push(elapsed);
    }
    return { times };
  },

  peakRss: () => ({ bytes: process.resourceUsage().maxRSS * KILOBYTE }),

  /** Memory above the idle process while a page is read, the page itself included. */
  readLarge: async ({ path, url }) => {
    await actions.warmUp();
    globalThis.gc();
    forgetPeakRss();
    const idleBytes = process.memoryUsage.rss();
    await reader.read(readFileSync(path, "utf8"), url);
    return { bytes: actions.peakRss().bytes - idleBytes };
  },
};

async function timed(work) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const result = await work();
  const wallMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { result, elapsed: { wallMs, cpuMs: (user + system) / 1_000 } };
}

/** Linux only; elsewhere the peak is that of the process's whole life, and the figure the larger for it. */
function forgetPeakRss() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {}
}

const reader = await import(`./readers/${process.argv[2]}.mjs`).catch((error) => {
  process.send({ error: String(error.message).split("\n")[0] });
});
if (reader === undefined) {
  process.disconnect();
} else {
  process.on("message", async ({ action, input }) => {
    try {
      process.send({ ...(await actions[action](input)) });
    } catch (error) {
      process.send({ error: String(error) });
    }
  });
  process.once("disconnect", () => process.exit());
  process.send({ name: reader.name, version: reader.version });
}
