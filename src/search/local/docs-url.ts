/**
 * `docs:` URLs name a place in the index, never one on the disk:
 * `docs:undici@7.30.2/docs/docs/api/ProxyAgent.md#class-proxyagent`.
 */

export interface DocsUrl {
  /** Package name, with its scope. */
  readonly name: string;
  readonly version: string;
  /** Path inside the package, `/` between its parts. */
  readonly path: string;
  /** Section; absent for the whole document. */
  readonly fragment?: string | undefined;
}

export const MAX_DOCS_URL_LENGTH = 2_048;
const SHAPE = /^docs:((?:@[\w.~-]+\/)?[\w.~-]+)@(\w[\w.+~-]*)\/([^?#]+)(?:#(.*))?$/iu;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;

export function formatDocsUrl({ name, version, path, fragment }: DocsUrl): string {
  const base = `docs:${name}@${version}/${path.split("/").map(encodePart).join("/")}`;
  return fragment === undefined || fragment === "" ? base : `${base}#${encodePart(fragment)}`;
}

/** `undefined` for anything that cannot name a document: other schemes, `..`, empty parts, control characters. */
export function parseDocsUrl(url: string): DocsUrl | undefined {
  if (url.length > MAX_DOCS_URL_LENGTH) return undefined;
  const [, name, version, path, fragment] = SHAPE.exec(url) ?? [];
  if (name === undefined || version === undefined || path === undefined) return undefined;
  try {
    const parts = path.split("/").map(decodeURIComponent);
    if (
      parts.some((part) => part === "" || part === "." || part === ".." || /[/\\]/u.test(part) || CONTROL.test(part))
    ) {
      return undefined;
    }
    const section = fragment === undefined || fragment === "" ? undefined : decodeURIComponent(fragment);
    if (section !== undefined && CONTROL.test(section)) return undefined;
    return { name, version, path: parts.join("/"), ...(section === undefined ? {} : { fragment: section }) };
  } catch {
    return undefined;
  }
}

/** Encodes what would end the path or is no URL character, and leaves `@`, `$`, `(` and letters readable. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/%(?:40|24|2B|3A|2C|3D)/gu, decodeURIComponent);
}
