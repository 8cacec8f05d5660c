// Runs every bench, or those that are named: `npm run bench`, `npm run bench -- mcp pipeline`.
// `npm run bench -- --write` also keeps what was printed in docs/bench.md.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const BENCHES = ["mcp", "pipeline", "concurrency", "jail", "local-index", "install", "reader"];
const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);
const wanted = args.filter((arg) => arg !== "--write");
const unknown = wanted.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${BENCHES.join(", ")}.`);
  process.exit(2);
}
let failed = false;
let printed = "";
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  const { status, stdout } = spawnSync(process.execPath, ["--expose-gc", `bench/${name}.mjs`], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  printed += stdout;
  failed ||= status !== 0;
}
if (args.includes("--write") && wanted.length === 0 && !failed) {
  const [cpu] = cpus();
  writeFileSync(
    new URL("../docs/bench.md", import.meta.url),
    `# Figures

Printed by \`npm run bench\` (\`npm run bench -- --write\` keeps them here). Every bar is a ratio against a peer in the same run, or a
limit with room to spare: nothing here is a timed test, and CI does not fail on it.

Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model.trim() ?? "unknown"}, ${new Date().toISOString().slice(0, 10)}.
${printed}`,
  );
}
process.exit(failed ? 1 : 0);
