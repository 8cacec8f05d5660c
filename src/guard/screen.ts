import type { Finding, RemovedCounts } from "../types.js";
import { type Detector, toWindows } from "./detector.js";
import { sanitise } from "./sanitise.js";
import { smuggledTexts } from "./smuggled-text.js";
import { structuralDetector } from "./structural-detector.js";

export interface Screening {
  /** 0..1. */
  readonly risk: number;
  /** Best evidence first. Not empty: flagged at the default threshold. */
  readonly findings: Finding[];
}

/** A page as the reader left it. */
export interface ScreenedPage {
  /** What a reader sees, after `sanitise`; places of findings are offsets in it. */
  readonly text: string;
  /** Text that was taken out because nobody sees it, decoded where it was encoded. */
  readonly removedTexts?: readonly string[];
  readonly removedCounts?: RemovedCounts;
  /** What `smuggledTexts` found in the text before `sanitise`. */
  readonly smuggled?: readonly string[];
  /** In place of the built-in ones. */
  readonly detectors?: readonly Detector[];
}

export type ScreenInput = { readonly text: string } | { readonly html: string; readonly url?: string };

/** Converts HTML to the text that a reader sees, and says what it took out. */
export type ToText = (
  html: string,
  url: string | undefined,
) => Pick<ScreenedPage, "text" | "removedTexts" | "removedCounts">;

const DETECTORS: readonly Detector[] = [structuralDetector];
const MAX_FINDINGS = 32;
/** Removed text beyond this is not read by detectors; pages carry megabytes of hidden markup. */
const MAX_REMOVED_CHARS = 262_144;
/** A subdivision flag that was removed has at most 7 tags; only smuggled text has more. */
const MIN_TAGS = 16;
/** A page spells a few names with variants of ideographs; a text hidden in the choice of variants needs many. */
const MAX_VARIANTS = 16;
const IDEOGRAPHIC_VARIANT = /\p{sc=Han}[\u{E0100}-\u{E01EF}]/gu;

/** Judges a page that was already read. Detection is evidence, not the guarantee: that is the envelope's. */
export function screenPage(page: ScreenedPage): Screening {
  const { text, removedTexts = [], removedCounts = {}, smuggled = [], detectors = DETECTORS } = page;
  const removed = bounded([...smuggled, ...removedTexts]);
  const windows = [...toWindows(text, "visible"), ...removed.flatMap((piece) => toWindows(piece, "removed"))];
  const found = detectors.flatMap((detector) => detector.scan(windows));
  if (smuggled.length > 0 || (removedCounts.tag_character ?? 0) >= MIN_TAGS) found.push(SMUGGLING);
  if ((text.match(IDEOGRAPHIC_VARIANT)?.length ?? 0) > MAX_VARIANTS) found.push(VARIANTS);
  return { risk: combinedRisk(found), findings: distinct(found) };
}

/** Makes `screen`, whose HTML input is read by `toText`. */
export function createScreen(toText: ToText): (input: ScreenInput) => Screening {
  return (input) => {
    const page = "html" in input ? toText(input.html, input.url) : { text: input.text };
    const { text, removed } = sanitise(page.text);
    return screenPage({
      ...page,
      text,
      removedCounts: { ...page.removedCounts, ...removed },
      smuggled: smuggledTexts(page.text),
    });
  };
}

const SMUGGLING: Finding = {
  rule: "smuggled_unicode",
  tier: 0,
  score: 0.95,
  channel: "removed",
  reason: "Invisible Unicode characters spelled text that no reader sees; they were removed.",
};

const VARIANTS: Finding = {
  rule: "ideographic_variants",
  tier: 0,
  score: 0.5,
  channel: "visible",
  reason: "Unusually many ideographs carry variation selectors, whose choice can spell a text.",
};

function bounded(texts: readonly string[]): readonly string[] {
  let left = MAX_REMOVED_CHARS;
  const taken: string[] = [];
  for (const text of texts) {
    if (left <= 0) break;
    // Compatibility forms and invisible characters disguise words; here nothing is shown, so both may go.
    taken.push(sanitise(text.slice(0, left)).text.normalize("NFKC"));
    left -= text.length;
  }
  return taken;
}

/** Independent pieces of evidence, one for each rule, so that repetition does not raise the risk. */
function combinedRisk(findings: readonly Finding[]): number {
  const byRule = new Map<string, number>();
  for (const { rule, score } of findings) byRule.set(rule, Math.max(score, byRule.get(rule) ?? 0));
  return 1 - [...byRule.values()].reduce((innocent, score) => innocent * (1 - score), 1);
}

/** Overlapping windows see one place twice. */
function distinct(findings: readonly Finding[]): Finding[] {
  const places = new Map(
    findings.map((finding) => [`${finding.rule} ${finding.channel} ${finding.start} ${finding.end}`, finding]),
  );
  return [...places.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FINDINGS);
}
