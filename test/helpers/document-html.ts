import type { Block, DocumentTree, Inline, Item } from "./document-tree.js";

/** The tree as a page that a careful author would write. */
export function documentHtml({ blocks, notes }: DocumentTree): string {
  const items = notes.map(({ label, children }) => `<li id="fn${label}">${blocksHtml(children)}</li>`);
  return `<!doctype html><title>Tea</title><body>${blocksHtml(blocks)}<section><ol>${items.join("")}</ol></section>`;
}

const blocksHtml = (blocks: readonly Block[]): string => blocks.map(blockHtml).join("");
const inlinesHtml = (inlines: readonly Inline[]): string => inlines.map(inlineHtml).join("");

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${inlinesHtml(block.children)}</p>`;
    case "heading":
      return `<h${block.level}>${inlinesHtml(block.children)}</h${block.level}>`;
    case "list": {
      const items = block.items.map(itemHtml).join("");
      return block.start === undefined ? `<ul>${items}</ul>` : `<ol start="${block.start}">${items}</ol>`;
    }
    case "quote":
      return `<blockquote>${blocksHtml(block.children)}</blockquote>`;
    case "code": {
      const language = block.language === "" ? "" : ` class="language-${block.language}"`;
      return `<pre><code${language}>${escapeHtml(block.value)}</code></pre>`;
    }
    case "rule":
      return "<hr>";
    case "table": {
      const row = (cells: readonly (readonly Inline[])[], tag: string): string =>
        `<tr>${cells.map((cell) => `<${tag}>${inlinesHtml(cell)}</${tag}>`).join("")}</tr>`;
      return `<table>${block.rows.map((cells, index) => row(cells, index === 0 ? "th" : "td")).join("")}</table>`;
    }
    case "definitions": {
      const entries = block.entries.map(
        ({ term, children }) => `<dt>${inlinesHtml(term)}</dt><dd>${blocksHtml(children)}</dd>`,
      );
      return `<dl>${entries.join("")}</dl>`;
    }
  }
}

function itemHtml({ isChecked, isBare, children }: Item): string {
  const box = isChecked === undefined ? "" : `<input type="checkbox"${isChecked ? " checked" : ""} disabled> `;
  const [first, ...rest] = children;
  if (first?.kind !== "paragraph") return `<li>${blocksHtml(children)}</li>`;
  const text = box + inlinesHtml(first.children);
  return `<li>${isBare ? text : `<p>${text}</p>`}${blocksHtml(rest)}</li>`;
}

function inlineHtml(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return escapeHtml(inline.value);
    case "code":
      return `<code>${escapeHtml(inline.value)}</code>`;
    case "break":
      return "<br>";
    case "mark":
      return `<${inline.tag}>${inlinesHtml(inline.children)}</${inline.tag}>`;
    case "link":
      return `<a href="${escapeHtml(inline.href)}">${inlinesHtml(inline.children)}</a>`;
    case "image":
      return `<img src="${escapeHtml(inline.src)}" alt="${escapeHtml(inline.alt)}">`;
    case "reference":
      return `<sup><a href="#fn${inline.label}">${inline.label}</a></sup>`;
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
