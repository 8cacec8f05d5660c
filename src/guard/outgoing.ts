import { parseUrl } from "../parse-url.js";
import { holdsInvisible } from "./escape-invisible.js";
import { isHomograph } from "./homograph.js";
import { isEncodedText, isOpaque, isPublicName, isSlashedKey } from "./opaque-data.js";
import { decodings, disguisedReadings, percentDecode } from "./readings.js";
import { findSecrets } from "./secret-formats.js";
import { containsSensitive } from "./sensitive-strings.js";

export interface Outgoing {
  readonly tool: "web_fetch" | "web_search";
  /** The URL, or the query. */
  readonly arg: string;
  /** URLs that the user gave or a tool returned: whoever wrote them knows already what they hold. */
  readonly seen?: readonly string[];
  /** Strings that must not leave, such as values of the environment; fewer than 6 characters are ignored. */
  readonly sensitive?: readonly string[];
}

export interface OutgoingVerdict {
  readonly verdict: "allow" | "ask";
  /** Sentences for the person who is asked; they never repeat what was found. */
  readonly reasons: string[];
}

const MAX_URL_CHARS = 2_000;
const MAX_QUERY_CHARS = 2_000;
/** Lengths beyond which one part of a URL is asked about, whatever it holds. */
const MAX_VALUE_CHARS = 512;
const MAX_SEGMENT_CHARS = 256;
const MAX_SUBDOMAIN_CHARS = 100;
/** Lengths from which random-looking characters are asked about: identifiers of videos and lists are shorter. */
const OPAQUE_CHARS = 40;
const OPAQUE_LABEL_CHARS = 24;
/** Braille has 256 patterns, one for each byte. */
const BRAILLE_RUN = /[\u2800-\u28FF]{16}/;
/** Larger arguments are asked about for their length alone, so the scan need not read them to the end. */
const MAX_SCANNED_CHARS = 65_536;

/**
 * Whether a URL or a query may leave without asking. `ask` when it holds a secret of a known format or one of
 * `sensitive` (plain, percent-encoded, base64, base32, hexadecimal or in disguised characters), invisible
 * characters, credentials, encoded text, long or random-looking parts, or a host that imitates another. A URL of `seen`, taken as it is, is asked about only for
 * `sensitive`, credentials and its host. Linear in the argument's length.
 */
export function judgeOutgoing({ tool, arg, seen = [], sensitive = [] }: Outgoing): OutgoingVerdict {
  const scanned = arg.slice(0, MAX_SCANNED_CHARS);
  const url = tool === "web_fetch" ? parseUrl(scanned.trim()) : undefined;
  const reasons = new Set<string>();
  const readings = allReadings(scanned, url);

  if (containsSensitive(readings, sensitive)) reasons.add("It holds a string that is marked as sensitive.");
  if (url !== undefined) {
    if (url.username !== "" || url.password !== "") reasons.add("The address carries credentials.");
    if (isHomograph(url.hostname)) reasons.add("The host imitates another name with letters of a second script.");
  }
  const known = url !== undefined && isSeen(url, seen);
  for (const text of known ? decodings(url.hash) : readings) {
    for (const { name } of findSecrets(text)) reasons.add(`It holds what looks like ${name}.`);
  }
  if (!known) {
    if (readings.some(holdsInvisible)) reasons.add("It holds invisible characters.");
    if (readings.some((text) => BRAILLE_RUN.test(text))) reasons.add("It holds a long run of Braille.");
    for (const reason of url === undefined ? queryReasons(arg) : urlReasons(url, arg.length)) reasons.add(reason);
  }
  return { verdict: reasons.size === 0 ? "allow" : "ask", reasons: [...reasons] };
}

const withoutFragment = (url: URL): string => url.href.slice(0, url.href.length - url.hash.length);

function isSeen(url: URL, seen: readonly string[]): boolean {
  const wanted = withoutFragment(url);
  return seen.some((other) => {
    const parsed = other === url.href ? url : parseUrl(other);
    return parsed !== undefined && withoutFragment(parsed) === wanted;
  });
}

/** Every way a server could read the argument; labels and separators are also read as if joined, disguises as plain. */
function allReadings(text: string, url: URL | undefined): readonly string[] {
  const readings = decodings(text);
  const plainest = readings.at(-1) ?? "";
  const host = url?.hostname.replaceAll(".", "") ?? "";
  const joined = plainest.replace(/[^A-Za-z0-9+/_]/g, "");
  return [...readings, percentDecode(text), host, joined, ...disguisedReadings(readings)];
}

function* urlReasons(url: URL, length: number): Generator<string> {
  if (length > MAX_URL_CHARS) yield `The address is longer than ${MAX_URL_CHARS} characters.`;
  const labels = url.hostname.split(".");
  const subdomains = labels.slice(0, -2);
  if (subdomains.join(".").length > MAX_SUBDOMAIN_CHARS) yield "The host's name is unusually long.";
  if (subdomains.some(isDataLabel)) yield "A part of the host's name looks like encoded data.";

  const segments = url.pathname.split("/").map(percentDecode);
  if (segments.some((segment) => segment.length > MAX_SEGMENT_CHARS)) yield "A part of the path is unusually long.";
  if (isSlashedKey(segments.join("/")) || segments.some((segment) => isData(segment)))
    yield "A part of the path looks like encoded data.";

  const values = [...url.searchParams].flat();
  values.push(...percentDecode(url.hash.slice(1)).split(/[&=/]/));
  if (values.some((value) => value.length > MAX_VALUE_CHARS)) yield "A value in the address is unusually long.";
  if (values.some((value) => isData(value))) yield "A value in the address looks like encoded data.";
}

function* queryReasons(query: string): Generator<string> {
  if (query.length > MAX_QUERY_CHARS) yield `The query is longer than ${MAX_QUERY_CHARS} characters.`;
  const words = query.slice(0, MAX_SCANNED_CHARS).split(/[\s"'`()[\]{}<>,;|]+/);
  if (words.some((word) => isData(word))) yield "A word of the query looks like encoded data.";
}

/** Whole, and in the parts that remain when file names, paths and assignments are taken apart. */
function isData(value: string): boolean {
  // A query string's decoder made spaces of the plus signs of base64.
  if (isPublicName(value.replaceAll(" ", "+"))) return false;
  if (isSlashedKey(value.replaceAll(" ", "+"))) return true;
  if (isOpaque(value, OPAQUE_CHARS) && !/[\s.]/.test(value)) return true;
  return value.split(/[\s./\\:=?&@,;~!*'()|]+/).some((part) => isEncodedText(part) || isOpaque(part, OPAQUE_CHARS));
}

/** A label has one case and no underscore, so hyphens can only part words, or chunks of one payload. */
function isDataLabel(label: string): boolean {
  return (
    isEncodedText(label.replaceAll("-", "")) || label.split("-").some((part) => isOpaque(part, OPAQUE_LABEL_CHARS))
  );
}
