import { extract } from "../../../dist/extract/index.js";
import { readManifest } from "../manifest.mjs";

export const name = "Postern";
export const version = `postern ${readManifest("../../package.json").version}`;
// Images as all the others write them: the scorer takes `![alt](url)` for no text.
export const read = (html, url) => extract(html, { url, mode: "main", images: "link" }).markdown;
