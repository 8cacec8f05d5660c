// Everything that can be known without running a test: types, lint, layering, dead code, the package's own shape.
import { spawnSync } from "node:child_process";

const STEPS = [
  ["build", process.execPath, ["scripts/build.mjs"]], // first: tests import the package by its name
  ["types", "npx", ["tsc", "-p", ".", "--noEmit"]],
  ["lint", "npx", ["biome", "check", "."]],
  ["layering", process.execPath, ["scripts/layering.mjs"]],
  ["dead code", "npx", ["knip"]],
  ["generated pages", process.execPath, ["scripts/docs.mjs", "--check"]],
  ["package", "npx", ["publint", "--strict"]],
  ["exported types", "npx", ["attw", "--pack", ".", "--profile", "esm-only"]],
];

let failed = 0;
for (const [name, command, args] of STEPS) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 << 20 });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name}`);
  if (status !== 0) {
    failed += 1;
    process.stdout.write(`${stdout}${stderr}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
