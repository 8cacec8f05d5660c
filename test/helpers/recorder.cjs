// Preloaded (`node --require`) into every process and thread of a test run: see test/global-setup.ts. It writes down
// what leaves them: what src/net/dial.ts and src/net/resolve.ts announce, what tests do themselves, and all else, which
// makes the run fail. CommonJS, because `--import` is not run in a worker whose source is given as text.
"use strict";

const { AsyncLocalStorage, createHook } = require("node:async_hooks");
const { ChildProcess } = require("node:child_process");
const { channel, subscribe } = require("node:diagnostics_channel");
const { appendFileSync, readlinkSync } = require("node:fs");
const { basename, join, resolve, sep } = require("node:path");
const { fileURLToPath } = require("node:url");
const { syncBuiltinESMExports } = require("node:module");
const workerThreads = require("node:worker_threads");

const DIRECTORY = "NET_RECORDER_DIRECTORY";
/** The network namespace of the test run: in another one a process may dial addresses that are not loopback. */
const NAMESPACE = "NET_RECORDER_NAMESPACE";
const { [DIRECTORY]: directory, [NAMESPACE]: namespace } = process.env;

/** What leaves a process, by the type of its asynchronous resource: every API ends in one of them. */
const WATCHED = {
  TCPCONNECTWRAP: ({ address, port }) => ({ what: "connect", to: `${address} ${port}`, stays: isLoopback(address) }),
  PIPECONNECTWRAP: ({ address }) => ({ what: "pipe", to: address, stays: true }),
  GETADDRINFOREQWRAP: ({ hostname }) => ({ what: "lookup", to: hostname, stays: isLocalName(hostname) }),
  GETNAMEINFOREQWRAP: ({ hostname }) => ({ what: "reverse lookup", to: hostname, stays: isLoopback(hostname) }),
  QUERYWRAP: ({ hostname, bindingName }) => ({ what: "dns query", to: `${hostname} ${bindingName}`, stays: true }),
  // Where a datagram goes is not seen: node sends it at once when it can, without a resource.
  UDPWRAP: () => ({ what: "udp socket", to: "anywhere", stays: true }),
  QUIC_ENDPOINT: () => ({ what: "quic endpoint", to: "anywhere", stays: true }),
  QUIC_UDP: () => ({ what: "quic socket", to: "anywhere", stays: true }),
};
module.exports = { watched: Object.keys(WATCHED) };

const ANNOUNCEMENT_MS = 30_000;
const root = resolve(__dirname, "../..");
const testClient = new AsyncLocalStorage();
/** Sockets that test code opened, by their async id: node connects them a tick later, when nobody is on the stack. */
const testSockets = new Set();
const announcements = new Map();

if (directory !== undefined) start();

function start() {
  channel("postern:test:client").bindStore(testClient);
  subscribe("postern:net:dial", ({ addresses, port }) => {
    for (const address of addresses) announce(`connect ${address} ${port}`);
  });
  subscribe("postern:net:lookup", ({ host }) => announce(`lookup ${host}`));

  createHook({
    init(id, type, trigger, resource) {
      if (type === "TCPWRAP" && isTestCode()) testSockets.add(id);
      const seen = WATCHED[type]?.(resource);
      if (seen !== undefined) judge(seen, trigger);
    },
    // Node 24 can leave promises out, which are most of what a hook costs.
    trackPromises: false,
  }).enable();
  watchSpawn(ChildProcess.prototype);
  watchSpawn(process.binding("spawn_sync"));
  watchWorkers();
  write({ kind: "start" });
}

function judge({ what, to, stays }, trigger) {
  const isByTest = () => testSockets.has(trigger) || testClient.getStore() !== undefined || isTestCode(what);
  const kind = takeAnnouncement(`${what} ${to}`) ? "announced" : isByTest() ? "by a test" : "unknown";
  if (kind === "unknown") violation(what, to, "not announced");
  else if (!stays && !isNamespaceOfItsOwn()) violation(what, to, "leaves the machine");
  else write({ kind, what, to });
}

/** Good for one attempt. */
function announce(key) {
  announcements.set(key, [...announced(key), performance.now()]);
}

function takeAnnouncement(key) {
  const [oldest, ...rest] = announced(key);
  if (rest.length > 0) announcements.set(key, rest);
  else announcements.delete(key);
  return oldest !== undefined;
}

