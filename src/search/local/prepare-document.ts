import { extname } from "node:path";
import type { PreparedDocument } from "./catalog.js";
import { splitDeclarations } from "./declarations.js";
import type { DocumentKind } from "./package-files.js";
import { Place, type PostingsBuilder, type TermEntry } from "./postings.js";
import { frontMatterTitle, type Markup, type Section, splitSections } from "./sections.js";
import type { TermReader } from "./tokens.js";

interface Format {
  readonly markup: Markup;
  readonly mediaType: string;
}

const MARKDOWN: Format = { markup: "markdown", mediaType: "text/markdown" };
const FORMATS: Readonly<Record<string, Format>> = {
  ".md": MARKDOWN,
  ".mdx": MARKDOWN,
  ".markdown": MARKDOWN,
  ".html": MARKDOWN,
  ".htm": MARKDOWN,
  ".rst": { markup: "restructuredtext", mediaType: "text/x-rst" },
  ".ts": { markup: "declarations", mediaType: "text/x-typescript" },
  ".mts": { markup: "declarations", mediaType: "text/x-typescript" },
  ".cts": { markup: "declarations", mediaType: "text/x-typescript" },
};
const PLAIN: Format = { markup: "text", mediaType: "text/plain" };

export type HtmlToMarkdown = (html: string) => string;

function isHtml(path: string): boolean {
  return /\.html?$/iu.test(path);
}

/** Cuts a file's text into sections; HTML is made Markdown first. */
export function prepareDocument(
  source: { readonly path: string; readonly kind: DocumentKind; readonly content: string; readonly package: string },
  htmlToMarkdown: HtmlToMarkdown | undefined,
): PreparedDocument {
  const { path, kind, content } = source;
  const { markup, mediaType } = FORMATS[extname(path).toLowerCase()] ?? (kind === "readme" ? MARKDOWN : PLAIN);
  const written = isHtml(path) && htmlToMarkdown !== undefined ? htmlToMarkdown(content) : content;
  // As a page is shown later, so that places in one hold in the other.
  const text = written.replace(/\r\n?/gu, "\n");
  const sections = markup === "declarations" ? splitDeclarations(text) : splitSections(text, markup);
  return { path, kind, mediaType, text, sections, title: titleOf(source, text, sections) };
}

function titleOf(
  source: { readonly path: string; readonly kind: DocumentKind; readonly package: string },
  text: string,
  sections: readonly Section[],
): string {
  const file = source.path.split("/").at(-1) ?? source.path;
  if (source.kind === "types") return file;
  const first = sections.find((section) => section.level > 0);
  const fallback = source.kind === "readme" ? source.package : file.replace(/\.[^.]+$/u, "");
  return frontMatterTitle(text) || (first?.level === 1 ? first.heading : fallback);
}

/** An entry of a table of contents: it repeats what other sections say. */
const CONTENTS_LINE = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[^\]\n]{0,300}\]\(#[^)\n]{0,300}\)[ \t]*$/gmu;

/** Puts a section's terms into the postings; gives the length of its text and of its heading in terms. */
export function indexSection(
  document: PreparedDocument,
  section: Section,
  isFirst: boolean,
  read: TermReader<TermEntry>,
  postings: PostingsBuilder,
): { readonly length: number; readonly headingLength: number } {
  let length = 0;
  let headingLength = 0;
  const mark = (text: string, place: number): void => read(text, (entry) => postings.mark(entry, place));
  const source = document.text.slice(section.start, section.end);
  read(document.mediaType === MARKDOWN.mediaType ? source.replace(CONTENTS_LINE, "") : source, (entry) => {
    postings.count(entry);
    length += 1;
  });
  read(section.heading, (entry) => {
    postings.mark(entry, Place.heading);
    headingLength += 1;
  });
  for (const ancestor of section.ancestors) mark(ancestor, Place.above);
  if (isFirst) mark(`${document.title} ${document.path.replace(/\.[^./]+$/u, "").replaceAll("/", " ")}`, Place.page);
  return { length, headingLength };
}
