import type { ProviderHit } from "./provider.js";
import { providerFailure } from "./provider-failure.js";

/** Where to go on: engines choose their own page size, so a page is read in slices. */
export interface PagePosition {
  /** 1-based. */
  readonly page: number;
  /** Results of that page already given. */
  readonly skip: number;
}

/** Reads `page.skip`; the first page without a cursor. Throws `provider_invalid_request` for anything else. */
export function readPageCursor(provider: string, cursor: string | undefined, maxPage: number): PagePosition {
  if (cursor === undefined) return { page: 1, skip: 0 };
  const match = /^(\d{1,3})\.(\d{1,3})$/.exec(cursor);
  const page = Number(match?.[1]);
  if (match === null || page < 1 || page > maxPage) {
    throw providerFailure(provider, "provider_invalid_request", {
      hint: "Pass `more` of the last answer as the cursor, or leave it out.",
    });
  }
  return { page, skip: Number(match[2]) };
}

/** The next `count` of a page's results, and the cursor behind them. */
export function pageOf(
  hits: readonly ProviderHit[],
  position: PagePosition,
  count: number,
  hasNextPage: boolean,
): { readonly hits: readonly ProviderHit[]; readonly more?: string } {
  const end = position.skip + count;
  const slice = hits.slice(position.skip, end);
  if (end < hits.length) return { hits: slice, more: `${position.page}.${end}` };
  return hasNextPage && hits.length > 0 ? { hits: slice, more: `${position.page + 1}.0` } : { hits: slice };
}
