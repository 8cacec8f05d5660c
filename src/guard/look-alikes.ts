import { FILLER, foldLetters } from "./fold-letters.js";

export type LookAlikeKind = "chat_token" | "tool_tag" | "role_line" | "marker";

export interface LookAlike {
  readonly kind: LookAlikeKind;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export interface Neutralised {
  /** As long as the text it was made of, so that offsets into one hold in the other. */
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
}

interface Forgery extends LookAlike {
  /** As many visible characters as `start` to `end` has. */
  readonly harmless: string;
}

type FindForgeries = (text: string) => readonly Forgery[];

const OPEN = "[<＜﹤]";
const CLOSE = "[>＞﹥]";
const BAR = "[|｜￨]";
/** Markdown may have escaped the character that follows. */
const ESCAPE = "\\\\?";

const VISIBLE: Readonly<Record<string, string>> = {
  "<": "‹",
  "＜": "‹",
  "﹤": "‹",
  ">": "›",
  "＞": "›",
  "﹥": "›",
  "|": "¦",
  "｜": "¦",
  "￨": "¦",
  "[": "⟦",
  "［": "⟦",
  "]": "⟧",
  "］": "⟧",
};
const swapBrackets = (match: string): string => match.replace(/[<＜﹤>＞﹥|｜￨[［\]］]/g, (c) => VISIBLE[c] ?? c);

/** Names of several words, joined by `_`, `-`, a space or nothing. */
const named = (names: string): string =>
  `(?:${names
    .trim()
    .split(/\s+/)
    .map((name) => name.replaceAll("_", `${ESCAPE}[_ -]?`))
    .join("|")})`;

const PIPED_ROLES = named(
  "system user assistant tool developer end im_start im_end eot_id start_header_id end_header_id endoftext",
);
const BRACKETED = named("INST SYSTEM_PROMPT AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS? TOOL_CONTENT");
const ANGLED = named("start_of_turn end_of_turn start_of_image end_of_image bos eos");
const TOOL_NAMES = named(
  `tool_results? tool_outputs? tool_responses? tool_calls? tool_use function_results? function_outputs? function_responses?
   function_calls? system_reminders? system_prompts? system_messages? web_search_results? web_fetch_results?
   search_results? fetched_contents? fetched_pages? untrusted_contents? thinking think`,
);
const SPACE = "[\\s\\\\]{0,4}";

const CHAT_TOKENS = new RegExp(
  [
    `${OPEN}${BAR}\\/?[A-Za-z0-9_▁\\\\.:-]{1,64}${BAR}${CLOSE}`,
    `${OPEN}${SPACE}${BAR}${SPACE}\\/?${PIPED_ROLES}${SPACE}${BAR}${SPACE}${CLOSE}`,
    `${OPEN}${ESCAPE}${OPEN}${SPACE}\\/?${SPACE}SYS${SPACE}${CLOSE}${ESCAPE}${CLOSE}`,
    `${OPEN}${SPACE}${ANGLED}${SPACE}${CLOSE}`,
  ].join("|"),
  "gi",
);
/** Capitals only: `[System prompt]` is a link. */
const BRACKETED_TOKENS = new RegExp(`[[［]${SPACE}\\/?${SPACE}${BRACKETED}${SPACE}[\\]］]`, "g");
const TOOL_TAGS = new RegExp(
  [
    `${OPEN}${SPACE}\\/?${SPACE}(?:[a-z]{1,12}:)?${TOOL_NAMES}(?:\\s[^<>]{0,200})?[\\\\/]{0,2}${CLOSE}`,
    // An opening `<system>` inside a line is a common placeholder in documentation.
    `(?:^[ \\t]{0,8}${OPEN}|${OPEN}${SPACE}\\/)${SPACE}(?:system|assistant|human|user)${SPACE}${CLOSE}`,
  ].join("|"),
  "gim",
);
/** Capitals only: `system:` in lower case is a key of YAML. */
const ROLE_LINES = /^[ \t>*_#"'`~\\[(-]{0,12}(?:Human|Assistant|System|HUMAN|ASSISTANT|SYSTEM)[ \t*_`\]]{0,4}[:：]/gm;

const DIGITS: Readonly<Record<string, string>> = { a: "4", b: "8", e: "3", g: "9", i: "1", o: "0", s: "5", t: "7" };
const spelled = (word: string): string =>
  Array.from(word, (letter) => `[${letter}${DIGITS[letter] ?? ""}]`).join("[^a-z0-9]{0,3}");
const APART = "[^a-z0-9]{0,16}";
/** The words of our own marker, on folded text: any case, spacing, dashes or punctuation. `¦` before the last word ends it. */
const MARKER_WORDS = new RegExp(
  `(?<![a-z0-9])((?:${["begin", "start", "open", "end", "stop", "finish"].map(spelled).join("|")})` +
    `(?:${APART}${spelled("of")})?(?:${APART}${spelled("the")})?${APART}${spelled("fetched")}${FILLER}?)` +
    `([^a-z0-9¦]{0,16})c(?=[^a-z0-9]{0,3}${spelled("ontent")})`,
  "gi",
);

// Most text holds nothing of the kind, and these tell so in a fraction of the time.
const ANY_OPEN = new RegExp(OPEN);
const ANY_BRACKETED = new RegExp(BRACKETED);
const ANY_ROLE = /Human|Assistant|System|HUMAN|ASSISTANT|SYSTEM/;
const ANY_FETCHED = new RegExp(spelled("fetched"), "i");

/** In the order in which they are made harmless. */
const RULES: readonly FindForgeries[] = [
  matching("chat_token", ANY_OPEN, CHAT_TOKENS, swapBrackets),
  matching("chat_token", ANY_BRACKETED, BRACKETED_TOKENS, swapBrackets),
  matching("tool_tag", ANY_OPEN, TOOL_TAGS, swapBrackets),
  matching("role_line", ANY_ROLE, ROLE_LINES, (match) => `${match.slice(0, -1)}¦`),
  findMarkers,
];

/** Every place where the text imitates a chat template, a tool's result, a turn of the conversation or our own marker. */
export function findLookAlikes(text: string): readonly LookAlike[] {
  return RULES.flatMap((find) => find(text).map(({ kind, start, end }) => ({ kind, start, end })));
}

/**
 * Makes forged tokens harmless and leaves them readable: `<|im_start|>` becomes `‹¦im_start¦›`, `[INST]` `⟦INST⟧`,
 * `</tool_result>` `‹/tool_result›`, `Human:` at the start of a line `Human¦`, and our own marker's words are parted
 * by `¦`, in code blocks too. Never changes the length. Linear; idempotent.
 */
export function neutraliseLookAlikes(text: string): Neutralised {
  const counts: Record<string, number> = {};
  let result = text;
  for (const find of RULES) {
    const forgeries = find(result);
    for (const { kind } of forgeries) counts[kind] = (counts[kind] ?? 0) + 1;
    result = replaceAll(result, forgeries);
  }
  return { text: result, counts };
}

function matching(
  kind: LookAlikeKind,
  gate: RegExp,
  pattern: RegExp,
  neutralise: (match: string) => string,
): FindForgeries {
  return (text) => {
    if (!gate.test(text)) return [];
    return Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
      kind,
      start: index,
      end: index + match.length,
      harmless: neutralise(match),
    }));
  };
}

function findMarkers(text: string): readonly Forgery[] {
  const folded = foldLetters(text);
  if (!ANY_FETCHED.test(folded)) return [];
  return Array.from(folded.matchAll(MARKER_WORDS), ({ 0: match, 1: head = "", 2: gap = "", index }) => {
    const initialAt = index + match.length - 1;
    const initialChars = String.fromCodePoint(text.codePointAt(initialAt) ?? 0).length;
    const end = initialAt + initialChars;
    const kept = text.slice(index, index + head.length);
    const harmless =
      gap === "" ? kept + "¦".repeat(initialChars) : kept + "¦".repeat(gap.length) + text.slice(initialAt, end);
    return { kind: "marker", start: index, end, harmless };
  });
}

function replaceAll(text: string, forgeries: readonly Forgery[]): string {
  if (forgeries.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, harmless } of forgeries) {
    pieces.push(text.slice(from, start), harmless);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}
