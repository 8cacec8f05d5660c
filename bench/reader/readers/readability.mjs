import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { describePackages } from "../manifest.mjs";
import { createTurndown } from "../turndown.mjs";

const turndown = createTurndown();

export const name = "Readability";
export const version = describePackages("@mozilla/readability", "linkedom", "turndown", "turndown-plugin-gfm");

export function read(html, url) {
  const { document } = parseHTML(html);
  // What it resolves links against; linkedom takes no address.
  for (const key of ["baseURI", "documentURI"]) Object.defineProperty(document, key, { value: url });
  const article = new Readability(document).parse();
  return turndown.turndown(article?.content ?? "");
}
