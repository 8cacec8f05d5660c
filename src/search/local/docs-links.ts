import { posix } from "node:path";
import { formatDocsUrl, parseDocsUrl } from "./docs-url.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The destination of an inline link or image, up to its title or its end. */
const DESTINATION = /\]\(([^()\s<>]{1,1000})(?=[\s)])/g;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
/** What a link to a page may leave out. */
const ENDINGS: readonly string[] = ["", ".md", ".mdx", "/README.md", "/index.md"];

/**
 * Turns links between the pages of one package into `docs:` URLs, so that a reader can follow them in the index.
 * Everything else stays as it is: other hosts, pages that are not indexed, code blocks.
 */
export function linkDocs(markdown: string, documentUrl: string, has: (url: string) => boolean): string {
  const base = parseDocsUrl(documentUrl);
  if (base === undefined || !markdown.includes("](")) return markdown;
  const linked = (whole: string, target: string): string => {
    if (ELSEWHERE.test(target)) return whole;
    const [path = "", fragment] = target.split("#", 2);
    const place = posix.join(path.startsWith("/") ? "" : posix.dirname(base.path), path).replace(/^\/|\/$/g, "");
    for (const ending of ENDINGS) {
      const page = { ...base, path: posix.normalize(`${place}${ending}`) };
      if (has(formatDocsUrl({ ...page, fragment: undefined }))) return `](${formatDocsUrl({ ...page, fragment })}`;
    }
    return whole;
  };
  let fence: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return line;
    }
    return fence === undefined && line.includes("](") ? line.replace(DESTINATION, linked) : line;
  });
  return lines.join("\n");
}
