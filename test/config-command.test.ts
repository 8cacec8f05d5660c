import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome, type Home, runCommand } from "./helpers/command.js";

let home: Home;
beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.remove());

const show = async (url: string, ...flags: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runCommand(["config", ...flags], home, { env: { POSTERN_PROXY: url } });
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("sesame")]);
  return stdout;
};

describe("postern config shows a proxy without its password", () => {
  it.each([
    ["http://alice:sesame@proxy.example:3128", "http://…@proxy.example:3128"],
    ["HTTPS://alice:sesame@proxy.example", "HTTPS://…@proxy.example"],
    ["socks5://alice:sesame@[2001:db8::1]:1080", "socks5://…@[2001:db8::1]:1080"],
    ["socks5h://alice:sesame@proxy.example", "socks5h://…@proxy.example"],
    ["http:///alice:sesame@proxy.example", "http://…@proxy.example"],
    ["http://:sesame@proxy.example", "http://…@proxy.example"],
    ["http://sesame@proxy.example", "http://…@proxy.example"],
    ["http://alice:ses@sesame@proxy.example", "http://…@proxy.example"],
    ["http://alice:%73esame://sesame@proxy.example", "http://…@proxy.example"],
    ["alice:sesame@proxy.example:3128", "…@proxy.example:3128"],
    ["alice:pw://sesame@proxy.example", "…@proxy.example"],
    ["//alice:sesame@proxy.example", "…@proxy.example"],
    ["http:alice:sesame@proxy.example", "…@proxy.example"],
    ["http:\\\\alice:sesame@proxy.example", "…@proxy.example"],
    ["proxy.example:3128", "proxy.example:3128"],
    ["http://proxy.example:3128", "http://proxy.example:3128"],
    ["http://proxy.example:1?p=sesame", "http://proxy.example:1"],
    ["proxy.example:1/sesame", "proxy.example:1"],
    ["env", "env"],
  ])("%s", async (url, shown) => {
    const [text, json] = await Promise.all([show(url, "proxy.url"), show(url, "--json")]);
    expect(text.split("\n")[0]).toContain(` = ${JSON.stringify(shown)}  `);
    expect(JSON.parse(json).settings["proxy.url"].value).toBe(shown);
    expect(text + json).not.toContain("sesame");
  });
});
