import type { Tree } from "../tree.js";
import { boundedObjects } from "./bounded-json.js";
import { chooseEntities, type Entity, stringsOf } from "./entities.js";
import { isObject, type JsonObject, jsonLdObjects } from "./json-ld.js";
import { readMicrodata } from "./microdata.js";

/** What the page says of itself in JSON-LD, microdata and RDFa (schema.org); the likeliest value first. */
export interface LinkedData {
  /** Types of the objects that describe the page, not the site round it. */
  readonly types: readonly string[];
  readonly headlines: readonly string[];
  readonly descriptions: readonly string[];
  readonly published: readonly string[];
  readonly modified: readonly string[];
  /** Of one object: the people or organisations that wrote it. */
  readonly authors: readonly string[];
  readonly languages: readonly string[];
  /** Names of the site or its publisher. */
  readonly sites: readonly string[];
  /** The JSON-LD objects that describe the page, bounded. */
  readonly objects: readonly JsonObject[];
  readonly entities: readonly Entity[];
}

export function readLinkedData(tree: Tree, url?: string): LinkedData {
  const jsonLd = jsonLdObjects(tree);
  const { items, loose } = readMicrodata(tree);
  const { entities, sites } = chooseEntities([...jsonLd, ...items], url);
  const known = new Map(
    jsonLd.flatMap((object) => (typeof object["@id"] === "string" ? [[object["@id"], object] as const] : [])),
  );
  const described = [...entities.filter(({ isRecord }) => !isRecord).map(({ object }) => object), loose];
  const all = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => described.flatMap((object) => stringsOf(object[name])));
  const authors = described
    .map((object) => [object.author, object.creator].map((author) => namesOf(author, known)).find(isFilled) ?? [])
    .find(isFilled);
  return {
    types: entities.flatMap(({ types }) => types),
    headlines: all("headline", "name"),
    descriptions: all("description"),
    published: all("datePublished", "uploadDate", "dateCreated"),
    modified: all("dateModified"),
    authors: authors ?? [],
    languages: all("inLanguage"),
    sites: [...sites, ...described.map((object) => object.publisher)].flatMap((site) => namesOf(site, known)),
    objects: boundedObjects(entities.flatMap(({ object }) => (jsonLd.includes(object) ? [object] : []))),
    entities,
  };
}

const isFilled = (names: readonly string[]): boolean => names.length > 0;

const MAX_NAMES = 50;
const MAX_STEPS = 500;

/** Names of people and organisations, given as text, as objects, as references to others or as lists of these. */
function namesOf(value: unknown, known: ReadonlyMap<string, JsonObject>): readonly string[] {
  const names: string[] = [];
  const seen = new Set<unknown>();
  const pending: unknown[] = [value];
  for (let step = 0; pending.length > 0 && step < MAX_STEPS && names.length < MAX_NAMES; step++) {
    const next = pending.pop();
    if (typeof next === "string") {
      if (next.trim() !== "") names.push(next);
    } else if (Array.isArray(next)) pending.push(...next.slice(0, MAX_NAMES).reverse());
    else if (isObject(next) && !seen.has(next)) {
      seen.add(next);
      const { name, givenName, familyName, "@id": id } = next;
      const given = stringsOf([givenName, familyName]).join(" ");
      pending.push(name ?? (given === "" ? known.get(typeof id === "string" ? id : "") : given));
    }
  }
  return names;
}
