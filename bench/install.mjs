// What `npm install postern` brings: packages, megabytes, install scripts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTable } from "./table.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "postern-install-"));
const npm = (...args) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const tarball = JSON.parse(npm("pack", root, "--json", "--ignore-scripts"))[0].filename;
writeFileSync(join(folder, "package.json"), '{"private":true}');
npm("install", "--no-audit", "--no-fund", "--ignore-scripts", `./${tarball}`);

const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
const packages = Object.entries(lock).filter(([path]) => path.startsWith("node_modules/"));
const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
const bytes = size(join(folder, "node_modules"));
rmSync(folder, { recursive: true });

printTable("What an install brings", [
  { name: "packages", value: String(packages.length), bar: "40", ok: packages.length <= 40 },
  { name: "on disk", value: `${(bytes / 1e6).toFixed(1)} MB`, bar: "35 MB", ok: bytes <= 35e6 },
  {
    name: "packages with install scripts",
    value: scripts.length === 0 ? "none" : scripts.join(", "),
    bar: "none",
    ok: scripts.length === 0,
  },
]);

function size(path) {
  const info = statSync(path);
  return info.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + size(join(path, name)), 0) : info.size;
}
