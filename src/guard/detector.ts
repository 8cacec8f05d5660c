import type { Finding } from "../types.js";

/** A stretch of text that a detector judges. */
export interface Window {
  readonly text: string;
  /** Whether a reader of the page sees it, or it was taken out because nobody does. */
  readonly channel: Finding["channel"];
  /** Where it begins in the visible text, in UTF-16 units; 0 for removed text. */
  readonly start: number;
}

/**
 * Something that recognises instructions in untrusted text. A finding is evidence in the detector's own words and
 * never repeats what it found: what it says stands outside the envelope.
 */
export interface Detector {
  readonly name: string;
  readonly tier: Finding["tier"];
  scan(windows: readonly Window[]): readonly Finding[];
}

const WINDOW_CHARS = 4_096;
const OVERLAP_CHARS = 256;

/** Cuts text into overlapping windows, so that a detector's cost for one of them is bounded. */
export function toWindows(text: string, channel: Window["channel"]): readonly Window[] {
  const windows: Window[] = [];
  for (let start = 0; start < text.length; start += WINDOW_CHARS - OVERLAP_CHARS) {
    windows.push({ text: text.slice(start, start + WINDOW_CHARS), channel, start: channel === "visible" ? start : 0 });
    if (start + WINDOW_CHARS >= text.length) break;
  }
  return windows;
}
