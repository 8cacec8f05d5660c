import { expect, it } from "vitest";
import { announcesAuthor, authorOnLine, chooseByline, cleanNames } from "./byline.js";

it.each([
  ["By Rosa Lind", "Rosa Lind"],
  ["By: Rosa Lind | March 5, 2024", "Rosa Lind"],
  ["Written by Rosa Lind and Otto Berg on 5 March 2024", "Rosa Lind and Otto Berg"],
  ["Von Rosa Lind, 5. März 2024", "Rosa Lind"],
  ["Par Rosa de la Tour • 4 min", "Rosa de la Tour"],
  ["Published August 7, 2023 by Rosa Lind", "Rosa Lind"],
  ["By the way, tea is old.", undefined],
  ["By using this site you agree", undefined],
  ["Rosa Lind", undefined],
])("authorOnLine of %s", (line, expected) => {
  expect(authorOnLine(line)).toBe(expected);
});

it("announcesAuthor holds for a label alone", () => {
  expect(["Written by", "Author:", "By"].every(announcesAuthor)).toBe(true);
  expect(["By Rosa", "Authority", "Menu"].some(announcesAuthor)).toBe(false);
});

it("cleanNames drops addresses, accounts of nobody, roles and repetition", () => {
  expect(
    cleanNames([
      "by Rosa Lind, Senior Editor",
      "rosa lind",
      "https://kettle.example/rosa",
      "rosa@kettle.example",
      "@rosa",
      "admin",
      "Otto Berg; Ann Ito",
    ]),
  ).toEqual(["Rosa Lind", "Otto Berg", "Ann Ito"]);
});

it("chooseByline prefers people to accounts, and both to the site", () => {
  const isSite = (name: string): boolean => name === "The Kettle";
  expect(chooseByline([["The Kettle"], ["rlind"], ["Rosa Lind"]], isSite)).toBe("Rosa Lind");
  expect(chooseByline([["The Kettle"], ["rlind"]], isSite)).toBe("rlind");
  expect(chooseByline([["The Kettle"]], isSite)).toBe("The Kettle");
  expect(chooseByline([["admin"], []], isSite)).toBeUndefined();
  expect(chooseByline([Array.from({ length: 90 }, (_, i) => `Rosa Lind the ${i}th`)], isSite)?.length).toBeLessThan(
    301,
  );
});
