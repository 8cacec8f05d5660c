// A server in a process of its own, on every loopback address: `/1000` answers with 1000 bytes. As little work as a server
// can do, so that a client's own cost shows. Its parent may ask how many connections are open.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

const fixture = (name) => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
const listenOptions = { host: "0.0.0.0", port: 0, backlog: 4096 };
const answers = new Map();
let open = 0;

function accept(socket) {
  open += 1;
  socket.setNoDelay(true);
  socket.on("close", () => {
    open -= 1;
  });
  socket.on("error", () => {});
  let head = "";
  socket.on("data", (chunk) => {
    head += chunk.latin1Slice();
    for (let end = head.indexOf("\r\n\r\n"); end >= 0; end = head.indexOf("\r\n\r\n")) {
      socket.write(answerTo(head));
      head = head.slice(end + 4);
    }
  });
}

function answerTo(head) {
  const path = head.slice(head.indexOf("/") + 1, head.indexOf(" HTTP/"));
  const known = answers.get(path) ?? answerWith("x".repeat(Number(path)));
  answers.set(path, known);
  return known;
}

function answerWith(body) {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    "latin1",
  );
}

const plain = createServer(accept).listen(listenOptions);
const secure = createTlsServer({ cert: fixture("good.pem"), key: fixture("good.key") }, accept).listen(listenOptions);
await Promise.all([once(plain, "listening"), once(secure, "listening")]);
process.on("message", () => process.send({ open }));
process.once("disconnect", () => process.exit(0));
process.send({ port: plain.address().port, securePort: secure.address().port });
