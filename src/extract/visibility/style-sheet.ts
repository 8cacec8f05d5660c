/** One style rule as written: nesting resolved, media judged for a desktop screen. */
export interface StyleRule {
  readonly selector: string;
  readonly body: string;
  readonly isLayered: boolean;
}

interface StyleSheet {
  readonly rules: readonly StyleRule[];
  /** Last frame of each `@keyframes`, by name. */
  readonly lastFrames: ReadonlyMap<string, string>;
}

const MAX_RULES = 20_000;
const MAX_SELECTOR_CHARS = 2_000;
const MAX_NESTING = 12;
const SCREEN_WIDTH_PX = 1280;

interface Block {
  readonly kind: "rule" | "group" | "keyframes" | "skip";
  /** The resolved selector of a rule, the name of keyframes. */
  readonly name: string;
  readonly isLayered: boolean;
  body: string;
}

const SKIPPED: Block = { kind: "skip", name: "", isLayered: false, body: "" };

/** Reads style sheets in one pass over their characters; malformed ones give what could be read. */
export function parseStyleSheets(sources: readonly string[]): StyleSheet {
  const rules: StyleRule[] = [];
  const lastFrames = new Map<string, string>();
  for (const source of sources) {
    if (source.includes("{")) scan(withoutComments(source), rules, lastFrames);
  }
  return { rules, lastFrames };
}

function withoutComments(css: string): string {
  if (!css.includes("/*")) return css;
  let kept = "";
  for (let at = 0; at < css.length; ) {
    const start = css.indexOf("/*", at);
    if (start < 0) return kept + css.slice(at);
    kept += `${css.slice(at, start)} `;
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return kept;
    at = end + 2;
  }
  return kept;
}

function scan(css: string, rules: StyleRule[], lastFrames: Map<string, string>): void {
  const open: Block[] = [];
  let start = 0;
  let hasParenthesis = true;
  for (let at = 0; at < css.length && rules.length < MAX_RULES; at++) {
    const code = css.charCodeAt(at);
    if (code === 0x7b) {
      const parent = open[open.length - 1];
      const segment = css.slice(start, at);
      // Declarations and statements before a nested block's own prelude.
      const cut = segment.lastIndexOf(";") + 1;
      if (cut > 0 && parent !== undefined) parent.body += segment.slice(0, cut);
      open.push(openBlock(segment.slice(cut).trim(), open.length < MAX_NESTING ? parent : SKIPPED));
      start = at + 1;
    } else if (code === 0x7d) {
      const block = open.pop();
      if (block !== undefined) {
        block.body += css.slice(start, at);
        closeBlock(block, open[open.length - 1], rules, lastFrames);
      }
      start = at + 1;
    } else if (code === 0x22 || code === 0x27) {
      at = stringEnd(css, at);
    } else if (code === 0x28 && hasParenthesis && css.startsWith("url", at - 3)) {
      const close = css.indexOf(")", at);
      if (close < 0) hasParenthesis = false;
      else at = close;
    }
  }
}

/** A string ends at its quote or, unclosed, at the line's end (CSS Syntax 3, "bad string"). */
function stringEnd(css: string, start: number): number {
  const quote = css.charCodeAt(start);
  for (let at = start + 1; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === quote || code === 0x0a) return at;
  }
  return css.length;
}

function openBlock(prelude: string, parent: Block | undefined): Block {
  const isLayered = parent?.isLayered ?? false;
  const block = (kind: Block["kind"], name = "", layered = isLayered): Block => ({
    kind,
    name,
    isLayered: layered,
    body: "",
  });
  if (parent?.kind === "skip") return block("skip");
  if (parent?.kind === "keyframes") return block("rule", prelude);
  if (prelude.startsWith("@")) {
    const [, word = "", rest = ""] = /^@(-?[\w-]+)\s*([\s\S]*)$/.exec(prelude.toLowerCase()) ?? [];
    if (word.endsWith("keyframes")) return block("keyframes", prelude.slice(prelude.search(/\s/) + 1).trim());
    // Groups inside a rule (nested media) keep its selector.
    const inside = parent?.kind === "rule" || parent?.kind === "group" ? parent.name : "";
    if (word === "media") return block(mediaHolds(rest) ? "group" : "skip", inside);
    if (word === "supports") return block(/^\(?\s*not\b/.test(rest) ? "skip" : "group", inside);
    if (word === "layer") return block("group", inside, true);
    return block("skip");
  }
  if (prelude.length > MAX_SELECTOR_CHARS) return block("skip");
  return block("rule", parent === undefined || parent.name === "" ? prelude : nested(prelude, parent.name));
}

function closeBlock(
  block: Block,
  parent: Block | undefined,
  rules: StyleRule[],
  lastFrames: Map<string, string>,
): void {
  if (parent?.kind === "keyframes") {
    if (/(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i.test(block.name)) lastFrames.set(parent.name, block.body);
    return;
  }
  const isRule = block.kind === "rule" || (block.kind === "group" && block.name !== "");
  if (isRule && block.body.trim() !== "") {
    rules.push({ selector: block.name, body: block.body, isLayered: block.isLayered });
  }
}

/** CSS Nesting 1: `&` is the outer rule's selector, a nested one without it descends from it. */
function nested(selector: string, outer: string): string {
  const parent = outer.includes(",") ? `:is(${outer})` : outer;
  const resolved = selector
    .split(",")
    .map((part) => (part.includes("&") ? part.replaceAll("&", parent) : `${parent} ${part}`))
    .join(",");
  return resolved.length > MAX_SELECTOR_CHARS ? "" : resolved;
}

/** True when one of the queries holds on a desktop screen; a condition that cannot be told does not hold. */
function mediaHolds(query: string): boolean {
  return query.split(",").some((alternative) => {
    const isNegated = /^\s*not\b/.test(alternative);
    const holds = alternative
      .replace(/^\s*(?:not|only)\b/, "")
      .split(/\band\b/)
      .every((condition) => conditionHolds(condition.trim()));
    return holds !== isNegated;
  });
}

function conditionHolds(condition: string): boolean {
  if (condition === "" || condition === "all" || condition === "screen") return true;
  const [, bound, number = "", unit] = /^\(\s*(min|max)-width\s*:\s*([\d.]+)(px|r?em)\s*\)$/.exec(condition) ?? [];
  if (bound === undefined) return false;
  const widthPx = Number.parseFloat(number) * (unit === "px" ? 1 : 16);
  return bound === "min" ? widthPx <= SCREEN_WIDTH_PX : widthPx >= SCREEN_WIDTH_PX;
}
