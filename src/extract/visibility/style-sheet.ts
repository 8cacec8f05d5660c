import type { StyleSource } from "../tree.js";
import type { Verdict } from "./condition.js";
import { CssMarks } from "./css-marks.js";
import { containerHolds, mediaHolds, supportsHolds } from "./media-query.js";
import { splitList } from "./selector.js";

/** One style rule as written: nesting and scope resolved, conditions judged for a desktop screen. */
export interface StyleRule {
  readonly selector: string;
  readonly body: string;
  readonly isLayered: boolean;
  /** A condition around it cannot be told. */
  readonly isUncertain: boolean;
}

interface StyleSheet {
  readonly rules: readonly StyleRule[];
  /** Last frame of each `@keyframes`, by name in lower case. */
  readonly lastFrames: ReadonlyMap<string, string>;
  /** Rules were left out at a limit. */
  readonly isIncomplete: boolean;
}

const MAX_NESTING = 32;
/** Of selectors that nesting multiplies, over all sheets. */
const MAX_RESOLVED_CHARS = 4_000_000;

interface Block {
  readonly kind: "rule" | "group" | "keyframes" | "skip";
  /** The resolved selector of a rule, the name of keyframes. */
  readonly name: string;
  /** The root of the `@scope` around it. */
  readonly scope: string;
  readonly isLayered: boolean;
  readonly isUncertain: boolean;
  body: string;
}

const SHEET: Block = { kind: "group", name: "", scope: "", isLayered: false, isUncertain: false, body: "" };

const NO_CHANGES: Partial<Block> = {};

/** Reads style sheets in one pass over their characters; malformed ones give what could be read. */
export function parseStyleSheets(sources: readonly StyleSource[]): StyleSheet {
  const reader = new StyleSheetReader();
  for (const { css, media } of sources) {
    const verdict = media === "" || mediaHolds(media);
    if (verdict !== false && css.includes("{")) {
      reader.read(withoutComments(css), blockIn(SHEET, "group", { isUncertain: verdict === undefined }));
    }
  }
  return reader;
}

class StyleSheetReader implements StyleSheet {
  readonly rules: StyleRule[] = [];
  readonly lastFrames = new Map<string, string>();
  isIncomplete = false;
  private resolvedChars = 0;
  private readonly verdicts = new Map<string, Verdict>();

  read(css: string, sheet: Block): void {
    const open: Block[] = [];
    let innermost = sheet;
    const close = (end: number): void => {
      const block = open.pop();
      if (block === undefined) return;
      block.body += css.slice(start, end);
      innermost = open[open.length - 1] ?? sheet;
      this.closeBlock(block, innermost);
    };
    let start = 0;
    const marks = new CssMarks(css);
    for (let at = marks.next(0); at < css.length; at = marks.next(at + 1)) {
      const code = css.charCodeAt(at);
      if (code === 0x7b) {
        const segment = css.slice(start, at);
        // Declarations and statements before a nested block's own prelude.
        const cut = segment.lastIndexOf(";") + 1;
        if (cut > 0) innermost.body += segment.slice(0, cut);
        innermost = this.openBlock(segment.slice(cut).trim(), innermost, open.length);
        open.push(innermost);
        start = at + 1;
      } else if (code === 0x7d) {
        close(at);
        start = at + 1;
      } else at = marks.skip(at);
    }
    // What is open at the end of the sheet ends there (CSS Syntax 3, 5.4).
    while (open.length > 0) {
      close(css.length);
      start = css.length;
    }
  }

