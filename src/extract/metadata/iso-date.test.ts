import { describe, expect, it } from "vitest";
import { dateInPath, findDate, isoDate } from "./iso-date.js";

describe("isoDate", () => {
  it.each([
    ["2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z"],
    ["2024-03-05T10:00:00.250+0100", "2024-03-05T10:00:00.250+01:00"],
    ["2024-03-05 10:00:00 -0600", "2024-03-05T10:00:00-06:00"],
    ["2024-03-05T10:00", "2024-03-05T10:00"],
    ["2024-03-05T25:00", "2024-03-05"],
    ["2024-3-5", "2024-03-05"],
    ["20240305", "2024-03-05"],
    ["2024-03", "2024-03"],
    ["2024", "2024"],
    ["Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z"],
    ["Tue Mar 05 2024 10:00:00 GMT+0100 (CET)", "2024-03-05T10:00:00+01:00"],
    ["March 5th, 2024", "2024-03-05"],
    ["5. März 2024", "2024-03-05"],
    ["5 de marzo de 2024", "2024-03-05"],
    ["le 1er août 2024", "2024-08-01"],
    ["5 марта 2024 г.", "2024-03-05"],
    ["2024年3月5日", "2024-03-05"],
    ["25/03/2024", "2024-03-25"],
    ["03/25/24", "2024-03-25"],
  ])("reads %s", (value, expected) => {
    expect(isoDate(value)).toBe(expected);
  });

  it.each(["", "yesterday", "2024-02-30", "2024-13-01", "1970-01-01T00:00:00Z", "0001-01-01", "1.2.3.4", "v20240305x"])(
    "takes %j for no date",
    (value) => {
      expect(isoDate(value)).toBeUndefined();
    },
  );

  it("reads 3/4 only where the language has one order", () => {
    expect(isoDate("03.04.2024")).toBeUndefined();
    expect(isoDate("03.04.2024", "de")).toBe("2024-04-03");
    expect(isoDate("03/04/2024", "en-GB")).toBe("2024-04-03");
    expect(isoDate("03/04/2024", "en-US")).toBeUndefined();
    expect(isoDate("03/03/2024")).toBe("2024-03-03");
  });
});

it("findDate says where the first date stands", () => {
  expect(findDate("By Rosa Lind | March 5, 2024 | 4 min")).toEqual({ iso: "2024-03-05", start: 15, end: 28 });
});

it.each([
  ["/2024/03/05/steep", "2024-03-05"],
  ["/blog/2024-03-05-steep", "2024-03-05"],
  ["/2024/03/steep", "2024-03"],
  ["/2024/13/steep", undefined],
  ["/item/20240305", undefined],
])("dateInPath of %s", (path, expected) => {
  expect(dateInPath(path)).toBe(expected);
});
