import { canonicalUrl } from "./canonical-url.js";
import type { ProviderHit } from "./provider.js";

/** A result and who found it: one provider, or several joined by `+`. */
export interface FusedHit extends ProviderHit {
  readonly provider: string;
}

export interface RankedList {
  readonly provider: string;
  readonly hits: readonly ProviderHit[];
}

/** Dampens the head of each list, as in Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion" (SIGIR 2009). */
const RANK_OFFSET = 60;

/**
 * One list of several, best first: the score of a page is the sum of 1/(60+rank) over the lists that hold it, ties go
 * to the earlier list. Addresses meet by `canonicalUrl`; the first one's address and title are shown, with the longer
 * snippet and the earlier date. A single list keeps its order and loses its duplicates.
 */
export function fuse(lists: readonly RankedList[]): readonly FusedHit[] {
  const entries = new Map<string, { readonly hit: FusedHit; readonly score: number }>();
  for (const { provider, hits } of lists) {
    const seen = new Set<string>();
    for (const hit of hits) {
      const key = canonicalUrl(hit.url);
      if (seen.has(key)) continue;
      seen.add(key);
      const score = 1 / (RANK_OFFSET + seen.size);
      const earlier = entries.get(key);
      entries.set(
        key,
        earlier === undefined
          ? { hit: { ...hit, provider }, score }
          : { hit: merged(earlier.hit, hit, provider), score: earlier.score + score },
      );
    }
  }
  return [...entries.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

function merged(first: FusedHit, second: ProviderHit, provider: string): FusedHit {
  const [published] = [first.published, second.published].filter((date) => date !== undefined).sort();
  return {
    ...first,
    provider: `${first.provider}+${provider}`,
    snippet: second.snippet.length > first.snippet.length ? second.snippet : first.snippet,
    ...(published === undefined ? {} : { published }),
  };
}
