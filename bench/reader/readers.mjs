import { readFileSync } from "node:fs";
import { cached } from "./cache.mjs";
import { withReader } from "./reader-child.mjs";

export const OURS = "postern";
/** What the bars on speed are a multiple of. */
export const PACER = "readability";

/** In the order of the table's columns; `adapter` says how each is used. */
const READERS = [
  { id: OURS },
  { id: PACER },
  { id: "defuddle" },
  { id: "mdream" },
  { id: "kreuzberg" },
  { id: "turndown" },
  { id: "main-text" },
  // Its work is done in a process that we do not measure.
  { id: "trafilatura", isElsewhere: true },
];

/**
 * @param {readonly string[] | undefined} wanted all, where it is not given
 * @returns the readers that can be run here, and those that cannot with the reason
 */
export async function findReaders(wanted = READERS.map(({ id }) => id)) {
  const found = [];
  for (const { id, isElsewhere = false } of READERS.filter((reader) => wanted.includes(reader.id))) {
    const { error, name, version } = await withReader(id, (child) => child.open());
    const adapter = readFileSync(new URL(`./readers/${id}.mjs`, import.meta.url), "utf8");
    found.push({ id, isElsewhere, name: name ?? id, version, error, dependsOn: [version, adapter] });
  }
  return {
    readers: found.filter(({ error }) => error === undefined),
    leftOut: found.filter(({ error }) => error !== undefined),
  };
}

/**
 * Keeps what the readers of others did; ours is measured each time.
 * @param {(child: import("./reader-child.mjs").ReaderChild) => Promise<unknown>} work
 */
export function withCachedReader({ id, dependsOn }, name, moreDependsOn, work) {
  const make = () => withReader(id, work);
  return id === OURS ? make() : cached(`${id}-${name}`, [dependsOn, moreDependsOn], make);
}
