/** Integers from 0 to `below - 1`; the same seed gives the same ones. */
export type Random = (below: number) => number;

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One way to spoil a page; `other` is another page. */
type Mutation = (html: string, other: string, random: Random) => string;

const TAG = /<\/?[a-z][^<>]{0,500}>/gi;
const SPOILS = ["\0", "\ud83d", "<", ">", '"', "'", "&", "<!--", "-->", "</", "<![CDATA[", "]]>", "&#xd800;", "`", "|"];

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flip: (html, _other, random) =>
    times(1 + random(20), html, (text) => {
      const at = random(text.length + 1);
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << random(8)));
      return text.slice(0, at) + flipped + text.slice(at + 1);
    }),
  insert: (html, _other, random) =>
    times(1 + random(10), html, (text) => {
      const at = random(text.length + 1);
      return text.slice(0, at) + (SPOILS[random(SPOILS.length)] ?? "").repeat(1 + random(50)) + text.slice(at);
    }),
  dropTags: (html, _other, random) => html.replace(TAG, (tag) => (random(8) === 0 ? "" : tag)),
  doubleTags: (html, _other, random) => html.replace(TAG, (tag) => (random(8) === 0 ? tag + tag : tag)),
  swapTags: (html, _other, random) => {
    const tags = html.match(TAG) ?? [];
    return html.replace(TAG, (tag) => (random(8) === 0 ? (tags[random(tags.length)] ?? tag) : tag));
  },
  scrambleAttributes: (html, _other, random) => {
    const values = html.match(/="[^"<>]{0,200}"/g) ?? [];
    return html.replace(/="[^"<>]{0,200}"/g, (value) =>
      random(3) === 0 ? (values[random(values.length)] ?? "") : value,
    );
  },
  dropQuotes: (html, _other, random) => html.replace(/["']/g, (quote) => (random(20) === 0 ? "" : quote)),
  dropPart: (html, _other, random) => {
    const start = random(html.length + 1);
    return html.slice(0, start) + html.slice(start + random(5_000));
  },
  repeatPart: (html, _other, random) => {
    const start = random(html.length + 1);
    return html.slice(0, start) + html.slice(start, start + random(2_000)).repeat(1 + random(20)) + html.slice(start);
  },
  truncate: (html, _other, random) => html.slice(0, random(html.length + 1)),
  splice: (html, other, random) => html.slice(0, random(html.length + 1)) + other.slice(random(other.length + 1)),
  nest: (html, other, random) => {
    const at = random(html.length + 1);
    return html.slice(0, at) + other + html.slice(at);
  },
};
const NAMES = Object.keys(MUTATIONS);

function times(count: number, html: string, change: (html: string) => string): string {
  let changed = html;
  for (let done = 0; done < count; done++) changed = change(changed);
  return changed;
}

export interface Mutant {
  /** What was done, to do it again. */
  readonly name: string;
  readonly html: string;
}

/** The page number `number` of a long row of spoilt pages. */
export function mutant(pages: readonly string[], number: number): Mutant {
  const random = createRandom(number);
  const page = random(pages.length);
  const other = pages[random(pages.length)] ?? "";
  const names = Array.from({ length: 1 + random(3) }, () => NAMES[random(NAMES.length)] ?? "");
  const html = names.reduce((text, name) => MUTATIONS[name]?.(text, other, random) ?? text, pages[page] ?? "");
  return { name: `${number}: page ${page}, ${names.join(", ")}`, html };
}
