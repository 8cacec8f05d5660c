import { definition, heading, list, listItem, quote, rule, summary, term } from "./block-elements.js";
import { code, pre } from "./code-elements.js";
import { button, input, option } from "./controls.js";
import { image } from "./image.js";
import { mark, rubyText, subscript, superscript } from "./inline-elements.js";
import { link } from "./link.js";
import { math, mathjax, script, texSource } from "./math-writers.js";
import { writeTable } from "./table.js";
import type { ElementWriter, Enter } from "./writer.js";

const skip: Enter = () => true;

/** Two in a row are how many pages write paragraphs. */
const lineBreak: Enter = (writer) => {
  if (writer.inline.isInLink) writer.inline.space();
  else if (!writer.inline.endsLine) writer.inline.lineBreak();
  else if (!writer.isInCell) writer.endBlock();
  return true;
};

/** How each element is written; those that are not named are blocks or inline text by their tag. */
export const ELEMENTS: ReadonlyMap<string, ElementWriter> = new Map<string, ElementWriter>([
  ["h1", heading],
  ["h2", heading],
  ["h3", heading],
  ["h4", heading],
  ["h5", heading],
  ["h6", heading],
  ["strong", mark("**")],
  ["b", mark("**")],
  ["em", mark("*")],
  ["i", mark("*")],
  ["del", mark("~~")],
  ["s", mark("~~")],
  ["strike", mark("~~")],
  ["q", mark('"')],
  ["a", link],
  ["img", image],
  ["br", { enter: lineBreak }],
  ["hr", { enter: rule }],
  ["code", code],
  ["tt", code],
  ["kbd", code],
  ["samp", code],
  ["pre", pre],
  ["listing", pre],
  ["xmp", pre],
  ["plaintext", pre],
  ["ul", list(false)],
  ["menu", list(false)],
  ["dir", list(false)],
  ["ol", list(true)],
  ["li", listItem],
  ["blockquote", quote],
  ["dt", term],
  ["dd", definition],
  ["table", { enter: writeTable }],
  ["sup", superscript],
  ["sub", subscript],
  ["rt", rubyText],
  ["rp", { enter: skip }],
  ["math", math],
  ["mjx-container", mathjax],
  ["math-renderer", texSource],
  ["script", script],
  ["summary", summary],
  ["input", input],
  ["button", button],
  ["option", option],
]);
