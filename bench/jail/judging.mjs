// What judging a URL costs when its name is answered from memory.
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { createJail } from "../../dist/net/index.js";
import { median, percentile } from "../table.mjs";
import { GUARDS, loadGuard } from "./guards.mjs";
import { ROW_SETS } from "./rows.mjs";

const WARM_UP_ROUNDS = 300;
const ROUNDS = 300;
/** For a guard that waits on purpose. */
const MAX_MS = 3_000;

/** Attacks and legal URLs, literals and names; together, by verdict, and those that need no look-up at all. */
export async function measureJudging() {
  const rows = ROW_SETS[0].rows.filter(({ url }) => URL.canParse(url));
  const answers = new Map(rows.map(({ url, resolves_to: addresses = [] }) => [hostOf(url), addresses]));
  const jail = createJail({ resolve: async (host) => answers.get(host) ?? [] });
  const judge = (url) => jail.judge(url);
  const urlsOf = (isWanted) => rows.filter(isWanted).map(({ url }) => url);
  return {
    rows: rows.length,
    all: await timeJudge(
      urlsOf(() => true),
      judge,
    ),
    allowed: await timeJudge(
      urlsOf(({ verdict }) => verdict === "allow"),
      judge,
    ),
    refused: await timeJudge(
      urlsOf(({ verdict }) => verdict === "deny"),
      judge,
    ),
    literals: await timeJudge(urlsOf(isLiteral), judge),
    peers: await measurePeers(urlsOf(isLiteral)),
  };
}

/** Literals alone: names they would look up, each in a way of its own. */
async function measurePeers(urls) {
  if (!existsSync(new URL("./node_modules", import.meta.url))) return [];
  const peers = [];
  for (const guard of GUARDS.filter(({ judge }) => judge !== undefined)) {
    const judge = guard.judge(...(await loadGuard(guard)));
    peers.push({ name: guard.name, ...(await timeJudge(urls, judge)) });
  }
  return peers;
}

/** Microseconds a call, each timed by itself, the URLs in turn. */
async function timeJudge(urls, judge) {
  const times = [];
  const deadline = performance.now() + MAX_MS;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS && performance.now() < deadline; round += 1) {
    for (const url of urls) {
      const begun = performance.now();
      await judge(url);
      times.push((performance.now() - begun) * 1000);
    }
  }
  const measured = times.slice(Math.min(times.length >> 1, WARM_UP_ROUNDS * urls.length));
  return { median: median(measured), p95: percentile(measured, 0.95) };
}

function isLiteral({ url }) {
  return isIP(hostOf(url)) !== 0;
}

function hostOf(url) {
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, "");
}
