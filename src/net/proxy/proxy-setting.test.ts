import { describe, expect, it } from "vitest";
import { proxiesFor, proxyPasswords } from "./proxy-setting.js";

describe("the setting", () => {
  const env = { HTTPS_PROXY: "http://env:1", NO_PROXY: "a.example" };
  const rest = { bypass: ["b.example"], dns: "local" as const };

  it("says whether the variables count, and adds its own list to theirs", () => {
    expect(proxiesFor({ url: "none", ...rest }, env)).toBeUndefined();
    expect(proxiesFor({ url: "env", ...rest }, {})).toBeUndefined();
    expect(proxiesFor({ url: "env", ...rest }, env)).toMatchObject({
      https: "http://env:1",
      bypass: ["a.example", "b.example"],
    });
    expect(proxiesFor({ url: "http://own:2", ...rest }, env)).toEqual({
      http: "http://own:2",
      https: "http://own:2",
      ...rest,
    });
  });

  it("tells its passwords, so that no model carries them out", () => {
    expect(proxyPasswords({ http: "http://u:p%40ss@a:1", https: "http://b:1" })).toEqual(["p@ss"]);
  });
});
