// Started in a network namespace: asks every guard it is told of for every row, and sends home how each row ended.
import { fork } from "node:child_process";
import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addressSpelling, openInternet } from "./internet.mjs";
import { isPlayable, ROW_SETS } from "./rows.mjs";

const PATIENCE_MS = 6_000;
/** What was sent last has arrived by then. */
const SETTLE_MS = 3;
const GUARD_PROCESS = fileURLToPath(new URL("./guard-process.mjs", import.meta.url));

const rows = ROW_SETS.flatMap((set) => set.rows).filter(isPlayable);
const urls = rows.flatMap((row) => [row.url, ...(row.redirects ?? [])]).filter((url) => URL.canParse(url));
// 53 is the name server's; that someone dials it is seen all the same.
const ports = new Set(urls.map((url) => portOf(new URL(url))).filter((port) => port !== 0 && port !== 53));
const hosts = new Set(
  urls
    .filter((url) => new URL(url).protocol === "https:")
    .map((url) => dialHost(new URL(url)))
    .filter((host) => host !== ""),
);
const internet = await openInternet([...ports], [...hosts]);
const { nameServer, canaries } = internet;

for (const name of JSON.parse(process.argv[2])) {
  const guard = createAsker(name);
  for (const row of rows) {
    const outcome = await playRow(row, guard.ask);
    process.send({ guard: name, id: row.id, ...outcome });
  }
  guard.end();
}
process.exit();

async function playRow(row, ask) {
  nameServer.reset();
  nameServer.zone = zoneOf(row);
  canaries.connections.length = 0;
  canaries.requests = 0;
  canaries.script = { redirects: row.redirects ?? [], status: row.status ?? 302, isEndless: row.endless === true };
  const opensBefore = internet.countTcpOpens();

  // A name that is rebound is asked for once more than its answers change.
  const times = row.resolves_seq === undefined ? 1 : row.resolves_seq.length + 1;
  const replies = [];
  for (let i = 0; i < times; i += 1) replies.push(await ask(row.url));
  await wait(SETTLE_MS);

  const isAnswered = replies.some(({ status }) => status === 200);
  const said = replies.map(({ status, error, crash }) => status ?? crash ?? error).join("; ");
  const isCrash = replies.some(({ crash }) => crash !== undefined);
  const { connections } = canaries;
  const seen = connections.join(", ");
  if (row.verdict === "allow") return { isRight: isAnswered && connections.length > 0, isCrash, said, seen };
  const rightful = rightfulConnections(row);
  const isLeaked =
    (row.resolves_seq === undefined && isAnswered) ||
    connections.some((connection) => !rightful.has(connection)) ||
    (rightful.size === 0 && internet.countTcpOpens() > opensBefore);
  return { isRight: !isLeaked, isCrash, said, seen };
}

function zoneOf(row) {
  const zone = {};
  const add = (host, answers) => {
    if (host !== "" && isIP(host) === 0) zone[host] = answers.map((addresses) => ({ addresses }));
  };
  const own = row.resolves_seq ?? (row.resolves_to === undefined ? [] : [row.resolves_to]);
  if (URL.canParse(row.url) && own.length > 0) add(dialHost(new URL(row.url)), own);
  for (const [host, answers] of Object.entries(row.dns ?? {})) add(host, answers);
  return zone;
}

/** Where a guard may go although the row is an attack: its first answers, and the hops before the one it is about. */
function rightfulConnections(row) {
  const steps = [];
  if (row.resolves_seq !== undefined) steps.push(row.url);
  else if (row.redirects !== undefined) {
    const hops = [row.url, ...row.redirects];
    steps.push(...(row.endless === true ? hops : hops.slice(0, -1)));
  }
  const zone = zoneOf(row);
  const rightful = new Set();
  let base = row.url;
  for (const step of steps) {
    const url = new URL(step, base);
    base = url.href;
    for (const address of zone[dialHost(url)]?.[0]?.addresses ?? []) {
      rightful.add(`${addressSpelling(address)} ${portOf(url)}`);
    }
  }
  return rightful;
}

/** A process for a guard, started anew when it ends or stays silent. */
function createAsker(name) {
  let child;
  const start = async () => {
    child = fork(GUARD_PROCESS, [name], {
      env: { PATH: process.env.PATH, HOME: "/nonexistent", NODE_EXTRA_CA_CERTS: internet.certificatePath },
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const { ready, crash } = await reply(child);
    if (ready !== true)
      throw new Error(`${name} cannot be loaded (${crash}); guard-process.mjs with its name says why.`);
  };
  return {
    async ask(url) {
      if (child?.connected !== true) await start();
      child.send(url);
      const answer = await reply(child);
      if (answer.crash !== undefined) child.kill("SIGKILL");
      return answer;
    },
    end: () => child?.kill("SIGKILL"),
  };
}

function reply(child) {
  return new Promise((resolve) => {
    const settle = (answer) => {
      clearTimeout(timer);
      child.removeListener("message", settle);
      child.removeListener("exit", exited);
      resolve(answer);
    };
    const exited = () => settle({ crash: "the process ended" });
    const timer = setTimeout(() => settle({ crash: "no answer" }), PATIENCE_MS);
    child.once("message", settle);
    child.once("exit", exited);
  });
}

function portOf(url) {
  if (url.port !== "") return Number(url.port);
  return { "http:": 80, "https:": 443 }[url.protocol] ?? 0;
}

function dialHost(url) {
  return url.hostname.replace(/^\[|\]$|\.$/g, "");
}
