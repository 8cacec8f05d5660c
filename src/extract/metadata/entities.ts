import { isObject, type JsonObject } from "./json-ld.js";

/** An object of schema.org's kind and its types. */
export interface Entity {
  readonly object: JsonObject;
  readonly types: readonly string[];
  /** One of several of its kind, none of which names the page's address: a teaser, a review, an answer. */
  readonly isRecord: boolean;
}

export interface Entities {
  /** What describes the page, the likeliest first. */
  readonly entities: readonly Entity[];
  /** What describes the site round it. */
  readonly sites: readonly JsonObject[];
}

/** Objects that describe the site or a thing on the page, not the page. */
const SITE_TYPES =
  /^(?:WebSite|Organization|Person|ImageObject|BreadcrumbList|ListItem|SearchAction|EntryPoint|Corporation|NewsMediaOrganization|Brand)$/;
const WRITTEN_TYPES =
  /(?:Article|Posting|Report)$|^(?:QAPage|Question|HowTo|Recipe|Course|Book|APIReference|VideoObject|PodcastEpisode|Event|Product)$/;
/** What belongs to something else even when it stands alone. */
const PART_TYPES = /^(?:Review|Comment|Answer|UserComments|Rating|Offer|Quotation)$/;
/** Two may be one page described by two tools. */
const MIN_RECORDS = 3;
const PAGE_TYPES = /Page$/;
const MAX_ENTITY_DEPTH = 3;

/** Sorts a page's objects: those that name its address, then what was written, then the page, then the rest. */
export function chooseEntities(objects: readonly JsonObject[], url: string | undefined): Entities {
  const address = url === undefined ? "" : plainAddress(url);
  const described: { readonly object: JsonObject; readonly types: readonly string[]; readonly isHere: boolean }[] = [];
  const sites: JsonObject[] = [];
  const counts = new Map<string, number>();
  for (const object of withMainEntities(objects)) {
    const all = stringsOf(object["@type"]).map((type) => type.slice(type.lastIndexOf("/") + 1));
    if (all.includes("WebSite")) sites.push(object);
    const types = all.filter((type) => !SITE_TYPES.test(type));
    if (types.length === 0) continue;
    described.push({ object, types, isHere: address !== "" && namesAddress(object, address) });
    counts.set(types.join(), (counts.get(types.join()) ?? 0) + 1);
  }
  const ranked = described.map(({ object, types, isHere }) => {
    const isMany = (counts.get(types.join()) ?? 0) >= MIN_RECORDS || types.some((type) => PART_TYPES.test(type));
    return { entity: { object, types, isRecord: isMany && !isHere }, rank: rankOf(types) - (isHere ? 3 : 0) };
  });
  return { entities: ranked.sort((a, b) => a.rank - b.rank).map(({ entity }) => entity), sites };
}

const rankOf = (types: readonly string[]): number =>
  types.some((type) => WRITTEN_TYPES.test(type)) ? 0 : types.some((type) => PAGE_TYPES.test(type)) ? 1 : 2;

function namesAddress({ url, "@id": id, mainEntityOfPage: page }: JsonObject, address: string): boolean {
  const own = [url, id, isObject(page) ? page["@id"] : page].flatMap(stringsOf);
  return own.some((one) => plainAddress(one) === address);
}

/** A page's main entity is the page's, as is the page of an entity. */
function withMainEntities(objects: readonly JsonObject[]): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let level = objects;
  for (let depth = 0; depth < MAX_ENTITY_DEPTH && level.length > 0; depth++) {
    found.push(...level);
    level = level.flatMap(({ mainEntity, mainEntityOfPage }) => [mainEntity, mainEntityOfPage].filter(isObject));
  }
  return found;
}

/** An address without what differs between two ways to write it: scheme, `www.`, query, fragment, last slash. */
const plainAddress = (url: string): string =>
  url
    .slice(0, 2_000)
    .replace(/[?#].*$/s, "")
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/$/, "")
    .toLowerCase();

/** The texts in a value, which may be one or a list of them. */
export const stringsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === "string" && one.trim() !== "");
