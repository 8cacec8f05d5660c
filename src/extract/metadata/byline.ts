import { normal } from "./title.js";

/** Says before a name that it is the author's, in the languages of many pages. */
const BY =
  /^(?:(?:(?:article|story|text|words|photos?|recipe|review|post|posted|written|authored|published|created|submitted|contributed|recommended|guest post|started|asked)\s+)?by|authors?|thread starter|geschrieben von|verfasst von|veröffentlicht von|ein artikel von|von|autor(?:in|es)?|(?:écrit |publié |rédigé )?par|auteurs?|(?:escrito |publicado )?por|(?:scritto |pubblicato )?da|di|(?:geschreven )?door|(?:skriven |skrevet )?av|af|autore|tekst|przez|autor:?ka|автор|作者|文|著者|글)(?:\s*:\s*|\s+|$)/iu;
const BY_AFTER_DATE = /^.{0,60}\d.{0,20}\s(?:by|von|par|por|di|door|av|af)\s+(?=\p{Lu})/u;
/** Where a name ends and something else begins on its line. */
const AFTER_NAME =
  /\s*(?:[|•·⋅∙—–|]|\s-\s|[,\s]\s*(?:\d|(?:on|in|at|updated|published|posted|last|reviewed|edited|for|via|min)\b(?!$))|[([{]|\d+ min|https?:|$).*$/iu;
const NAME_WORD = /^(?:[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}'’.-]*,?|&)$/u;
const PARTICLE =
  /^(?:and|und|et|y|e|en|og|och|i|de|del|della|di|da|do|dos|das|du|la|le|van|von|vom|der|den|ter|ten|bin|ibn|al|el|of|the|af|av|zu)$/;
const ROLE =
  /\b(?:editors?|writers?|reporters?|correspondents?|staff|columnists?|contributors?|journalists?|ceo|cto|founder|co-founder|manager|director|head of|president|producer|analyst|specialist|professor|redakt\w+|rédact\w+|redacci\w+)\b/i;
/** Accounts that publish for nobody in particular. */
const NOBODY =
  /^(?:admin(?:istrator)?|editor|webmaster|root|user|guest|anonymous|unknown|undefined|null|none|n\/a|default|staff|wp|wordpress|author|by|\W+|\d+)$/i;
const MAX_NAME_CHARS = 80;
const MAX_NAME_WORDS = 7;
const MAX_BYLINE_CHARS = 300;

/** Names without "by", roles and repetition; addresses and accounts of nobody are none. */
export function cleanNames(claims: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const claim of claims) {
    for (const part of claim.replace(BY, "").split(/\s*[;\n]\s*/, 50)) {
      const name = withoutRole(part.replace(BY, "").replace(/^[\s,:.•|-]+|[\s,:•|-]+$/g, ""));
      if (name === "" || name.length > MAX_NAME_CHARS || /:\/\/|^www\.|@\S+\.\S|^@/.test(name) || NOBODY.test(name))
        continue;
      const key = normal(name);
      if (key !== "" && !found.has(key)) found.set(key, name);
    }
  }
  return [...found.values()];
}

/** `Jane Doe` of `Jane Doe, Senior Editor`. */
function withoutRole(name: string): string {
  const parts = name.split(/\s*,\s*/);
  return parts.filter((part, index) => index === 0 || !ROLE.test(part)).join(", ");
}

/** The author that a line of a page names after "by", undefined when it names none. */
export function authorOnLine(line: string): string | undefined {
  const match = BY.exec(line) ?? BY_AFTER_DATE.exec(line);
  if (match === null || match[0] === line) return undefined;
  return nameAlone(line.slice(match.index + match[0].length));
}

/** True for a line that announces an author and names none: "Written by". */
export const announcesAuthor = (line: string): boolean => BY.exec(line)?.[0].length === line.length;

/** A line's name when the line is a name and, behind a mark, a date or the like. */
export function nameAlone(line: string): string | undefined {
  const name = line
    .replace(BY, "")
    .replace(AFTER_NAME, "")
    .replace(/[\s,:»]+$/, "");
  const words = name.split(/\s+/);
  const isShort = words.length <= MAX_NAME_WORDS && name.length <= MAX_NAME_CHARS;
  return isShort && words.every((word, index) => NAME_WORD.test(word) || (index > 0 && PARTICLE.test(word)))
    ? name
    : undefined;
}

/** The claim that most looks like people: full names before accounts and teams, and these before the site's own name. */
export function chooseByline(
  claims: readonly (readonly string[])[],
  isSite: (name: string) => boolean,
): string | undefined {
  const candidates = claims.map(cleanNames).filter((names) => names.length > 0);
  const best =
    candidates.find((names) => names.some((name) => isFullName(name) && !isSite(name))) ??
    candidates.find((names) => !names.some(isSite)) ??
    candidates[0];
  const byline = best?.filter((name) => best.length === 1 || !isSite(name)).join(", ");
  return byline === undefined ? undefined : cutNames(byline);
}

/** A name of two words or more. */
export const isFullName = (name: string): boolean =>
  /^\p{Lu}\S*\s+(?:\S+\s+)*\p{Lu}/u.test(name) || /^\p{Lo}+/u.test(name);

/** Whole names, as many as the limit allows. */
function cutNames(byline: string): string {
  if (byline.length <= MAX_BYLINE_CHARS) return byline;
  const end = byline.lastIndexOf(", ", MAX_BYLINE_CHARS);
  return byline.slice(0, end > 0 ? end : MAX_BYLINE_CHARS);
}
