import { stringsOf } from "./entities.js";
import { isObject } from "./json-ld.js";
import type { LinkedData } from "./linked-data.js";
import { plainLine } from "./one-line.js";

const BODIES = ["articleBody", "text", "reviewBody", "recipeIngredient", "recipeInstructions", "step", "description"];
const HOLDERS = ["mainEntity", "acceptedAnswer", "suggestedAnswer", "answer", "comment", "review", "itemListElement"];
const MAX_BODIES = 300;
const MAX_BODY_CHARS = 100_000;
const MAX_DEPTH = 5;

/**
 * What the page's own JSON-LD gives as its text, each on one line without markup, the main entity's first: articles, posts
 * with their answers, reviews, recipes, descriptions. At most 300 texts of 100,000 characters. Evidence of what the
 * content is, never content: nobody sees it on the page.
 */
export function articleBodies({ entities }: LinkedData): readonly string[] {
  const bodies: string[] = [];
  let level: readonly unknown[] = entities.map(({ object }) => object);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && bodies.length < MAX_BODIES; depth++) {
    const next: unknown[] = [];
    for (const value of level.slice(0, MAX_BODIES)) {
      if (!isObject(value)) continue;
      const parts = BODIES.flatMap((name) => [value[name]].flat().slice(0, MAX_BODIES));
      bodies.push(...stringsOf(parts));
      next.push(...parts, ...HOLDERS.flatMap((name) => [value[name]].flat().slice(0, MAX_BODIES)));
    }
    level = next;
  }
  const unique = [...new Set(bodies)].slice(0, MAX_BODIES);
  return unique.flatMap((body) => plainLine(body, MAX_BODY_CHARS) ?? []);
}
