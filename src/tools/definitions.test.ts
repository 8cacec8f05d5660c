import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { TOOLS, WEB_FETCH, WEB_SEARCH } from "./definitions.js";

describe("the two tools", () => {
  it("cost a model at most 450 tokens (o200k) together", () => {
    const listed = Object.values(TOOLS).map(({ name, title, description, inputSchema }) => {
      return { name, title, description, inputSchema: inputSchema() };
    });
    expect(encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(450);
  });

  it("need nothing but a URL or a query", () => {
    expect(WEB_FETCH.inputSchema().required).toEqual(["url"]);
    expect(WEB_SEARCH.inputSchema().required).toEqual(["query"]);
  });
});

describe("arguments as models send them", () => {
  it.each([
    ["numbers as text", { url: "https://a.example/", offset: "120" }, { url: "https://a.example/", offset: 120 }],
    ["null and empty text for nothing", { url: "u", section: null, find: "", prompt: null }, { url: "u" }],
    ["arguments that do not exist", { url: "u", timeout: 5, headers: {} }, { url: "u" }],
    ["the whole object as text", '{"url":"u"}', { url: "u" }],
  ])("may hold %s", (_what, input, read) => {
    expect(WEB_FETCH.parse(input)).toEqual(read);
  });

  it("may ask for more results than there are", () => {
    expect(WEB_SEARCH.parse({ query: "q", count: 50 })).toEqual({ query: "q", count: 10 });
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ["not json"],
    [{}],
    [{ url: 5 }],
    [{ url: "u", offset: -1 }],
    [{ url: "u", offset: "ten" }],
  ])("%j is refused in words", (input) => {
    expect(() => WEB_FETCH.parse(input)).toThrow(
      expect.objectContaining({ code: "invalid_argument", hint: expect.stringContaining("url, prompt, section") }),
    );
  });
});
