import { decodePunycodeLabel } from "./punycode.js";

/** Combinations of scripts that one label may hold (UTS #39, "highly restrictive"); any single script may stand alone. */
const TOGETHER: readonly RegExp[] = [
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Common}\p{sc=Inherited}]*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Bopomofo}\p{sc=Common}\p{sc=Inherited}]*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hangul}\p{sc=Common}\p{sc=Inherited}]*$/u,
];
const LETTER = /\p{L}/gu;
const SCRIPTS: readonly RegExp[] = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Devanagari",
  "Bengali",
  "Tamil",
  "Telugu",
  "Thai",
  "Georgian",
  "Cherokee",
  "Hangul",
  "Han",
  "Hiragana",
  "Katakana",
].map((script) => new RegExp(`\\p{scx=${script}}`, "u"));

/** Cyrillic letters that look Latin; a label of these alone imitates a Latin name (the rule of Chromium's IDN policy). */
const LATIN_LOOKING_CYRILLIC = /^[асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡ0-9-]+$/;

/** Whether a host, in Unicode or punycode, has a label that mixes scripts or imitates Latin letters. */
export function isHomograph(hostname: string): boolean {
  const labels = hostname.split(".").map(decodePunycodeLabel);
  const topLevel = labels.at(-1) ?? "";
  return labels.some((label) => {
    if (/^[\x20-\x7E]*$/.test(label)) return false;
    if (mixesScripts(label)) return true;
    return LATIN_LOOKING_CYRILLIC.test(label) && /^[a-z]*$/.test(topLevel);
  });
}

function mixesScripts(label: string): boolean {
  if (TOGETHER.some((together) => together.test(label))) return false;
  const letters = label.match(LETTER) ?? [];
  const used = SCRIPTS.filter((script) => letters.some((letter) => script.test(letter)));
  return used.length > 1 && !used.some((script) => letters.every((letter) => script.test(letter)));
}