  private openBlock(prelude: string, parent: Block, depth: number): Block {
    if (parent.kind === "skip") return blockIn(parent, "skip");
    if (depth >= MAX_NESTING) {
      this.isIncomplete = true;
      return blockIn(parent, "skip");
    }
    if (parent.kind === "keyframes") return blockIn(parent, "rule", { name: prelude });
    if (!prelude.startsWith("@")) {
      const name = this.resolve(prelude, parent);
      return blockIn(parent, name === "" ? "skip" : "rule", { name });
    }
    const [, word = "", rest = ""] = /^@(-?[\w-]+)\s*([\s\S]*)$/.exec(prelude.toLowerCase()) ?? [];
    if (word.endsWith("keyframes")) {
      return blockIn(parent, "keyframes", { name: rest.trim().replace(/^["']|["']$/g, "") });
    }
    if (word === "layer") return blockIn(parent, "group", { isLayered: true });
    if (word === "scope") return this.openScope(prelude.slice("@scope".length).trim(), parent);
    const judge = CONDITIONS.get(word);
    const verdict = judge === undefined ? false : this.judged(prelude, rest, judge);
    if (verdict === false) return blockIn(parent, "skip");
    // Groups inside a rule (nested media) keep its selector.
    return blockIn(parent, "group", { isUncertain: parent.isUncertain || verdict === undefined });
  }

  /** Sheets repeat few conditions hundreds of times. */
  private judged(prelude: string, condition: string, judge: (condition: string) => Verdict): Verdict {
    if (!this.verdicts.has(prelude)) this.verdicts.set(prelude, judge(condition));
    return this.verdicts.get(prelude);
  }

  /** CSS Cascade 6, 2.5: which elements a limit (`to`) or a missing root leaves out cannot be told. */
  private openScope(prelude: string, parent: Block): Block {
    const end = closingParenthesis(prelude);
    const root = prelude.startsWith("(") ? prelude.slice(1, end).trim() : "";
    const isWhole = root !== "" && prelude.slice(end + 1).trim() === "";
    return blockIn(parent, "group", {
      name: "",
      scope: root === "" ? parent.scope : this.resolve(root, parent),
      isUncertain: parent.isUncertain || !isWhole,
    });
  }

  private closeBlock(block: Block, parent: Block): void {
    if (parent.kind === "keyframes") {
      if (/(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i.test(block.name)) this.lastFrames.set(parent.name, block.body);
      return;
    }
    const selector = block.name === "" ? block.scope : block.name;
    if (block.kind !== "rule" && block.kind !== "group") return;
    if (selector === "" || block.body.trim() === "") return;
    const { body, isLayered, isUncertain } = block;
    this.rules.push({ selector, body, isLayered, isUncertain });
  }

  /**
   * CSS Nesting 1: `&` is the outer rule's selector, a nested one without it descends from it. In a scope the subject
   * stands inside the root.
   */
  private resolve(selector: string, { name, scope }: Block): string {
    if (name === "" && scope === "") return selector;
    const outer = name === "" ? scope : name;
    const parent = outer.includes(",") ? `:is(${outer})` : outer;
    const resolved: string[] = [];
    for (const part of splitList(selector)) {
      const references = part.split("&").length + part.split(":scope").length;
      this.resolvedChars += part.length + references * parent.length;
      if (this.resolvedChars > MAX_RESOLVED_CHARS) {
        this.isIncomplete = true;
        break;
      }
      if (part.includes("&")) resolved.push(part.replaceAll("&", () => parent));
      else if (name !== "") resolved.push(`${parent} ${part.trim()}`);
      else if (part.includes(":scope")) resolved.push(part.replaceAll(":scope", () => parent));
      else resolved.push(`${part.trim()}:is(${parent},${parent} *)`);
    }
    return resolved.join(",");
  }
}

/** A block takes from the one around it what it does not change. */
function blockIn(parent: Block, kind: Block["kind"], changes: Partial<Block> = NO_CHANGES): Block {
  return {
    kind,
    name: changes.name ?? parent.name,
    scope: changes.scope ?? parent.scope,
    isLayered: changes.isLayered ?? parent.isLayered,
    isUncertain: changes.isUncertain ?? parent.isUncertain,
    body: "",
  };
}

/** Group rules with a condition; other at-rules hold no styles of elements. */
const CONDITIONS: ReadonlyMap<string, (condition: string) => Verdict> = new Map([
  ["media", mediaHolds],
  ["supports", supportsHolds],
  ["container", containerHolds],
]);

function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
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
