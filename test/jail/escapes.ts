const HERE = /^127\.0\.0\.1 \d+$/;

/** What each piece of code finds defined: a server on loopback, a way to wait, and a way to stand in any file. */
export const prelude = (port: number): string => `
  import { runInThisContext } from "node:vm";
  const port = ${port}, origin = "http://127.0.0.1:${port}", root = ${JSON.stringify(process.cwd())};
  const moment = () => new Promise((done) => setTimeout(done, 500));
  const settled = (work) => Promise.race([work, new Promise((done) => setTimeout(done, 10_000))]).catch(() => {});
  const ended = (emitter) => settled(new Promise((done) => emitter.on("error", done).on("close", done).on("exit", done)));
  const from = (file, source) => runInThisContext(source, { filename: root + file });
`;

/** Ways out of a process that are not src/net, as code that takes one; and what the recorder is to say of it. */
export const ESCAPES: readonly (readonly [way: string, what: string, to: RegExp, source: string])[] = [
  [
    "net.connect",
    "connect",
    HERE,
    `await ended((await import("node:net")).connect(port, "127.0.0.1").resume().end());`,
  ],
  [
    "new net.Socket",
    "connect",
    HERE,
    `await ended(new (await import("node:net")).Socket().connect(port).resume().end());`,
  ],
  [
    "a name for net.connect",
    "lookup",
    /^localhost$/,
    `await ended((await import("node:net")).connect(port, "localhost").resume().end());`,
  ],
  ["http.get", "connect", HERE, `await ended((await import("node:http")).get(origin, (r) => r.resume()));`],
  ["https.get", "connect", HERE, `await ended((await import("node:https")).get("https://127.0.0.1:" + port));`],
  ["tls.connect", "connect", HERE, `await ended((await import("node:tls")).connect(port, "127.0.0.1"));`],
  ["http2.connect", "connect", HERE, `await ended((await import("node:http2")).connect(origin));`],
  ["the global fetch", "connect", HERE, `await fetch(origin);`],
  ["undici's request", "connect", HERE, `await (await import("undici")).request(origin);`],
  ["undici's fetch", "connect", HERE, `await (await import("undici")).fetch(origin);`],
  [
    "a WebSocket",
    "connect",
    HERE,
    `new (await import("undici")).WebSocket(origin.replace("http", "ws")); await moment();`,
  ],
  ["an EventSource", "connect", HERE, `new (await import("undici")).EventSource(origin); await moment();`],
  [
    "node's binding itself",
    "connect",
    /./,
    `
    const { TCP, TCPConnectWrap } = process.binding("tcp_wrap");
    new TCP(0).connect(new TCPConnectWrap(), "127.0.0.1", port);`,
  ],
  ["dns.lookup", "lookup", /^localhost$/, `(await import("node:dns")).lookup("localhost", () => {});`],
  ["dns/promises' lookup", "lookup", /^localhost$/, `await (await import("node:dns/promises")).lookup("localhost");`],
  [
    "dns.resolve4",
    "dns query",
    /^leak\.example queryA$/,
    `
    const { Resolver } = await import("node:dns");
    const resolver = new Resolver({ timeout: 50, tries: 1 });
    resolver.setServers(["127.0.0.1:9"]);
    resolver.resolve4("leak.example", () => {});`,
  ],
  [
    "dns/promises' resolveTxt",
    "dns query",
    /^leak\.example queryTxt$/,
    `
    const { Resolver } = await import("node:dns/promises");
    const resolver = new Resolver({ timeout: 50, tries: 1 });
    resolver.setServers(["127.0.0.1:9"]);
    await settled(resolver.resolveTxt("leak.example"));`,
  ],
  [
    "dns.reverse",
    "dns query",
    /^127\.0\.0\.1 getHostByAddr$/,
    `
    const { Resolver } = await import("node:dns");
    const resolver = new Resolver({ timeout: 50, tries: 1 });
    resolver.setServers(["127.0.0.1:9"]);
    resolver.reverse("127.0.0.1", () => {});`,
  ],
  [
    "dns.lookupService",
    "reverse lookup",
    /^127\.0\.0\.1$/,
    `(await import("node:dns")).lookupService("127.0.0.1", 80, () => {});`,
  ],
  [
    "a datagram",
    "udp socket",
    /./,
    `
    const socket = (await import("node:dgram")).createSocket("udp4");
    await new Promise((done) => socket.send("x", 9, "127.0.0.1", done));`,
  ],
  [
    "a pipe",
    "pipe",
    /^\/nowhere\/daemon\.sock$/,
    `await ended((await import("node:net")).connect("/nowhere/daemon.sock"));`,
  ],
  [
    "a worker thread",
    "connect",
    HERE,
    `
    const { Worker } = await import("node:worker_threads");
    const source = "require('node:net').connect(" + port + ", '127.0.0.1').resume().end()";
    await ended(new Worker(source, { eval: true, execArgv: [], env: {} }));`,
  ],
  [
    "a worker thread from a module",
    "connect",
    HERE,
    `
    const { Worker } = await import("node:worker_threads");
    const source = "import { connect } from 'node:net'; connect(" + port + ", '127.0.0.1').resume().end();";
    await ended(new Worker(new URL("data:text/javascript," + encodeURIComponent(source)), { execArgv: [], env: {} }));`,
  ],
  [
    "a child process",
    "connect",
    HERE,
    `
    const { spawn } = await import("node:child_process");
    const source = "require('node:net').connect(" + port + ", '127.0.0.1').resume().end()";
    await ended(spawn(process.execPath, ["-e", source], { env: {} }));`,
  ],
  [
    "a child process that is waited for",
    "connect",
    HERE,
    `
    const { execFileSync } = await import("node:child_process");
    const source = "require('node:net').connect(" + port + ", '127.0.0.1').resume().end()";
    execFileSync("sh", ["-c", 'exec "$0" "$@"', process.execPath, "-e", source], { env: {} });`,
  ],
  [
    "a program started by product code",
    "process",
    /^true$/,
    `
    const { spawn } = await import("node:child_process");
    await ended(from("/src/session/stray.js", "(spawn) => spawn('true')")(spawn));`,
  ],
  [
    "product code that a test called",
    "connect",
    HERE,
    `
    const { connect } = await import("node:net");
    const dial = from("/src/session/stray.js", "(connect, port) => { const socket = connect(port, '127.0.0.1'); return socket; }");
    const call = from("/test/stray.test.ts", "(dial, ...given) => { const socket = dial(...given); return socket; }");
    await ended(call(dial, connect, port).resume().end());`,
  ],
  [
    "a library that a test only awaits",
    "connect",
    HERE,
    `
    const { connect } = await import("node:net");
    const library = async () => { await null; const socket = connect(port, "127.0.0.1"); await ended(socket.resume().end()); };
    const call = from("/test/stray.test.ts", "async (library) => { await library(); }");
    await call(library);`,
  ],
  [
    "a second connection on one announcement",
    "connect",
    HERE,
    `
    const { channel } = await import("node:diagnostics_channel");
    const { connect } = await import("node:net");
    channel("postern:net:dial").publish({ addresses: ["127.0.0.1"], port });
    await ended(connect(port, "127.0.0.1").resume().end());
    await ended(connect(port, "127.0.0.1").resume().end());`,
  ],
];
