/**
 * The client alone: undici's index takes several times as long to load and sets `globalThis`'s dispatcher, which would
 * change the user's own `fetch`.
 */
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  // biome-ignore lint/style/noDefaultExport: the shape of a CommonJS module
  export default Client;
}
