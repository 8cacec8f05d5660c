/**
 * The client alone: undici's index takes several times as long to load and sets `globalThis`'s dispatcher, which would
 * change the user's own `fetch`.
 */
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  // biome-ignore lint/style/noDefaultExport: the shape of a CommonJS module
  export default Client;
}

/** RFC 1928 over a socket that is open already; its index loads an agent with it. */
declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  export class Socks5Client extends EventEmitter {
    constructor(socket: Socket, options: { readonly username?: string; readonly password?: string });
    handshake(): void;
    connect(address: string, port: number): void;
  }
}

/** Where a client keeps its socket, and a socket its parser. */
declare module "undici/lib/core/symbols.js" {
  interface Symbols {
    readonly kSocket: unique symbol;
    readonly kParser: unique symbol;
  }
  const symbols: Symbols;
  // biome-ignore lint/style/noDefaultExport: the shape of a CommonJS module
  export default symbols;
}
