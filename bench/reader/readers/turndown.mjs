import { describePackages } from "../manifest.mjs";
import { createTurndown } from "../turndown.mjs";

const turndown = createTurndown();

export const name = "turndown";
export const version = `${describePackages("turndown", "turndown-plugin-gfm")}, the whole page`;
export const read = (html) => turndown.turndown(html);
