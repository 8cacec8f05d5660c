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

/** `folded` is `text` after `foldLetters`: places in one are places in the other. */
type FindForgeries = (text: string, folded: string) => readonly Forgery[];

const OPEN = "[<＜﹤]";
const CLOSE = "[>＞﹥]";
const BARS = "|｜￨∣ǀ│❘⏐";
const BAR = `[${BARS}]`;
const COLON = "[:：﹕∶꞉ː]";
/** Markdown may have escaped the character that follows. */
const ESCAPE = "\\\\?";

const VISIBLE: ReadonlyMap<string, string> = new Map(
  Object.entries({ "‹": "<＜﹤", "›": ">＞﹥", "¦": BARS, "⟦": "[［", "⟧": "]］" }).flatMap(([harmless, forged]) =>
    Array.from(forged, (character): [string, string] => [character, harmless]),
  ),
);
const swapBrackets = (match: string): string => match.replace(SWAPPED, (c) => VISIBLE.get(c) ?? c);
const SWAPPED = new RegExp(`[${OPEN.slice(1, -1)}${CLOSE.slice(1, -1)}${BARS}[［\\]］]`, "g");

/** Letters as `foldLetters` leaves them: one of two units is followed by a filler. `?` makes the letter before it optional. */
const lettered = (word: string): string =>
  word.replace(/([A-Za-z])(\??)/g, (_, letter: string, optional: string) =>
    optional === "" ? `${letter}${FILLER}?` : `(?:${letter}${FILLER}?)?`,
  );
const words = (list: string): readonly string[] => list.trim().split(/\s+/).map(lettered);
/** Names of several words, joined by `_`, `-`, a space or nothing. */
const named = (names: string): string => `(?:${words(names).join("|").replaceAll("_", `${ESCAPE}[_ -]?`)})`;

const PIPED_ROLES = named(
  "system user assistant tool developer end im_start im_end eot_id start_header_id end_header_id endoftext",
);
const HALF_PIPED = named("turn channel message think tool_call tool_response tool image audio");
const BRACKETED = named("INST SYSTEM_PROMPT AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS? TOOL_CONTENT");
const ANGLED = named("start_of_turn end_of_turn start_of_image end_of_image bos eos");
const TOOL_NAMES = named(
  `tool_results? tool_outputs? tool_responses? tool_calls? tool_use function_results? function_outputs? function_responses?
   function_calls? system_reminders? system_prompts? system_messages? web_search_results? web_fetch_results?
   search_results? fetched_contents? fetched_pages? untrusted_contents? thinking think`,
);
/** Elements of ordinary documents too, so that only their closing tags, and openings with `name=`, are taken for forged. */
const CALL_NAMES = named("invoke parameter");
const SPACE = "[\\s\\\\]{0,4}";
const NAMESPACE = `(?:[a-z${FILLER}]{1,24}${COLON})?`;
/** An attribute may hold `<`; a tag that is longer keeps its end, and loses its opening all the same. */
const ATTRIBUTES = `(?:\\s[^>＞﹥]{0,200})?[\\\\/]{0,2}${CLOSE}`;

