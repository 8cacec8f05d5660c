import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { hostPort } from "./host-port.js";
import { listen } from "./listening.js";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Site {
  readonly origin: string;
  /** Paths that were asked for, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A real web server on loopback; a string is an HTML page. */
export async function openSite(pages: Readonly<Record<string, string | Handler>>, host = "127.0.0.1"): Promise<Site> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    const page = pages[path.split("?")[0] ?? path];
    if (page === undefined)
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1><p>Try the start page.</p>");
    else if (typeof page === "string")
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else page(request, response);
  });
  const { port, close } = await listen(server, { host });
  return { origin: `http://${hostPort(host, port)}`, requests, close };
}

/** A page with a heading, a paragraph for each of `words`, and chrome around it. */
export function article(title: string, ...paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join("\n");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><nav><a href="/">Home</a></nav><main><article><h1>${title}</h1>${body}</article></main><footer>Imprint</footer></body></html>`;
}
