import type { Node } from "../tree.js";
import { codeBlock, codeSpan, isCodeBlock } from "./code.js";
import { codeText } from "./code-text.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

/** A fenced block; in a cell, where none can stand, a span a line. */
export const pre: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (writer.isInCell) {
      const { tree, gone } = writer.request;
      for (const line of codeText(tree, gone, node).split("\n")) writer.block(line.trim() === "" ? "" : codeSpan(line));
    } else writer.block(codeBlock(writer.codePlace, node));
    return true;
  },
};

export const code: ElementWriter = {
  enter(writer, node) {
    const { tree, gone } = writer.request;
    if (writer.parts.sections.isIn(node)) return false;
    if (!writer.isInCell && isCodeBlock(tree, node)) return pre.enter(writer, node);
    const text = codeText(tree, gone, node).replace(/\s+/g, " ").trim();
    if (text === "") return true;
    const address = writer.inline.isInLink ? undefined : onlyLink(writer, node);
    // Keys that touch are shown apart.
    if (node.tag.name === "kbd" && writer.inline.endsCode) writer.inline.space();
    if (address === undefined) writer.inline.code(text);
    else writer.inline.raw(`[${codeSpan(text)}](${address})`);
    // `<code>let </code>x`: the space inside the span stands outside it.
    if (/\s$/.test(tree.nodes[node.end - 1]?.text ?? "")) writer.inline.space();
    return true;
  },
};

const GIST = /^(?:https?:)?\/\/gist\.github\.com\/([\w-]+(?:\/\w+)?)\.js(?:\?file=([^&#]+))?/i;

/** A script that would show code from elsewhere becomes a link to it. */
export function writeGist(writer: MarkdownWriter, script: Node): void {
  const [, path, file] = GIST.exec(writer.attribute(script, "src")) ?? [];
  if (path === undefined) return;
  writer.endBlock();
  writer.inline.open("[", `](https://gist.github.com/${path})`);
  writer.text(file ?? "gist");
  writer.inline.close();
  writer.endBlock();
}

/** The address when the span is one link and nothing else. */
function onlyLink(writer: MarkdownWriter, node: Node): string | undefined {
  const first = writer.request.tree.nodes[node.index + 1];
  if (first?.tag.name !== "a" || first.end !== node.end) return undefined;
  return writer.request.links.resolve(writer.attribute(first, "href"));
}
