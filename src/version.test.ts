import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./version.js";

it("the version is the package's", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(version);
});
