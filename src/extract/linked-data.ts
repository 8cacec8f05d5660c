import type { Tree } from "./tree.js";

/** What the page says of itself in JSON-LD (schema.org). */
export interface LinkedData {
  readonly types: readonly string[];
  readonly headline: string | undefined;
  readonly published: string | undefined;
  readonly modified: string | undefined;
  readonly author: string | undefined;
  readonly description: string | undefined;
}

const MAX_SCRIPT_CHARS = 500_000;
const MAX_OBJECTS = 500;
/** Objects that describe the page, not the site round it. */
const SITE_TYPES =
  /^(?:WebSite|Organization|Person|ImageObject|BreadcrumbList|ListItem|SearchAction|EntryPoint|Corporation|NewsMediaOrganization|Brand)$/;

export function readLinkedData(tree: Tree): LinkedData {
  const types: string[] = [];
  const first = new Map<string, string>();
  const note = (name: string, value: unknown): void => {
    if (typeof value === "string" && value.trim() !== "" && !first.has(name)) first.set(name, value.trim());
  };
  for (const object of objects(tree)) {
    const own = [object["@type"]].flat().filter((type) => typeof type === "string");
    types.push(...own.filter((type) => !SITE_TYPES.test(type)));
    if (own.every((type) => SITE_TYPES.test(type))) continue;
    for (const name of ["headline", "datePublished", "dateModified", "description"]) note(name, object[name]);
    note("author", nameOf(object.author));
  }
  return {
    types,
    headline: first.get("headline"),
    published: first.get("datePublished"),
    modified: first.get("dateModified"),
    author: first.get("author"),
    description: first.get("description"),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Top-level objects and those of `@graph`, at most a few hundred. */
function objects(tree: Tree): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (const { type, start, end } of tree.scripts) {
    if (!type.startsWith("application/ld+json") || end - start > MAX_SCRIPT_CHARS) continue;
    for (const value of [parseJson(tree.html.slice(start, end))].flat()) {
      if (!isObject(value)) continue;
      const graph = value["@graph"];
      for (const object of Array.isArray(graph) ? graph : [value]) {
        if (isObject(object) && found.length < MAX_OBJECTS) found.push(object);
      }
    }
  }
  return found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(author: unknown): unknown {
  if (Array.isArray(author))
    return author
      .map(nameOf)
      .filter((name) => typeof name === "string")
      .join(", ");
  return isObject(author) ? author.name : author;
}
