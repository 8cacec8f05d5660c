import fc from "fast-check";
import type { Block, DocumentTree, Inline, Item, MarkTag } from "./document-tree.js";

/** What begins, ends or looks like syntax in some place. */
const SYNTAX = [
  ..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  ...[
    "**",
    "***",
    "__",
    "~~",
    "~~~",
    "``",
    "```",
    "==",
    "===",
    "--",
    "---",
    "- - -",
    "* * *",
    "#",
    "##",
    "1.",
    "1)",
    "42. ",
    "- ",
    "+ ",
    "* ",
    "> ",
  ],
  ...["![", "](", "](x)", "[a](b)", "[a][b]", "[a]: b", "[a]", "[^1]", "[^1]: ", "[^", "[ ] ", "[x] ", "[", "]"],
  ...[
    "<b>",
    "</b>",
    "<br>",
    "<!--",
    "-->",
    "<div",
    "<a href=x>",
    "<?x",
    "<https://a.example>",
    "&amp;",
    "&lt;",
    "&#65;",
    "&copy",
    "&",
  ],
  ...["| a | b |", "|", "| --- |", "--- | ---", ":-", ":-:", "|-", ": ", ":", "\\", "\\\\", "\\*", "\\|", "$x$", "$$"],
];
const ADDRESSES = [
  "https://a.example/b_c",
  "https://a.example/_b_",
  "http://a.example/*b*~c~",
  "https://a.example/(b)",
  "https://a.example/?b=c&amp;",
  "https://a.example/[b]",
  "https://",
  "http://localhost/_b_",
  "www.a.example",
  "www.a.example/_b_*",
  "www._",
  "b_c@a.example",
  "_b_@a.example_",
];
const WORDS = [
  "tea",
  "cup",
  "x",
  "B",
  "7",
  "snake_case",
  "a*b",
  "don't",
  "é",
  "e\u0301",
  "茶",
  "カップ",
  "。",
  "「",
  "」",
  "שלום",
  "😀",
  "€",
  "—",
  "…",
  "𠮷",
];
const SPACES = [" ", " ", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "\u2003"];

const token = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...SPACES) },
  { weight: 6, arbitrary: fc.constantFrom(...SYNTAX) },
  { weight: 1, arbitrary: fc.constantFrom(...ADDRESSES) },
);
const joined = (tokens: readonly string[]): string => tokens.join("");
const text = fc.array(token, { minLength: 1, maxLength: 6 }).map(joined);
const word = fc.constantFrom("tea", "cup", "B", "茶");

/** One line: white space runs and edges of a code span are not its own. */
const codeLine = text.map((value) => value.replace(/\s+/g, " ").trim()).filter((value) => value !== "");
/** Nothing can be escaped in code, and a definition is read before code is. */
const linkedCode = codeLine.filter((value) => !value.includes("]:"));
const codeValue = fc
  .array(
    fc.oneof(
      text,
      fc.constantFrom(
        "",
        "```",
        "````",
        "~~~",
        "    deep",
        "\ttab",
        "  ```js",
        "trailing  ",
        "---",
        "> q",
        "- i",
        "</pre>",
      ),
    ),
    { maxLength: 5 },
  )
  .map((lines) => lines.join("\n"));

const path = fc
  .array(
    fc.constantFrom(
      "a",
      "b_c",
      "*",
      "(",
      ")",
      "((",
      " ",
      "%20",
      "é",
      '"',
      "'",
      "<",
      ">",
      "\\",
      "`",
      "[",
      "]",
      "&lt;",
      "&amp",
      ";",
      "|",
      "~",
      "!",
      "$",
      ",",
      "?q=",
      "..",
      ".",
    ),
    { maxLength: 6 },
  )
  .map(joined);
const href = fc.tuple(fc.constantFrom("https://a.example/", "http://b.example:8080/x/"), path).map(joined);

const leaf = (isInLink: boolean): fc.Arbitrary<Inline> =>
  fc.oneof(
    { weight: 8, arbitrary: text.map((value): Inline => ({ kind: "text", value })) },
    { weight: 2, arbitrary: (isInLink ? linkedCode : codeLine).map((value): Inline => ({ kind: "code", value })) },
    { weight: 1, arbitrary: fc.constant<Inline>({ kind: "break" }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("image" as const), src: href, alt: text }) },
    ...(isInLink
      ? []
      : [{ weight: 1, arbitrary: fc.constantFrom("1", "2").map((label): Inline => ({ kind: "reference", label })) }]),
  );

