import { ConfigError, ProviderError } from "../../errors.js";
import type { Provider } from "../provider.js";
import type { LocalHit, LocalIndex, LocalSearchOptions } from "./local-index.js";

const ID = "local";

/**
 * Searches the documentation on this machine. `sites` name packages here; a real host names none and finds nothing.
 * Throws `ProviderError` `provider_misconfigured`, with the index's own error as its cause, when there is no index that
 * can be used.
 */
export function createLocalProvider({ open }: { readonly open: () => Promise<LocalIndex> }): Provider {
  return {
    id: ID,
    capabilities: {
      keyless: true,
      official: true,
      maxCount: 20,
      sites: "native",
      freshness: "none",
      paging: "none",
      dates: false,
      usdPerThousand: 0,
    },
    origins: [],
    async search({ query, count, sites, excludeSites, freshness }) {
      const warnings: string[] = [];
      if (freshness !== undefined) warnings.push("The local index knows no dates: freshness is ignored.");
      const excluded = new Set(excludeSites);
      const found = await searchFor(open, query, { count: excluded.size > 0 ? 2 * count : count, sources: sites });
      const hits = found.filter(({ url }) => !excluded.has(packageOf(url))).slice(0, count);
      if (hits.length === 0 && sites.length > 0) warnings.push("The local index knows packages, not hosts, as sites.");
      return {
        hits: hits.map(({ url, title, snippet }) => ({ url, title, snippet })),
        cost: { usd: 0, basis: "free" },
        warnings,
      };
    },
  };
}

function packageOf(url: string): string {
  return /^docs:(@?[^@]+)@/u.exec(url)?.[1] ?? "";
}

async function searchFor(
  open: () => Promise<LocalIndex>,
  query: string,
  options: LocalSearchOptions,
): Promise<readonly LocalHit[]> {
  try {
    const index = await open();
    return index.search(query, options);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new ProviderError("provider_misconfigured", ID, cause.message, { cause, hint: cause.hint });
  }
}
