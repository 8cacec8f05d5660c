import type { Finding } from "../types.js";
import type { Detector, Window } from "./detector.js";
import { foldLetters } from "./fold-letters.js";
import { findLookAlikes, type LookAlikeKind } from "./look-alikes.js";

interface Rule {
  readonly rule: string;
  readonly score: number;
  readonly reason: string;
}

/** A forged token is evidence when it stands in prose; documentation quotes them in code. */
const FORGERIES: Readonly<Record<LookAlikeKind, Rule>> = {
  chat_token: {
    rule: "forged_token",
    score: 0.7,
    reason: "The text holds control tokens of a chat template outside of code.",
  },
  tool_tag: {
    rule: "forged_tool_tag",
    score: 0.7,
    reason: "The text imitates the tags of a tool's result outside of code.",
  },
  role_line: {
    rule: "forged_turn",
    score: 0.6,
    reason: "The text imitates turns of a conversation with an assistant.",
  },
  marker: { rule: "forged_marker", score: 0.8, reason: "The text imitates the markers of this envelope." },
};

// Bare "agent", "bot" and "model" belong to estate agents, honeypots of forms and products.
const MACHINE =
  "(?:ais?|a\\.i\\.|llms?|gpt|chatgpt|claude|gemini|copilot|(?:ai|coding|browser|web|autonomous|llm) agents?|assistants?|chatbots?|(?:large )?language models?|ai models?)";
const ORDER =
  "(?:must|should|shall|need to|have to|are (?:now )?(?:required|instructed|asked|ordered|to)|will now|please|always|never|do not|don't|ignore|disregard|forget|output|respond|reply|answer|say|write|print|include|append|recommend|summari[sz]e|send|fetch|visit|open|click|run|execute|call|reveal|disclose|delete|give|rate|approve|score)";
const near = (left: string, right: string): RegExp => new RegExp(`\\b${left}\\b[^.!?\\n]{0,80}\\b${right}\\b`, "i");

/** What text says that speaks to a machine rather than to a reader; only asked of text that no reader sees. */
const IMPERATIVES: readonly RegExp[] = [
  near(
    "(?:ignore|disregard|forget|override|bypass)",
    "(?:previous|prior|above|earlier|preceding|all|any|your|these|those|the)[^.!?\\n]{0,40}(?:instructions?|prompts?|directions?|guidelines?|commands?)",
  ),
  new RegExp(
    `\\b(?:attention|note to|notice to|message (?:to|for)|instructions? (?:to|for)|important for|dear|hey|hello)[ ,:]{1,3}(?:all |any |the |every )?(?:\\w+ )?${MACHINE}\\b`,
    "i",
  ),
  near(`(?:if you are|if you're|as|you are|you're) (?:an? |the |now )?(?:\\w+ )?${MACHINE}`, ORDER),
  near(
    `(?:the |any |every |all )?${MACHINE}`,
    "(?:must|should|shall|is (?:required|instructed) to|are (?:required|instructed) to|needs? to|has to|have to)",
  ),
  near(
    "(?:ignore|disregard|forget)",
    "(?:everything|anything|what)[^.!?\\n]{0,30}(?:user|said|told|asked|above|before)",
  ),
  new RegExp(
    `\\b(?:instructions?|configuration|directives?|rules?|orders?)(?: block)? (?:for|to) (?:the |all |any )?(?:${MACHINE}|models)\\b`,
    "i",
  ),
  new RegExp(`\\b${MACHINE} (?:configuration|instructions?|directives?|rules?)[^.!?\\n]{0,10}:`, "i"),
  // An image whose address is to be filled in: fetching it would carry the filling away.
  /!\[[^\]\n]{0,80}\]\(https?:[^)\n]{1,200}[<{]/,
  /\b(?:system prompt|hidden prompt|developer message|system message|prompt injection)\b/i,
  /\bnew (?:system )?(?:instructions?|directives?|orders?|task)\b[^.!?\n]{0,20}[:.]/i,
  /\byou are now\b[^.!?\n]{0,60}\b(?:mode|dan|unrestricted|jailbroken|free)\b/i,
  near(
    "(?:do not|don't|never|without)",
    "(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?)[^.!?\\n]{0,20}(?:users?|humans?|person|reader)",
  ),
  near(
    "(?:send|post|forward|upload|leak|exfiltrate|email|transmit|include|reveal|print|output)",
    "(?:api keys?|credentials|secrets|environment variables?|chat history|system prompt|private keys?|ssh keys?)",
  ),
  /\b(?:call|invoke|execute) the (?:\w+ ){0,3}(?:tool|function|shell)\b/i,
];

const HIDDEN_IMPERATIVE: Rule = {
  rule: "hidden_imperative",
  score: 0.9,
  reason: "Text that no reader sees speaks to an AI like an instruction; it was removed.",
};

/** Tier 0: what the structure of the text gives away, without a model. Linear. */
export const structuralDetector: Detector = {
  name: "structural",
  tier: 0,
  scan: (windows) =>
    windows.flatMap((window) => (window.channel === "removed" ? scanRemoved(window) : scanVisible(window))),
};

function scanRemoved({ text }: Window): readonly Finding[] {
  const imperative = IMPERATIVES.some((pattern) => pattern.test(text));
  return imperative ? [{ ...HIDDEN_IMPERATIVE, tier: 0, channel: "removed" }] : [];
}

function scanVisible({ text, start }: Window): readonly Finding[] {
  // Taking the code out costs more than looking, and is only worth it where there is something to find.
  if (findLookAlikes(text).length === 0) return [];
  const prose = withoutCode(text);
  const found = findLookAlikes(prose);
  const roles = new Set(
    found.filter(({ kind }) => kind === "role_line").map((place) => roleOf(prose.slice(place.start, place.end))),
  );
  return found
    .filter(({ kind }) => kind !== "role_line" || roles.size > 1)
    .map((place) => ({
      ...FORGERIES[place.kind],
      tier: 0,
      channel: "visible",
      start: start + place.start,
      end: start + place.end,
    }));
}

/** One `System:` at the start of a line is a form's label; two different speakers are a conversation. */
function roleOf(line: string): string {
  return foldLetters(line)
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
}

/** Blanks code of Markdown, fenced or between backticks, without moving anything. */
function withoutCode(text: string): string {
  let fenced = false;
  const lines = text.split("\n").map((line) => {
    const isFence = /^[ >]{0,12}(?:```|~~~)/.test(line);
    if (isFence) fenced = !fenced;
    return fenced || isFence || /^(?: {4}|\t)/.test(line) ? blank(line) : line.replace(/`[^`]{1,1000}`/g, blank);
  });
  return lines.join("\n");
}

const blank = (text: string): string => " ".repeat(text.length);
