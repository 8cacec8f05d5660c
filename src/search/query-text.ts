import type { ProviderQuery } from "./provider.js";
import { dropHalfPair } from "./snippet-text.js";

/** The longest prefix of whole words within `maxChars` UTF-16 units; one overlong word is cut inside. */
export function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf(" ", maxChars);
  return end > 0 ? text.slice(0, end) : dropHalfPair(text.slice(0, maxChars));
}

/**
 * The query with `site:` operators, within the engine's limits. Operators may take half of the room: past that they
 * are left to the local filter, which is the only guarantee anyway.
 */
export function operatorQuery(
  query: ProviderQuery,
  limits: { readonly maxChars: number; readonly maxWords?: number },
): { readonly text: string; readonly warnings: readonly string[] } {
  const room = limits.maxChars / 2;
  const included = query.sites.map((site) => `site:${site}`);
  const group = included.length > 1 ? `(${included.join(" OR ")})` : included.join("");
  const operators = group.length > 0 && group.length <= room ? [group] : [];
  let length = operators.join(" ").length;
  let fits = group.length <= room;
  for (const site of query.excludeSites) {
    const operator = `-site:${site}`;
    length += operator.length + 1;
    if (length > room) {
      fits = false;
      break;
    }
    operators.push(operator);
  }
  const suffix = operators.join(" ");
  const maxWords = (limits.maxWords ?? Number.POSITIVE_INFINITY) - (suffix === "" ? 0 : suffix.split(" ").length);
  const whole = query.query.split(" ").slice(0, Math.max(1, maxWords)).join(" ");
  const words = cutAtWord(whole, limits.maxChars - (suffix === "" ? 0 : suffix.length + 1));
  const warnings: string[] = [];
  if (!fits) warnings.push("too many sites for the engine: the rest of the filter was applied to its results only");
  if (words !== query.query) warnings.push("query cut to the engine's limit");
  return { text: suffix === "" ? words : `${words} ${suffix}`, warnings };
}

/** Warnings for those filters among `names` that the query sets and the engine does not know. */
export function ignoredFilters(
  query: ProviderQuery,
  names: readonly ("freshness" | "country" | "lang")[],
): readonly string[] {
  return names.filter((name) => query[name] !== undefined).map((name) => `${name} ignored`);
}
