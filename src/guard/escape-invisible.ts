import { invisibleKind } from "./invisible.js";
import { sanitise } from "./sanitise.js";

/** Kinds that a percent-encoded byte or a pasted line may hold; they carry nothing past a reader. */
const HARMLESS: ReadonlySet<string> = new Set(["control", "ansi_escape", "lone_surrogate"]);

/** Whether the text holds invisible characters that no correct writing needs; single controls do not count. */
export function holdsInvisible(text: string): boolean {
  return Object.keys(sanitise(text).removed).some((kind) => !HARMLESS.has(kind));
}

/** For a person who is to judge a text: each invisible character as `\u{…}`, where any is one that `sanitise` removes. */
export function escapeInvisible(text: string): string {
  if (sanitise(text).text === text) return text;
  return text.replace(/[^ -~\n\t]/gu, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    const hidden = invisibleKind(codePoint) !== undefined || character === "\u2800";
    return hidden ? `\\u{${codePoint.toString(16).toUpperCase()}}` : character;
  });
}