const CHAT_TOKENS = new RegExp(
  [
    `${OPEN}${BAR}\\/?[A-Za-z0-9_▁\\\\.:${FILLER}-]{1,64}${BAR}${CLOSE}`,
    `${OPEN}${SPACE}${BAR}${SPACE}\\/?${PIPED_ROLES}${SPACE}${BAR}${SPACE}${CLOSE}`,
    `${OPEN}${ESCAPE}${BAR}\\/?${HALF_PIPED}(?![a-z0-9_])(?:${CLOSE})?`,
    `${OPEN}\\/?${HALF_PIPED}${ESCAPE}${BAR}${CLOSE}`,
    `${OPEN}${ESCAPE}${OPEN}${SPACE}\\/?${SPACE}${lettered("SYS")}${SPACE}${CLOSE}${ESCAPE}${CLOSE}`,
    `${OPEN}${SPACE}${ANGLED}${SPACE}${CLOSE}`,
  ].join("|"),
  "gi",
);
const BRACKETED_TOKENS = new RegExp(`[[［]${SPACE}\\/?${SPACE}${BRACKETED}${SPACE}[\\]］]`, "gi");
const TOOL_TAGS = new RegExp(
  [
    `${OPEN}${SPACE}\\/?${SPACE}${NAMESPACE}${TOOL_NAMES}(?:${ATTRIBUTES}|(?=\\s{1,4}[a-z_-]{1,32}\\s?=))`,
    `${OPEN}${SPACE}${NAMESPACE}${CALL_NAMES}\\s{1,4}${lettered("name")}\\s?=(?:[^>＞﹥]{0,200}${CLOSE})?`,
    `${OPEN}${SPACE}\\/${SPACE}${NAMESPACE}(?:${CALL_NAMES}|${named("documents?")})${SPACE}${CLOSE}`,
    // An opening `<system>` inside a line is a common placeholder in documentation.
    `(?:^[ \\t]{0,8}${OPEN}|${OPEN}${SPACE}\\/)${SPACE}${named("system assistant human user")}${SPACE}${CLOSE}`,
  ].join("|"),
  "gim",
);
const BLANK = "\\t \\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000";
const ROLE_LINES = new RegExp(
  `^(?:[${BLANK}>*_#"'\`~\\\\[(+${BARS}•‣⁃▪▫●○◦■□·–—-]|[0-9]{1,3}[.)]){0,12}` +
    `${named("human assistant system")}[${BLANK}*_\`\\]]{0,4}${COLON}`,
  "gim",
);

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
const ANY_BRACKET = /[[［]/;
const ANY_ROLE = new RegExp(named("human assistant system"), "i");
const ANY_FETCHED = new RegExp(spelled("fetched"), "i");

/** In lower case these are keys of YAML and links to system prompts, unless letters of another script disguise them. */
const CAPITALISED = /Human|Assistant|System|HUMAN|ASSISTANT|SYSTEM/;
const ALL_CAPITALS = /INST|SYSTEM|AVAILABLE|TOOL/;

/** In the order in which they are made harmless. */
const RULES: readonly FindForgeries[] = [
  matching("chat_token", ANY_OPEN, CHAT_TOKENS, swapBrackets),
  matching("chat_token", ANY_BRACKET, BRACKETED_TOKENS, swapBrackets, (match) => isSpelled(match, ALL_CAPITALS)),
  matching("tool_tag", ANY_OPEN, TOOL_TAGS, swapBrackets),
  matching(
    "role_line",
    ANY_ROLE,
    ROLE_LINES,
    (match) => `${match.slice(0, -1)}¦`,
    (match) => isSpelled(match, CAPITALISED),
  ),
  findMarkers,
];

/** As written, or in letters of another script; accents alone make another word (`Systém:` is Czech). */
function isSpelled(match: string, written: RegExp): boolean {
  const bare = match.normalize("NFD");
  return written.test(match) || (/[^\p{ASCII}\p{P}\p{S}\p{Z}\p{M}]/u.test(bare) && !/\p{M}/u.test(bare));
}

/** Every place where the text imitates a chat template, a tool's result, a turn of the conversation or our own marker. */
export function findLookAlikes(text: string): readonly LookAlike[] {
  const folded = foldLetters(text);
  return RULES.flatMap((find) => find(text, folded).map(({ kind, start, end }) => ({ kind, start, end })));
}

/**
 * Makes forged tokens harmless and leaves them readable: `<|im_start|>` becomes `‹¦im_start¦›`, `[INST]` `⟦INST⟧`,
 * `</tool_result>` `‹/tool_result›`, `Human:` at the start of a line `Human¦`, and our own marker's words are parted
 * by `¦`, in code blocks and in letters of other scripts too. Never changes the length. Linear; idempotent.
 */
export function neutraliseLookAlikes(text: string): Neutralised {
  const counts: Record<string, number> = {};
  let result = text;
  let folded = foldLetters(text);
  for (const find of RULES) {
    const forgeries = find(result, folded);
    if (forgeries.length === 0) continue;
    for (const { kind } of forgeries) counts[kind] = (counts[kind] ?? 0) + 1;
    result = replaceAll(result, forgeries);
    folded = foldLetters(result);
  }
  return { text: result, counts };
}

function matching(
  kind: LookAlikeKind,
  gate: RegExp,
  pattern: RegExp,
  neutralise: (match: string) => string,
  accepts: (match: string) => boolean = () => true,
): FindForgeries {
  return (text, folded) => {
    if (!gate.test(folded)) return [];
    return Array.from(folded.matchAll(pattern), ({ 0: match, index }) => {
      const end = index + match.length;
      return { kind, start: index, end, harmless: neutralise(text.slice(index, end)) };
    }).filter(({ start, end }) => accepts(text.slice(start, end)));
  };
}

function findMarkers(text: string, folded: string): readonly Forgery[] {
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