function inlines(depth: number, isInLink: boolean, minLength = 0): fc.Arbitrary<readonly Inline[]> {
  const inline =
    depth === 0
      ? leaf(isInLink)
      : fc.oneof(
          { weight: 6, arbitrary: leaf(isInLink) },
          {
            weight: 4,
            arbitrary: fc.record({
              kind: fc.constant("mark" as const),
              tag: fc.constantFrom<MarkTag>("strong", "b", "em", "i", "del", "s"),
              children: fc.oneof(
                inlines(depth - 1, isInLink),
                word.map((value): readonly Inline[] => [{ kind: "text", value }]),
              ),
            }),
          },
          ...(isInLink ? [] : [{ weight: 2, arbitrary: linked(depth) }]),
        );
  return fc.array(inline, { minLength, maxLength: 4 });
}

/** A link begins with a word: one whose text is a sign alone is how pages mark places. */
function linked(depth: number): fc.Arbitrary<Inline> {
  return fc.tuple(href, word, inlines(depth - 1, true)).map(([target, first, rest]) => ({
    kind: "link",
    href: target,
    children: [{ kind: "text", value: first }, ...rest],
  }));
}

const line = inlines(2, false, 1);
const titled = fc.tuple(word, line).map(([value, rest]): readonly Inline[] => [{ kind: "text", value }, ...rest]);
const paragraph = fc.record({ kind: fc.constant("paragraph" as const), children: line });

function blocks(depth: number): fc.Arbitrary<readonly Block[]> {
  const flat: fc.Arbitrary<Block>[] = [
    paragraph,
    paragraph,
    fc.record({ kind: fc.constant("heading" as const), level: fc.integer({ min: 1, max: 6 }), children: line }),
    fc.record({ kind: fc.constant("code" as const), value: codeValue, language: fc.constantFrom("", "", "js", "c++") }),
    fc.constant<Block>({ kind: "rule" }),
    table,
  ];
  if (depth === 0) return fc.array(fc.oneof(...flat), { minLength: 1, maxLength: 3 });
  const inner = blocks(depth - 1);
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.oneof(...flat) },
      { weight: 3, arbitrary: list(inner) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("quote" as const), children: inner }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("definitions" as const),
          entries: fc.array(fc.record({ term: titled, children: inner }), { minLength: 1, maxLength: 2 }),
        }),
      },
    ),
    { minLength: 1, maxLength: 3 },
  );
}

function list(inner: fc.Arbitrary<readonly Block[]>): fc.Arbitrary<Block> {
  const task = fc.tuple(fc.boolean(), fc.boolean(), titled, inner).map(
    ([isChecked, isBare, children, rest]): Item => ({
      isChecked,
      isBare,
      children: [{ kind: "paragraph", children }, ...rest],
    }),
  );
  const item = fc.record({ isChecked: fc.constant(undefined), isBare: fc.boolean(), children: inner });
  return fc.record({
    kind: fc.constant("list" as const),
    start: fc.constantFrom(undefined, undefined, undefined, 1, 1, 7, 1_234_567_890),
    items: fc.array(fc.oneof({ weight: 5, arbitrary: item }, { weight: 1, arbitrary: task }), {
      minLength: 1,
      maxLength: 3,
    }),
  });
}

const table: fc.Arbitrary<Block> = fc
  .integer({ min: 1, max: 3 })
  .chain((columns) =>
    fc.array(fc.array(inlines(1, false), { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 3 }),
  )
  .map((rows) => ({ kind: "table", rows }));

/** Both notes are referred to first: a reference makes its note one. */
const REFERENCES: Block = {
  kind: "paragraph",
  children: [
    { kind: "text", value: "Notes" },
    { kind: "reference", label: "1" },
    { kind: "reference", label: "2" },
  ],
};

export const documentTree: fc.Arbitrary<DocumentTree> = fc
  .record({ blocks: blocks(2), first: titled, rest: blocks(1), second: titled })
  .map(({ blocks: content, first, rest, second }) => ({
    blocks: [REFERENCES, ...content],
    notes: [
      { label: "1", children: [{ kind: "paragraph", children: first }, ...rest] },
      { label: "2", children: [{ kind: "paragraph", children: second }] },
    ],
  }));
