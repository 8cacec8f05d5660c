// Holds the house to docs/architecture.md: which room may import which, and who may open a socket, start a process or a
// thread. esbuild reads the sources, so that no spelling of an import or a global gets past. `layering.mjs [folder]`
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = resolve(process.argv[2] ?? fileURLToPath(new URL("../src", import.meta.url)));

const PURE = ["content", "extract", "guard", "reading"];
/** What each room may import of ours besides itself, `errors`, `types` and `parse-url`: whole rooms, or a room's files. */
const MAY_IMPORT = {
  errors: [],
  types: [],
  "parse-url": [],
  content: [],
  extract: ["reading"],
  reading: [],
  guard: ["extract"],
  net: [],
  config: [],
  session: ["guard", "net/net-event", "net/redact-url", "policy/approver"],
  policy: ["guard"],
  search: ["net/retry-after"],
  "read-page": ["content", "extract", "guard", "reading"],
  "worker-queue": [],
  "worker-answer": ["worker-queue"],
  "read-page-worker": ["read-page", "worker-answer"],
  "page-reader": ["read-page", "worker-queue"],
  extractor: ["extract", "worker-queue", "worker-answer"],
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
/** Node's modules that open nothing: every room may use them that is not pure. */
const HARMLESS =
  /^node:(assert|buffer|crypto|diagnostics_channel|events|fs|fs\/promises|os|path|string_decoder|timers\/promises|url|util|zlib)$/;
/**
 * What opens a socket, a process or a thread: the module, the files that may import it, and the names that each may take
 * of it. All other modules of Node are nobody's.
 */
const DOORS = {
  "node:net": {
    "net/dial.ts": ["connect"],
    "net/ip-address.ts": ["isIP"],
    "net/tls/server-identity.ts": ["isIP"],
  },
  "node:dns": { "net/resolve.ts": ["lookup"] },
  "node:tls": {
    "net/tls/handshake.ts": ["connect"],
    "net/tls/secure-context.ts": ["createSecureContext"],
    "net/tls/server-identity.ts": ["checkServerIdentity"],
    "net/tls/system-store.ts": ["*"],
    "net/tls/trust.ts": ["rootCertificates"],
  },
  // Over the socket that dial.ts opened.
  "node:http": { "net/proxy/http-connect.ts": ["request"], "cli/demo-site.ts": ["createServer"] },
  "undici/lib/dispatcher/client.js": { "net/connections.ts": ["default"] },
  "undici/lib/core/symbols.js": { "net/parser-guard.ts": ["default"] },
  "undici/lib/core/socks5-client.js": { "net/proxy/socks5.ts": ["Socks5Client"] },
  "node:child_process": { "search/run-command.ts": ["spawn"] },
  "node:worker_threads": { "worker-queue.ts": ["Worker"], "worker-answer.ts": ["parentPort"] },
  "@modelcontextprotocol/server": { "server/mcp.ts": ["Server"] },
  "@modelcontextprotocol/server/stdio": { "server/mcp.ts": ["serveStdio"] },
};
/** Packages that open nothing. */
const PACKAGES = /^(@exodus\/bytes\/.+|commander|entities|htmlparser2|ipaddr\.js|jsonc-parser|lru-cache|tldts|zod)$/;
/** Globals that dial, or that lead to what the tables above keep away. */
const GLOBALS =
  "fetch WebSocket WebSocketStream EventSource XMLHttpRequest require module globalThis global eval Function".split(
    " ",
  );
/** What may be taken of `process`; not `binding`, `getBuiltinModule` or `dlopen`. */
const PROCESS = new Set(
  (
    "argv cwd emitWarning env execPath exit exitCode kill on once pid platform removeListener stderr stdin stdout " +
    "versions"
  ).split(" "),
);
/** By these any function leads to `Function`, and `process.stdout` to `net.Socket`. A class may have its constructor. */
const WAYS_TO_CLASSES = /(?<=[."'`])constructor\b|\bconstructor(?=[:,]| [}=]|$)|\b(?:getPrototypeOf|__proto__)\b/gm;

const problems = new Set();
const [files, others] = [[], []];
for (const file of walk(source)) (file.endsWith(".ts") ? files : others).push(file);
for (const file of others) problems.add(`${nameOf(file)}: is not read here, since its name does not end in .ts`);
const checked = files.filter((file) => !/\.test\.ts$|\.d\.ts$/.test(file));
for (const file of checked) {
  const name = nameOf(file);
  if (!(roomOf(name) in MAY_IMPORT)) problems.add(`${name}: no room of that name stands in the plan`);
  for (const [, target] of readFileSync(file, "utf8").matchAll(/^(?:import|export) type [^;"]*?from "(\.[^"]+)"/gm)) {
    checkOwn(name, nameOf(resolve(file, "..", target)));
  }
}
const { warnings, outputFiles } = await build({
  entryPoints: checked,
  outdir: source,
  outbase: source,
  write: false,
  bundle: true,
  format: "esm",
  platform: "node",
  treeShaking: false,
  logLevel: "silent",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  // A name that nothing in the file declares comes out as another, which no file has.
  define: Object.fromEntries([...GLOBALS, "process"].map((name) => [name, `__global_${name}`])),
  logOverride: { "unsupported-dynamic-import": "warning" },
  plugins: [{ name: "layering", setup: ({ onResolve }) => void onResolve({ filter: /.*/ }, checkImport) }],
});
for (const { location } of warnings)
  problems.add(`${nameOf(resolve(location?.file ?? source))}: imports what is not said`);
for (const { path, text } of outputFiles) checkOutput(nameOf(path).replace(/\.js$/, ".ts"), text);

for (const problem of [...problems].sort()) console.error(problem);
console.log(
  `layering: ${problems.size === 0 ? "every import keeps to the plan" : `${problems.size} breaks of the plan`}`,
);
process.exit(problems.size === 0 ? 0 : 1);

function checkImport({ path, importer, kind }) {
  if (kind === "entry-point") return;
  const name = nameOf(importer);
  if (path.startsWith(".")) checkOwn(name, nameOf(resolve(importer, "..", path)));
  else checkForeign(name, moduleOf(path), kind);
  return { path, external: true };
}

function checkOwn(name, target) {
  const [room, other] = [roomOf(name), roomOf(target)];
  const allowed = ["errors", "types", "parse-url", room, ...(MAY_IMPORT[room] ?? [])];
  const isFine = allowed.includes(other) || allowed.includes(target.replace(/\.(ts|js)$/, ""));
  if (!isFine) problems.add(`${name}: ${room} may not import ${other}`);
  if (/\.test\.(ts|js)$/.test(target)) problems.add(`${name}: may not import a test`);
  if (name.startsWith("search/providers/") && !/^(search\/provider|errors|types|parse-url)(\.js)?$/.test(target)) {
    problems.add(`${name}: a provider imports ../provider.js and nothing else of ours`);
  }
}

function checkForeign(name, module, kind) {
  const isHarmless = HARMLESS.test(module) || PACKAGES.test(module);
  // Which names a dynamic import takes is not seen.
  const isDoor = DOORS[module]?.[name] !== undefined && kind === "import-statement";
  if (!isHarmless && !isDoor) problems.add(`${name}: may not import ${module}`);
  if (PURE.includes(roomOf(name)) && module.startsWith("node:") && module !== "node:buffer") {
    problems.add(`${name}: a pure room imports ${module}`);
  }
}

function checkOutput(name, text) {
  for (const [, taken, path] of text.matchAll(/^(?:import|export) ([^;"]+) from "([^"]+)";$/gm)) {
    const allowed = DOORS[moduleOf(path)]?.[name];
    for (const word of allowed === undefined ? [] : namesIn(taken)) {
      if (!allowed.includes(word)) problems.add(`${name}: may not import ${word} of ${moduleOf(path)}`);
    }
  }
  // Node reads some hosts otherwise once it runs hot: src/parse-url.ts says which.
  if (/\bURL\.canParse\b/.test(text)) problems.add(`${name}: uses URL.canParse and not parse-url`);
  if (/\b__glob\(/.test(text)) problems.add(`${name}: imports what is not said`);
  for (const [word] of text.matchAll(WAYS_TO_CLASSES)) problems.add(`${name}: uses ${word}`);
  for (const [, global, rest] of text.matchAll(/\b__global_(\w+)(.*)/g)) {
    const member = global === "process" ? /^\??\.(\w+)/.exec(rest)?.[1] : undefined;
    const isFine = member !== undefined && PROCESS.has(member);
    if (!isFine) problems.add(`${name}: uses ${member === undefined ? `the global ${global}` : `process.${member}`}`);
  }
}

/** Of `{ a as b, c }`, `* as d` and `e`: what they are called where they come from. */
function namesIn(taken) {
  const [, outside, inside = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(taken);
  const words = (list) => list.split(",").flatMap((part) => part.trim().split(/\s+as\s+/)[0] || []);
  return [...words(inside), ...words(outside).map((word) => (word === "*" ? "*" : "default"))];
}

/** Node has two names for most of its modules. */
function moduleOf(path) {
  return isBuiltin(path) ? `node:${path.replace(/^node:/, "")}` : path;
}

function nameOf(file) {
  return relative(source, file).split(sep).join(posix.sep);
}

function roomOf(name) {
  const [first = ""] = name.split("/");
  return first.replace(/\.(ts|js)$/, "");
}

function* walk(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) yield* walk(path);
    else yield path;
  }
}
