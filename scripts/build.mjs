// Builds the library with tsc and the command as a few bundled files, so that it starts fast.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
if (!existsSync(tsc)) {
  console.error("The compiler is not installed: run `npm ci` in the checkout first.");
  process.exit(2);
}

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });

const { build } = await import("esbuild");
await build({
  absWorkingDir: root,
  entryPoints: { postern: "src/cli/postern.ts", "read-page-worker": "src/read-page-worker.ts" },
  outdir: "dist/bin",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  // A UMD main, such as that of jsonc-parser, hides its own requires from a bundler.
  mainFields: ["module", "main"],
  target: "node20.19",
  chunkNames: "[name]-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // CommonJS dependencies call require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
chmodSync(new URL("../dist/bin/postern.js", import.meta.url), 0o755);
