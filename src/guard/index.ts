/** `postern/guard`: what makes a stranger's text safe to hand to a model, and what may leave. Pure. */
import { extract } from "../extract/index.js";
import { createScreen, type ScreenInput, type Screening } from "./screen.js";

export type { Detector, Window } from "./detector.js";
export { type FenceOptions, fence } from "./fence.js";
export { judgeOutgoing, type Outgoing, type OutgoingVerdict } from "./outgoing.js";
export { type Sanitised, sanitise } from "./sanitise.js";
export type { ScreenInput, Screening } from "./screen.js";

/**
 * How likely text, or an HTML page as a reader sees it, carries instructions for a model. `risk` is 0..1; findings that
 * are not empty mean flagged. Evidence only: what protects is `sanitise` and `fence`.
 */
export const screen: (input: ScreenInput) => Screening = createScreen((html, url) => {
  const { markdown, removed, removedText } = extract(html, url === undefined ? {} : { url });
  return { text: markdown, removedTexts: removedText, removedCounts: removed };
});
