/**
 * A well-formed string of its own. A piece cut out of a document keeps all of the document in memory for as long as it
 * lives (V8 makes it a view); a result outlives its page.
 */
export function ownText(text: string): string {
  // Half a surrogate pair breaks encoders further on. Node 20 has the method; the library types of ES2023 do not.
  const wellFormed = (text as string & { toWellFormed(): string }).toWellFormed();
  return ` ${wellFormed}`.slice(1);
}

/** The same for every text of a record. */
export function ownTexts<T extends object>(record: T): T {
  const own = Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? ownText(value) : value]);
  return Object.fromEntries(own) as T;
}
