import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";

/** Turndown as its users set it up for Markdown with `#` headings and fences. */
export function createTurndown() {
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  return turndown.use(gfm).remove(["script", "style", "noscript", "template"]);
}
