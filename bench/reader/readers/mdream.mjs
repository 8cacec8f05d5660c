import { htmlToMarkdown } from "mdream";
import { describePackages } from "../manifest.mjs";

export const name = "mdream";
export const version = `${describePackages("mdream")}, preset minimal, Rust`;
export const read = (html, url) => htmlToMarkdown(html, { minimal: true, origin: new URL(url).origin });
