// Holds the house to docs/architecture.md: which room may import which, and who may open a socket.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src", import.meta.url));

const PURE = ["content", "extract", "guard", "reading"];
/** What each room may import of ours besides itself, `errors` and `types`. */
const MAY_IMPORT = {
  errors: [],
  types: [],
  content: [],
  extract: ["reading"],
  reading: [],
  guard: ["extract"],
  net: [],
  config: [],
  session: ["guard", "net", "policy"],
  policy: ["guard"],
  search: ["net"],
  "read-page": ["content", "extract", "guard", "reading"],
  "read-page-worker": ["read-page"],
  "page-reader": ["read-page"],
  "web-fetch": ["fetch", "reading"],
  fetch: ["net", "search", "policy", "session", "guard", "reading", "page-reader", "read-page"],
  "web-search": ["search", "policy", "session", "guard"],
  postern: [
    "config",
    "fetch",
    "lifetime",
    "net",
    "policy",
    "session",
    "search",
    "web-fetch",
    "web-search",
    "page-reader",
  ],
  index: ["postern", "config", "fetch", "policy", "search", "session", "version"],
  lifetime: [],
  version: [],
  tools: ["postern", "guard"],
  server: ["tools", "postern", "version"],
  cli: ["postern", "tools", "config", "extract", "net", "policy", "server", "search", "version"],
};
const SOCKET_MODULES =
  /^(undici(\/.*)?|node:(net|dns|dns\/promises|tls|http|https|http2|dgram)|net|dns|tls|https?|http2|dgram)$/;
/** Servers listen; they never dial. */
const LISTENERS = new Set(["server", "cli/demo-site.ts"]);
const IMPURE = /^(node:(?!buffer$)|undici$)/;

const problems = [];
for (const file of walk(source)) {
  if (file.endsWith(".test.ts")) continue;
  const name = relative(source, file).split(sep).join(posix.sep);
  const room = roomOf(name);
  if (!(room in MAY_IMPORT)) problems.push(`${name}: no room of that name stands in the plan`);
  for (const target of importsOf(readFileSync(file, "utf8"))) {
    if (target.startsWith(".")) {
      const other = relative(source, resolve(dirname(file), target))
        .split(sep)
        .join(posix.sep);
      const otherRoom = roomOf(other);
      const fine =
        otherRoom === room || ["errors", "types"].includes(otherRoom) || MAY_IMPORT[room]?.includes(otherRoom);
      if (!fine) problems.push(`${name}: ${room} may not import ${otherRoom}`);
      if (name.startsWith("search/providers/") && !/^(search\/provider|errors|types)(\.js)?$/.test(other)) {
        problems.push(`${name}: a provider imports ../provider.js and nothing else of ours`);
      }
    } else {
      if (SOCKET_MODULES.test(target) && room !== "net" && !LISTENERS.has(room) && !LISTENERS.has(name)) {
        problems.push(`${name}: only src/net opens sockets (${target})`);
      }
      if (PURE.includes(room) && IMPURE.test(target)) problems.push(`${name}: a pure room imports ${target}`);
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? "layering: every import keeps to the plan"
    : `layering: ${problems.length} imports break the plan`,
);
process.exit(problems.length === 0 ? 0 : 1);

function roomOf(name) {
  const [first = ""] = name.split("/");
  return first.replace(/\.(ts|js)$/, "");
}

function* walk(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (path.endsWith(".ts")) yield path;
  }
}

function importsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g)].map((match) => match[1]);
}
