/** Functions that TeX sets upright by their name. */
export const NAMED_FUNCTIONS: ReadonlySet<string> = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(
    " ",
  ),
);

/** Signs whose command says more than the character, and those that are written otherwise. */
export const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["∑", "\\sum"],
  ["∏", "\\prod"],
  ["∐", "\\coprod"],
  ["∫", "\\int"],
  ["∬", "\\iint"],
  ["∮", "\\oint"],
  ["⋃", "\\bigcup"],
  ["⋂", "\\bigcap"],
  ["⋀", "\\bigwedge"],
  ["⋁", "\\bigvee"],
  ["⨁", "\\bigoplus"],
  ["⨂", "\\bigotimes"],
  ["−", "-"],
  ["′", "'"],
  ["″", "''"],
  ["‖", "\\|"],
]);

/** What takes limits under and over it. */
export const LARGE_OPERATORS: ReadonlySet<string> = new Set([
  ...[...OPERATORS.values()].filter((name) => /^\\[a-z]/.test(name)),
  ..."det gcd inf lim liminf limsup max min Pr sup".split(" ").map((name) => `\\${name}`),
]);

/** `mathvariant` values (MathML Core, 2.1.4). */
export const VARIANTS: ReadonlyMap<string, string> = new Map([
  ["bold", "mathbf"],
  ["bold-italic", "boldsymbol"],
  ["double-struck", "mathbb"],
  ["script", "mathcal"],
  ["bold-script", "mathcal"],
  ["fraktur", "mathfrak"],
  ["sans-serif", "mathsf"],
  ["monospace", "mathtt"],
]);

/** For one character, and for a longer base. */
const OVER: ReadonlyMap<string, readonly [short: string, long: string]> = new Map([
  ["^", ["hat", "widehat"]],
  ["ˆ", ["hat", "widehat"]],
  ["\u0302", ["hat", "widehat"]],
  ["~", ["tilde", "widetilde"]],
  ["˜", ["tilde", "widetilde"]],
  ["∼", ["tilde", "widetilde"]],
  ["¯", ["bar", "overline"]],
  ["‾", ["bar", "overline"]],
  ["―", ["bar", "overline"]],
  ["\u0305", ["bar", "overline"]],
  ["→", ["vec", "overrightarrow"]],
  ["⃗", ["vec", "overrightarrow"]],
  ["←", ["overleftarrow", "overleftarrow"]],
  ["˙", ["dot", "dot"]],
  [".", ["dot", "dot"]],
  ["¨", ["ddot", "ddot"]],
  ["ˇ", ["check", "check"]],
  ["˘", ["breve", "breve"]],
  ["⏞", ["overbrace", "overbrace"]],
]);
const UNDER: ReadonlyMap<string, string> = new Map([
  ["\\_", "underline"],
  ["_", "underline"],
  ["¯", "underline"],
  ["\u0332", "underline"],
  ["⏟", "underbrace"],
]);

/** The accent's command round its base, undefined when the sign is none. */
export function accent(place: "over" | "under", sign: string, base: string): string | undefined {
  const name = place === "under" ? UNDER.get(sign) : OVER.get(sign)?.[[...base].length > 1 && !isCommand(base) ? 1 : 0];
  return name === undefined ? undefined : `\\${name}{${base}}`;
}

const isCommand = (tex: string): boolean => /^\\[a-z]+(?:\{.\})?$/iu.test(tex);