function announced(key) {
  return (announcements.get(key) ?? []).filter((at) => performance.now() - at < ANNOUNCEMENT_MS);
}

/**
 * What `spawn`, `fork` and `exec` end in, or `spawnSync` and its like. A child is recorded like its parent, whatever
 * environment it is given. Product code starts search commands and nothing else, each in a fresh directory of that name;
 * they are foreign programs, whose environment tests look at.
 */
function watchSpawn(target) {
  const { spawn } = target;
  target.spawn = function (options) {
    const isSearchCommand = basename(options.cwd ?? "").startsWith("postern-command-");
    if (isSearchCommand) return spawn.call(this, options);
    if (callSites().some(isProduct)) violation("process", options.file, "not a search command");
    const env = (options.envPairs ?? []).map((pair) => [
      pair.slice(0, pair.indexOf("=")),
      pair.slice(pair.indexOf("=") + 1),
    ]);
    return spawn.call(this, { ...options, envPairs: recorded(env).map((entry) => entry.join("=")) });
  };
}

function watchWorkers() {
  workerThreads.Worker = class extends workerThreads.Worker {
    constructor(source, options) {
      const isOwnEnvironment = typeof options?.env === "object" && options.env !== null;
      super(
        source,
        isOwnEnvironment ? { ...options, env: Object.fromEntries(recorded(Object.entries(options.env))) } : options,
      );
    }
  };
  syncBuiltinESMExports();
}

/** The environment with what makes a process or thread load this file. */
function recorded(env) {
  if (env.some(([name]) => name === DIRECTORY)) return env;
  const isOptions = ([name]) => name === "NODE_OPTIONS";
  return [
    ...env.filter((entry) => !isOptions(entry)),
    ["NODE_OPTIONS", `${env.find(isOptions)?.[1] ?? ""} --require ${JSON.stringify(__filename)}`.trim()],
    [DIRECTORY, directory],
    ...(namespace === undefined ? [] : [[NAMESPACE, namespace]]),
  ];
}

/** Whether a test or one of its helpers runs, and no product code between it and the socket. */
function isTestCode(what) {
  const sites = callSites();
  if (sites.some(isProduct)) return false;
  // The loader of TypeScript looks for its own daemon on a named pipe.
  const isOwn = (file) => isIn("test", file) || isUnitTest(file) || (what === "pipe" && isIn("node_modules/tsx", file));
  // Who only awaits is no evidence of who dialled.
  return sites.some((site) => !site.isAsync && isOwn(site.file));
}

function isProduct({ file }) {
  return (isIn("src", file) && !isUnitTest(file)) || isIn("dist", file);
}

function isUnitTest(file) {
  return isIn("src", file) && file.endsWith(".test.ts");
}

function isIn(folder, file) {
  return file.startsWith(join(root, folder) + sep);
}

function callSites() {
  return withStack((_error, sites) => sites)
    .map((site) => ({ file: site.getFileName() ?? "", isAsync: site.isAsync() }))
    .map(({ file, isAsync }) => ({ file: file.startsWith("file:") ? fileURLToPath(file) : file, isAsync }))
    .filter(({ file }) => file !== __filename);
}

/** A test runner's own `prepareStackTrace` reads source maps, which is right for what is shown and slow for the rest. */
function withStack(prepare) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  Error.prepareStackTrace = prepare;
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack;
}

function isLoopback(address = "") {
  return /^(127\.|::ffff:127\.|::1$|::$|0\.0\.0\.0$)/.test(address);
}

function isLocalName(host = "") {
  return isLoopback(host) || /(^|\.)localhost\.?$/.test(host);
}

function isNamespaceOfItsOwn() {
  try {
    return namespace !== undefined && readlinkSync("/proc/self/ns/net") !== namespace;
  } catch {
    return false;
  }
}

function violation(what, to, why) {
  const lines = withStack(Error.prepareStackTrace).split("\n").slice(1);
  const stack = lines.filter((line) => !line.includes(__filename)).join("\n");
  write({ kind: "violation", what, to, why, command: process.argv.slice(0, 4).join(" "), stack });
}

function write(line) {
  try {
    appendFileSync(join(directory, `${process.pid}-${workerThreads.threadId}.jsonl`), `${JSON.stringify(line)}\n`);
  } catch (error) {
    // A process that outlived the test run, whose directory is gone.
    if (error.code !== "ENOENT") throw error;
  }
}
