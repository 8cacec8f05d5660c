// Serves the pages that its parent sends, on loopback, until the parent goes away.
import { createServer } from "node:http";

process.once("message", ({ pages, hosts = ["127.0.0.1"] }) => {
  const answer = (request, response) => {
    const body = pages[request.url];
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
  };
  let port = 0;
  const listen = (remaining) => {
    const [host, ...rest] = remaining;
    if (host === undefined) {
      process.send({ origin: `http://${hosts[0]}:${port}`, port });
      return;
    }
    const server = createServer(answer).listen(port, host, () => {
      port = server.address().port;
      listen(rest);
    });
  };
  listen(hosts);
});
process.once("disconnect", () => process.exit(0));
