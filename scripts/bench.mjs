// Runs every bench, or those that are named: `npm run bench`, `npm run bench -- mcp pipeline`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BENCHES = ["mcp", "pipeline", "concurrency", "local-index", "install"];
const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(new URL("../dist/index.js", import.meta.url))) {
  console.error("Nothing is built yet: run `npm run build` first.");
  process.exit(2);
}
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${BENCHES.join(", ")}.`);
  process.exit(2);
}
let failed = false;
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  const { status } = spawnSync(process.execPath, ["--expose-gc", `bench/${name}.mjs`], { cwd: root, stdio: "inherit" });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
