import type { Node } from "../tree.js";

/** A visible heading. */
export interface TitledNode {
  readonly node: Node;
  readonly text: string;
}

const SEPARATOR = /\s+[|–—·»«•:>/-]+\s+|\s*[|»•]\s*|:\s/;
/** A heading with this share of its words in the title says the same. */
const MIN_SHARED_WORDS = 0.5;
const MIN_TITLE_WORDS = 0.2;

/** Text as it is compared: words without case, marks and punctuation. */
export const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * The heading that says most of what the page's titles say: of the first level, or of the second when a title holds all
 * of it. Undefined when none does, or only the site's name.
 */
export function headingOf(
  headings: readonly TitledNode[],
  titles: readonly string[],
  isSite: (text: string) => boolean,
): TitledNode | undefined {
  const spoken = titles.map(wordsOf);
  let best: TitledNode | undefined;
  let most = 0;
  for (const heading of headings) {
    const own = wordsOf(heading.text);
    const isFirst = heading.node.tag.headingLevel === 1;
    const weight = Math.max(...spoken.map((title) => likeness(own, title, isFirst)));
    if (weight <= most || isSite(heading.text)) continue;
    best = heading;
    most = weight;
  }
  return best;
}

interface Words {
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
  /** With spaces at both ends. */
  readonly text: string;
}

function wordsOf(title: string): Words {
  const text = normal(title);
  const list = text.split(" ");
  return { list, set: new Set(list), text: ` ${text} ` };
}

/** 0 when the heading says something else than the title, else more the more of the title it says. */
function likeness(heading: Words, title: Words, isFirst: boolean): number {
  if (!isFirst) return title.text.includes(heading.text) ? heading.list.length : 0;
  const shared = heading.list.filter((word) => title.set.has(word)).length;
  const isLike = shared >= heading.list.length * MIN_SHARED_WORDS && shared >= title.list.length * MIN_TITLE_WORDS;
  return isLike || title.text.includes(heading.text) ? (2 * shared * shared) / heading.list.length : 0;
}

/** `Kettle Docs` of `kettle.example`, written in any way. */
export function namesSite(text: string, siteName: string | undefined, host: string): boolean {
  const name = normal(text);
  if (name === "") return false;
  if (siteName !== undefined && name === normal(siteName)) return true;
  const joined = name.replaceAll(" ", "");
  return joined.length > 3 && host.split(".").some((label) => label.replaceAll("-", "") === joined);
}

/** The part of a title that is the host's own name. */
export const siteInTitle = (title: string, host: string): string | undefined =>
  title.split(SEPARATOR).find((part, _index, { length }) => length > 1 && namesSite(part, undefined, host));

/** `guesses`: a short last part may be the site's name that nothing else says. */
export function withoutSite(title: string, isSite: (text: string) => boolean, guesses: boolean): string {
  const parts = title.split(SEPARATOR);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length < 2) return title;
  const guessed = guesses && last.length < 30 && last.length < title.length * 0.6;
  if (isSite(last) || guessed) return title.slice(0, title.length - last.length).replace(/[\s|–—·»«•:>/-]+$/, "");
  return isSite(first) ? title.slice(first.length).replace(/^[\s|–—·»«•:>/-]+/, "") : title;
}
