import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { describePackages } from "../manifest.mjs";

export const name = "defuddle";
export const version = describePackages("defuddle", "linkedom");

export async function read(html, url) {
  const { document } = parseHTML(html);
  const { content } = await Defuddle(document, url, { markdown: true, useAsync: false });
  return content;
}
