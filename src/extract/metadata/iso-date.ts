import { monthNumber } from "./month-names.js";

/** A date found in a text, and where. */
export interface FoundDate {
  /** ISO 8601: a day. */
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

const MAX_VALUE_CHARS = 80;
const MACHINE =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?|(\d{2})(\d{2}))?(?:[T ]\s?(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?(?![\d:])/i;
/** Time of day and zone behind a date of RFC 5322 or of JavaScript's `Date`. */
const CLOCK = /^,?\s(\d{2}):(\d{2}):(\d{2})\s(?:(Z|UTC|GMT)?([+-]\d{2}:?\d{2})?)(?![\d:])/;

interface DateForm {
  readonly pattern: RegExp;
  /** Year, month and day of a match. */
  read(groups: readonly string[], language: string): readonly [number, number | undefined, number] | undefined;
}

/** Ways to write a day, the surest first. Two-digit years are of this century. */
const FORMS: readonly DateForm[] = [
  {
    pattern: /(?<![\d./-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/,
    read: ([year, , month, day]) => [Number(year), Number(month), Number(day)],
  },
  {
    pattern: /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/,
    read: ([year, month, day]) => [Number(year), Number(month), Number(day)],
  },
  {
    pattern:
      /(?<!\d)(\d{1,2})\s?(?:st|nd|rd|th|er|º|\.)?(?:\s(?:de|of)\s|[\s/-])\s?(\p{L}{3,12})\.?,?(?:\sde\s|[\s/-])\s?(\d{4})(?!\d)/u,
    read: ([day, month = "", year]) => [Number(year), monthNumber(month), Number(day)],
  },
  {
    pattern: /(?<!\p{L})(\p{L}{3,12})\.?\s(\d{1,2})\s?(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/u,
    read: ([month = "", day, year]) => [Number(year), monthNumber(month), Number(day)],
  },
  {
    pattern: /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d./-])/,
    read([first = "", separator = "", second = "", year = ""], language) {
      const [a, b] = [Number(first), Number(second)];
      const order = a > 12 || a === b ? "dm" : b > 12 ? "md" : orderOf(separator, language);
      const full = year.length === 2 ? 2000 + Number(year) : Number(year);
      return order === undefined ? undefined : order === "dm" ? [full, b, a] : [full, a, b];
    },
  },
];
/** Languages of countries that all write the day before the month. */
const DAY_FIRST =
  /^(?:bg|cs|da|de|el|es|et|fi|fr|hr|it|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|tr|uk|vi)(?:-|$)|^en-(?:AU|GB|IE|IN|NZ)$/i;

const orderOf = (separator: string, language: string): "dm" | undefined =>
  separator !== "-" && DAY_FIRST.test(language) ? "dm" : undefined;

/**
 * A date that a page gives for machines, in ISO 8601 and as exact as it was: a year, a month, a day or a time; undefined
 * when it is none or can be read in two ways. `language` (BCP 47) decides which of 3/4 is the month, if it can.
 */
export function isoDate(value: string, language = ""): string | undefined {
  const text = value.slice(0, MAX_VALUE_CHARS).replace(/\s+/g, " ").trim();
  const [all, year, dashedMonth, dashedDay, month = dashedMonth, day = dashedDay, hours, minutes, ...rest] =
    MACHINE.exec(text) ?? [];
  if (all === undefined || year === undefined || (day === undefined && all !== text)) return spokenDate(text, language);
  if (!isDay(Number(year), Number(month ?? 1), Number(day ?? 1))) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, "0"));
  const [seconds, fraction, zone] = rest;
  const isTimed = hours !== undefined && day !== undefined && Number(hours) < 24 && Number(minutes) < 60;
  if (!isTimed) return date.join("-");
  const time = [hours, minutes, seconds].filter((part) => part !== undefined).join(":");
  return `${date.join("-")}T${time}${fraction === undefined ? "" : `.${fraction}`}${isoZone(zone)}`;
}

function spokenDate(text: string, language: string): string | undefined {
  const found = findDate(text, language);
  if (found === undefined) return undefined;
  const clock = CLOCK.exec(text.slice(found.end));
  if (clock === null) return found.iso;
  const [, hours, minutes, seconds, utc, offset] = clock;
  return `${found.iso}T${hours}:${minutes}:${seconds}${isoZone(offset ?? utc)}`;
}

/** The first day that a text names in words or figures; undefined when there is none or it can be read in two ways. */
export function findDate(text: string, language = ""): FoundDate | undefined {
  let first: FoundDate | undefined;
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(text);
    if (match === null || (first !== undefined && match.index >= first.start)) continue;
    const [year, month, day] = read(match.slice(1), language) ?? [];
    if (year === undefined || month === undefined || day === undefined || !isDay(year, month, day)) continue;
    first = { iso: isoDay(year, month, day), start: match.index, end: match.index + match[0].length };
  }
  return first;
}

/** The day or month in an address such as `/2024/03/05/title`. */
export function dateInPath(path: string): string | undefined {
  const [, year = "", month = "", day] = /\/((?:19|20)\d{2})[/-](\d{2})(?:[/-](\d{2}))?(?=[/-])/.exec(path) ?? [];
  if (!isDay(Number(year), Number(month), Number(day ?? 1))) return undefined;
  return day === undefined ? `${year}-${month}` : `${year}-${month}-${day}`;
}

const isoDay = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** The epoch is what an empty field becomes. */
function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1600 && year < 2200 && month >= 1 && month <= 12 && day >= 1)) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && isoDay(year, month, day) !== "1970-01-01";
}

function isoZone(zone: string | undefined): string {
  if (zone === undefined) return "";
  if (!/^[+-]/.test(zone)) return "Z";
  const digits = zone.replace(":", "").padEnd(5, "0");
  return `${digits.slice(0, 3)}:${digits.slice(3)}`;
}
