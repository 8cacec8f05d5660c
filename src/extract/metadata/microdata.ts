import { attribute, type Node, type Tree } from "../tree.js";
import type { JsonObject } from "./json-ld.js";

/** What the attributes of elements say, in the shape of JSON-LD. */
export interface Microdata {
  /** Items that are no property of another. */
  readonly items: readonly JsonObject[];
  /** Properties outside every item. */
  readonly loose: JsonObject;
}

type Item = Record<string, unknown>;

const MARKS: ReadonlySet<string> = new Set(["itemscope", "itemtype", "itemprop", "typeof", "property"]);
const MAX_ITEMS = 500;
const MAX_VALUES = 2_000;
const MAX_VALUE_CHARS = 500;
/** An element's text is looked for in so many nodes. */
const MAX_VALUE_NODES = 60;
/** The properties that are read; RDFa of Drupal and others has Dublin Core's names. */
const PROPERTIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "@id articleSection author creator dateCreated dateModified datePublished description headline inLanguage",
      "mainEntity mainEntityOfPage name publisher uploadDate url givenName familyName",
    ].flatMap((line) => line.split(" ").map((name) => [name.toLowerCase(), name])),
  ),
  date: "datePublished",
  created: "dateCreated",
  modified: "dateModified",
  issued: "datePublished",
  title: "name",
};
/** Where a value stands when it is not the element's text (HTML 5.2.4, microdata values). */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = { a: "href", link: "href", img: "src", time: "datetime" };

/** Microdata (HTML 5) and RDFa Lite: `itemprop` and `property` in `itemscope` and `typeof`. Linear in the tree. */
export function readMicrodata(tree: Tree): Microdata {
  const items: Item[] = [];
  const loose: Item = {};
  const open: { readonly item: Item; readonly end: number }[] = [];
  let scopes = 0;
  let values = 0;
  for (const node of tree.nodes) {
    if (!isMarked(node)) continue;
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.index) open.pop();
    const holder = open.at(-1)?.item;
    const names = propertiesOf(node);
    const item = itemOf(node);
    if (item !== undefined) {
      open.push({ item, end: node.end });
      if (names.length === 0 || holder === undefined) items.push(item);
      scopes += 1;
    }
    // Meta elements outside every item are read with the others of their kind.
    if (names.length > 0 && (holder !== undefined || node.tag.name !== "meta")) {
      const value = item ?? textValue(tree, node);
      if (value !== "") for (const name of names) add(holder ?? loose, name, value);
      values += 1;
    }
    if (scopes >= MAX_ITEMS || values >= MAX_VALUES) break;
  }
  return { items, loose };
}

/** One look at the attributes' names: most elements have none of these. */
function isMarked({ attributes }: Node): boolean {
  for (let at = 0; at < attributes.length; at += 2) if (MARKS.has(attributes[at] ?? "")) return true;
  return false;
}

function itemOf(node: Node): Item | undefined {
  const type = attribute(node, "itemtype") ?? attribute(node, "typeof");
  if (type === undefined && attribute(node, "itemscope") === undefined) return undefined;
  return { "@type": (type ?? "").trim().split(/\s+/, 8).map(localName) };
}

function propertiesOf(node: Node): readonly string[] {
  const names = attribute(node, "itemprop") ?? attribute(node, "property");
  if (names === undefined) return [];
  return names.split(/\s+/, 8).flatMap((name) => PROPERTIES[localName(name).toLowerCase()] ?? []);
}

/** `Article` of `https://schema.org/Article`, `schema:Article` and `Article`. */
const localName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":"), name.lastIndexOf("#")) + 1);

function textValue({ nodes }: Tree, node: Node): string {
  const named = VALUE_ATTRIBUTES[node.tag.name];
  const given = attribute(node, "content") ?? (named === undefined ? undefined : attribute(node, named));
  // A link to the author's page names the author all the same.
  if (given !== undefined && node.tag.name !== "a") return given.slice(0, MAX_VALUE_CHARS).trim();
  let text = "";
  for (let at = node.index + 1; at < Math.min(node.end, node.index + MAX_VALUE_NODES); at++) {
    text += nodes[at]?.text ?? "";
    if (text.length > MAX_VALUE_CHARS) break;
  }
  return text.slice(0, MAX_VALUE_CHARS).trim();
}

function add(item: Item, name: string, value: unknown): void {
  const known = item[name];
  if (known === undefined) item[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else item[name] = [known, value];
}
