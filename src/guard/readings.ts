import { sanitise } from "./sanitise.js";
import { smuggledTexts } from "./smuggled-text.js";

/** Encoding more often than this is no accident, and is asked about by what is left. */
const MAX_ROUNDS = 8;
/** One character's compatibility form has up to 18. */
const MAX_READING_CHARS = 65_536;

/** The text as it is and percent-decoded, until nothing changes or eight times. */
export function decodings(text: string): readonly string[] {
  const readings = [text];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const last = readings.at(-1) ?? "";
    const decoded = percentDecode(last.replaceAll("+", " "));
    if (decoded === last) break;
    readings.push(decoded);
  }
  return readings;
}

/** What the texts say to one who reads compatibility forms plainly and invisible characters or Braille as bytes. */
export function disguisedReadings(texts: readonly string[]): readonly string[] {
  const readings = new Set<string>();
  for (const text of texts) {
    for (const smuggled of smuggledTexts(text)) readings.add(smuggled);
    readings.add(sanitise(text).text.normalize("NFKC").slice(0, MAX_READING_CHARS));
  }
  for (const text of texts) readings.delete(text);
  return [...readings];
}

/** Malformed bytes become U+FFFD; a byte order mark stays, being invisible. */
export function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2}){1,1024}/g, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split("%"), (digits) => Number.parseInt(digits, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  });
}
