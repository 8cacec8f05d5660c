// A whole internet in a network namespace: a name server that answers as a row says, and canaries on every address.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, isIP } from "node:net";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";

const TLS_HANDSHAKE = 0x16;

/** To be called in a namespace of its own. Canaries listen on `ports` and have a certificate for `hosts`. */
export async function openInternet(ports, hosts) {
  const { layOutNetwork } = await tsImport("../../test/jail/namespace/network.ts", import.meta.url);
  const { openNameServer } = await tsImport("../../test/jail/namespace/name-server.ts", import.meta.url);
  const network = layOutNetwork({});
  process.once("exit", () => network.remove());
  network.setResolver([], []);
  const nameServer = await openNameServer(network.nameServer);
  const certificate = createCertificate(network.directory, hosts);
  const canaries = await openCanaries(ports, certificate);
  return { nameServer, canaries, certificatePath: certificate.path, countTcpOpens };
}

/** Plain and TLS on the same ports. Successive requests get the script's redirects, and then a page. */
async function openCanaries(ports, { cert, key }) {
  const canaries = { script: { redirects: [], status: 302, isEndless: false }, connections: [], requests: 0 };
  const listener = (_request, response) => {
    const { redirects, status, isEndless } = canaries.script;
    const location = redirects[isEndless ? canaries.requests % redirects.length : canaries.requests];
    canaries.requests += 1;
    response.setHeader("connection", "close");
    if (location === undefined) response.writeHead(200, { "content-type": "text/plain" }).end("canary");
    else response.writeHead(status, { location: Buffer.from(location, "utf8").toString("latin1") }).end();
  };
  const plain = createHttpServer(listener);
  const secure = createHttpsServer({ cert, key }, listener);
  const accept = (socket) => {
    canaries.connections.push(`${addressSpelling(socket.localAddress)} ${socket.localPort}`);
    socket.on("error", () => {});
    socket.once("data", (chunk) => {
      socket.pause();
      socket.unshift(chunk);
      (chunk[0] === TLS_HANDSHAKE ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  };
  for (const host of ["0.0.0.0", "::"]) {
    for (const port of ports) {
      await new Promise((resolve, reject) => {
        createServer(accept).once("error", reject).listen({ host, port, ipv6Only: true }, resolve);
      });
    }
  }
  return canaries;
}

/** One spelling for each address, by the URL parser. */
export function addressSpelling(address) {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

function createCertificate(directory, hosts) {
  const path = join(directory, "certificate.pem");
  const keyPath = join(directory, "key.pem");
  const names = ["canary.invalid", ...hosts].map((host) => `${isIP(host) === 0 ? "DNS" : "IP"}:${host}`);
  const command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=canary";
  const files = ["-keyout", keyPath, "-out", path, "-addext", `subjectAltName=${names.join(",")}`];
  execFileSync("openssl", [...command.split(" "), ...files], { stdio: "ignore" });
  return { path, cert: readFileSync(path), key: readFileSync(keyPath) };
}

/** TCP connections that anyone in this namespace began (RFC 4022), to whatever address and port, answered or not. */
function countTcpOpens() {
  const [names, values] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("Tcp:"))
    .map((line) => line.split(" "));
  return Number(values[names.indexOf("ActiveOpens")]);
}
