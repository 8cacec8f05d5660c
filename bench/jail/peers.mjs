// Postern and the guards of others on the same rows: `node bench/jail/peers.mjs`, with `--rows` each miss by itself.
// Every guard really dials, in a network namespace where all addresses are ours and all names are answered by us.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { GUARDS } from "./guards.mjs";
import { isPlayable, ROW_SETS } from "./rows.mjs";

const ADDRESS_KINDS = /^(v4-|v6-|zone-id|dns-private|dns-mixed|metadata)/;
const KINDS = {
  attacks: (row) => row.verdict === "deny",
  addresses: (row) => row.verdict === "deny" && ADDRESS_KINDS.test(row.kind),
  rebinding: (row) => row.verdict === "deny" && row.resolves_seq !== undefined,
  redirects: (row) => row.verdict === "deny" && row.redirects !== undefined,
  legal: (row) => row.verdict === "allow",
};

/** @param {{ listMisses?: boolean }} options */
export async function printPeers({ listMisses = false } = {}) {
  console.log("\n## The jail against the npm guards\n");
  const obstacle = await findObstacle();
  if (obstacle !== undefined) {
    console.log(`Skipped: ${obstacle}`);
    return;
  }
  const node = newestNode();
  const guards = GUARDS.map((guard) => ({ ...guard, ...manifestOf(guard) }));
  const runnable = guards.filter(({ engine }) => engine <= node.major);
  for (const { name, engine } of guards.filter((guard) => !runnable.includes(guard))) {
    console.log(`${name} is left out: it needs Node ${engine}, this is Node ${node.major}.`);
  }
  const outcomes = await play(
    node.path,
    runnable.map(({ name }) => name),
  );
  const sets = ROW_SETS.map(
    ({ name, isPresent, rows }) =>
      `${name}: ${isPresent ? `${rows.filter(isPlayable).length} rows` : "absent, skipped"}`,
  );
  console.log(`${sets.join("; ")}. Node ${node.version}. "Stopped" is an attack for which no connection was begun that should not
have been, and that got no answer; "through" is a legal URL whose answer came. A crash ends the process or never answers.\n`);
  printRows(runnable, outcomes);
  if (listMisses) printMisses(outcomes);
}

async function findObstacle() {
  if (!existsSync(new URL("./node_modules", import.meta.url))) {
    return "the guards of others are not installed; `npm ci --prefix bench/jail` does it.";
  }
  const { namespaceObstacle } = await tsImport("../../test/jail/namespace/world.ts", import.meta.url);
  const obstacle = namespaceObstacle();
  return obstacle === undefined ? undefined : `no network namespace can be laid out here (${obstacle}).`;
}

/** Some guards want a newer Node than we do: the newest that CI keeps, or else the one that runs this. */
function newestNode() {
  for (const major of [24, 22]) {
    const path = fileURLToPath(new URL(`../../.cache/node-${major}/node_modules/node/bin/node`, import.meta.url));
    const manifest = new URL(`../../.cache/node-${major}/node_modules/node/package.json`, import.meta.url);
    if (existsSync(path)) return { path, major, version: JSON.parse(readFileSync(manifest, "utf8")).version };
  }
  return { path: process.execPath, major: Number.parseInt(process.versions.node, 10), version: process.versions.node };
}

function manifestOf({ packages: [name] }) {
  if (name === undefined) return { version: "", license: "", engine: 0 };
  const folder = name.startsWith("../..") ? "../.." : `./node_modules/${name}`;
  const { version, license, engines } = JSON.parse(
    readFileSync(new URL(`${folder}/package.json`, import.meta.url), "utf8"),
  );
  return { version, license, engine: Number(/\d+/.exec(engines?.node ?? "0")?.[0] ?? 0) };
}

/** @returns the outcomes by guard and row */
async function play(nodePath, names) {
  const script = fileURLToPath(new URL("./play.mjs", import.meta.url));
  const child = spawn("unshare", ["--net", "--mount", nodePath, script, JSON.stringify(names)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const outcomes = new Map(names.map((name) => [name, new Map()]));
  child.on("message", ({ guard, id, ...outcome }) => outcomes.get(guard).set(id, outcome));
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error("The namespace's process ended early.");
  return outcomes;
}

function printRows(guards, outcomes) {
  const rows = ROW_SETS.flatMap((set) => set.rows).filter(isPlayable);
  const share = (byId, isOfKind) => {
    const ids = rows.filter(isOfKind).map(({ id }) => id);
    return `${ids.filter((id) => byId.get(id).isRight).length} / ${ids.length}`;
  };
  console.log(
    "| guard | used as | attacks stopped | by address | by rebinding | by redirect | legal URLs through | crashes |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const { name, version, license, use } of guards) {
    const byId = outcomes.get(name);
    const shares = Object.values(KINDS).map((isOfKind) => share(byId, isOfKind));
    const crashes = [...byId.values()].filter(({ isCrash }) => isCrash).length;
    const label = version === "" ? name : `${name} ${version} (${license})`;
    console.log(`| ${[label, use, ...shares, crashes].join(" | ")} |`);
  }
}

function printMisses(outcomes) {
  const rows = ROW_SETS.flatMap((set) => set.rows).filter(isPlayable);
  for (const [guard, byId] of outcomes) {
    console.log(`\n### ${guard}\n`);
    for (const row of rows) {
      const { isRight, said, seen } = byId.get(row.id);
      if (!isRight) console.log(`- ${row.id} ${row.verdict} ${row.url}: ${said}${seen === "" ? "" : ` [${seen}]`}`);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await printPeers({ listMisses: process.argv.includes("--rows") });
}
