import { describe, expect, test } from "vitest";
import { extract } from "../extract.js";
import { containerHolds, mediaHolds, supportsHolds } from "./media-query.js";

const SECRET = "Words that nobody sees.";
const WAY = '<div class="w"><p class="h">Words that nobody sees.</p></div>';

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const read = (styles: string, body: string) =>
  extract(`<!doctype html><style>${styles}</style><p>Seen.</p>${body}`, { mode: "full" });
const isHidden = (styles: string, body = WAY): boolean => {
  const { markdown } = read(styles, body);
  expect(markdown).toContain("Seen.");
  return !markdown.includes(SECRET);
};

describe("conditions", () => {
  test.each([
    "@media (min-width:0)",
    "@media (width >= 1px)",
    "@media (1px < width <= 2000px)",
    "@media (orientation:landscape)",
    "@media (prefers-color-scheme: light)",
    "@media (min-height:1px)",
    "@media (hover:hover)",
    "@media (hover) and (pointer: fine)",
    "@media not print",
    "@media only screen and (min-aspect-ratio: 1/1)",
    "@media print, (min-width: 40em)",
    "@media (not (max-width: 600px)) or (monochrome)",
    "@media (an-unheard-of-feature)",
    "@container (min-width:1px)",
    "@container side style(--x: y)",
    "@scope (body)",
    "@scope (.w) to (.limit)",
    "@scope (.h)",
    "@layer base",
    "@supports (display: grid)",
    "@supports not (an-unheard-of: thing)",
  ])("%s hides", (prelude) => {
    expect(isHidden(`${prelude}{.h{display:none}}`)).toBe(true);
  });

  test.each([
    "@media print",
    "@media (max-width: 600px)",
    "@media (width < 1280px)",
    "@media (hover: none)",
    "@media (prefers-color-scheme: dark)",
    "@media (prefers-reduced-motion)",
    "@media not all",
    "@media not (min-width: 0)",
    "@media screen and (orientation: portrait)",
    "@container (width > 1280px)",
    "@supports not (display: grid)",
    "@scope (.elsewhere)",
    "@font-face",
  ])("%s does not", (prelude) => {
    expect(isHidden(`${prelude}{.h{display:none}}`)).toBe(false);
  });

  test("that cannot be told show nothing", () => {
    for (const prelude of ["@media (unheard-of)", "@container (min-width: 400px)", "@supports (unheard-of: x)"]) {
      expect(isHidden(`.h{display:none}${prelude}{.h{display:block!important}}`)).toBe(true);
    }
    expect(isHidden(".h{display:none}@media (min-width: 400px){.h{display:block}}")).toBe(false);
  });

  test("stand on the style element too", () => {
    const page = (attributes: string): string =>
      extract(`<style ${attributes}>.h{display:none}</style><p>Seen.</p>${WAY}`, { mode: "full" }).markdown;
    expect(page('media="screen and (min-width: 0)"')).not.toContain(SECRET);
    for (const attributes of ["media=print", "type=text/template"]) expect(page(attributes)).toContain(SECRET);
  });

  test("styles for readers without scripts, and in templates, show nothing", () => {
    for (const name of ["noscript", "template"]) {
      const style = `<${name}><style>.h{display:block!important}</style></${name}>`;
      expect(isHidden(".h{display:none}", style + WAY)).toBe(true);
    }
  });

  test("are true, false or unknown", () => {
    expect(["screen", "(width: 1280px)", "", "(color)", "(resolution: 96dpi)"].map(mediaHolds)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    expect(["print", "(width: 1px)", "not screen", "(monochrome)"].map(mediaHolds)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect(["(what)", "(width: calc(1px))", "(what) and (hover)", `${"(".repeat(20)}hover`].map(mediaHolds)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
    expect(mediaHolds("(what) and print")).toBe(false);
    expect(mediaHolds("(what) or (hover)")).toBe(true);
    expect([containerHolds("(width >= 0)"), containerHolds("(width > 300px)")]).toEqual([true, undefined]);
    expect([supportsHolds("not (display:flex)"), supportsHolds("selector(:has(a))")]).toEqual([false, undefined]);
  });
});

describe("selectors", () => {
  test.each([
    "body:has(p) .h",
    ".w:has(> .h) p",
    ".w:has(.h) > p",
    "p:has(+ .w) ~ div .h",
    "body:has(.w .h) .h",
    "body:not(:has(table)) .h",
    ":is(.h, :hover, :unheard-of)",
    ".h:not(.x:hover)",
    ".h:only-child",
    ".h:nth-child(1 of .h)",
    '[class="H" i]',
    ".\\68",
    ".\\h",
    "html > body > .w > .h",
    ".w { & { & { .h",
  ])("%s hides", (selector) => {
    expect(isHidden(`${selector}{display:none}`)).toBe(true);
  });

  test.each([
    ".h:has(b)",
    "body:has(table) .h",
    ".w:has(> table > b) ~ .h",
    ".h:empty",
    ".h:not(:only-child)",
    "b > .h",
    ".w ~ .h",
    "p + p > .h",
    "div:nth-child(2) > .h:hover",
  ])("%s does not", (selector) => {
    expect(isHidden(`${selector}{display:none}`)).toBe(false);
  });

  test("a state that the markup declares holds", () => {
    const body = (checked: string): string => `<input type="checkbox" ${checked}>${WAY}`;
    expect(isHidden("input:checked ~ .w{display:none}", body("checked"))).toBe(true);
    expect(isHidden("input:checked ~ .w{display:none}", body(""))).toBe(false);
  });

  test("may be long", () => {
    expect(isHidden(`${repeat(900, (index) => `.x${index},`)}.h{display:none}`)).toBe(true);
    expect(isHidden(`${"div ".repeat(30)}.h{display:none}`, "<div>".repeat(30) + WAY)).toBe(true);
    expect(isHidden(`${"div > ".repeat(200)}.h{display:none}`, "<div>".repeat(200) + WAY)).toBe(true);
  });

  test("a failure further out is looked for once", () => {
    const deep = "<div>".repeat(300) + WAY;
    const { signals, markdown } = read(`.absent2 ${"div ".repeat(20)}.h{top:0}.h{display:none}`, deep);
    expect(markdown).not.toContain(SECRET);
    expect(signals.stylesIncomplete).toBeUndefined();
  });

  test("an open rule ends with its sheet, and escapes are read", () => {
    expect(isHidden("@media all{.h{display:none")).toBe(true);
    expect(isHidden(".h{d\\69splay:n\\6fne}")).toBe(true);
  });

  test("variables that name variables stay small", () => {
    const bomb = repeat(6, (index) => `--v${index}:${`var(--v${index + 1}) `.repeat(25)};`);
    expect(isHidden(`:root{${bomb}--none:none}p{color:var(--v0)}.h{display:var(--none)}`)).toBe(true);
  });
});

describe("limits", () => {
  test.each([
    ["positions", repeat(200, (index) => `p:nth-child(${index + 7_000}n){opacity:0}`), "<p>a</p>".repeat(6_000)],
    ["more rules than elements", repeat(20_001, () => "b{color:red}"), ""],
    ["hiding rules", repeat(20_001, (index) => `b i:nth-child(${index}){display:none}`), "<b><i>x</i></b>"],
    ["thousands of costly rules", repeat(8_000, (n) => `p:nth-child(${n + 9_000}n){opacity:0}`), "<p>a".repeat(9_000)],
    [
      "siblings",
      repeat(100, (n) => `${"p ~ ".repeat(20)}b:nth-child(n+${n}){opacity:0}`),
      "<p>a<b>x</b>".repeat(2_000),
    ],
  ])("%s in front disable no later rule", (_name, rules, body) => {
    expect(isHidden(`${rules}.w .h{display:none}`, body + WAY)).toBe(true);
    expect(isHidden(`${rules}[data-h]{display:none}`, `${body}<p data-h>${SECRET}</p>`)).toBe(true);
    expect(isHidden(`${rules}p.h{display:none}`, body + WAY)).toBe(true);
  });

  test("are reported when one is reached", () => {
    const costly = repeat(8_000, (index) => `p:nth-child(${index + 9_000}n){opacity:0}`);
    expect(read(costly, "<p>a".repeat(9_000)).signals.stylesIncomplete).toBe(true);
    expect(read("@media all{".repeat(40), WAY).signals.stylesIncomplete).toBe(true);
    const nesting = `.${"x".repeat(2_000)}{${"b{top:0}".repeat(3_000)}}`;
    expect(read(nesting, WAY).signals.stylesIncomplete).toBe(true);
    expect(read(`.h{display:none}${repeat(500, (index) => `p:nth-child(${index}){top:0}`)}`, WAY).signals).toEqual({
      scriptBytes: 0,
      textChars: "Seen.".length,
    });
  });
});

describe("time", () => {
  const classes = (count: number): string => repeat(count, (index) => `<p class="c${index}">x</p>`);
  /** Rules and elements grow together: a test of each by each is quadratic. */
  const growing: readonly (readonly [string, (n: number) => string])[] = [
    ["attributes", (n) => `<style>${"[z]{display:none}".repeat(n)}</style>${classes(n * 2)}`],
    ["attribute values", (n) => `<style>${repeat(n, (k) => `[z^="${k}"]{top:0}`)}</style>${classes(n * 2)}`],
    ["tags", (n) => `<style>${repeat(n, (k) => `p{opacity:.${k}1}`)}</style>${classes(n * 2)}`],
    ["lists", (n) => `<style>${repeat(n, (k) => `:is(.q,.r${k}){top:0}`)}</style>${classes(n * 2)}`],
    ["styles", (n) => `<style>${"p{top:0}".repeat(n)}</style>${repeat(n, (k) => `<p style="top:${k}px">x</p>`)}`],
    [
      "class pairs",
      (n) => `<style>${repeat(n, (k) => `.z.c${k}[y]{top:0}`)}</style>${repeat(n, (k) => `<p class="z c${k}">x</p>`)}`,
    ],
    ["formulas", (n) => '<script type="math/tex">x</script>'.repeat(n * 20)],
  ];
  /** The best of three, since other tests share the machine. */
  const spent = (html: string): number => {
    const durations = [1, 2, 3].map(() => {
      const start = performance.now();
      extract(html, { mode: "full" });
      return performance.now() - start;
    });
    return Math.min(...durations);
  };

  test.each(growing)("is linear in %s", (_name, make) => {
    const small = Math.max(spent(make(750)), 10);
    // Eight times the input; a quadratic loop takes 64 times as long.
    expect(spent(make(6_000))).toBeLessThan(small * 25);
  });

  test("400 kB of rules and classes take no ten seconds", () => {
    const html = `<style>${"[z]{display:none}".repeat(8_500)}</style>${classes(12_000)}`;
    expect(html.length).toBeGreaterThan(400_000 - 50_000);
    expect(spent(html)).toBeLessThan(10_000);
  });
});
