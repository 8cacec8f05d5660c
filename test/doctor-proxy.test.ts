import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home, runCommand } from "./helpers/command.js";

let home: Home;
beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.remove());

const HERE = "names resolved here: every address is checked";
const THERE = "names resolved by the proxy: addresses cannot be checked (delegated)";

it.each<[Record<string, string>, readonly string[]]>([
  [{}, ["off none"]],
  [{ POSTERN_PROXY: "env" }, ["off no variable names one"]],
  [{ HTTPS_PROXY: "http://u:sesame@a.example:3128" }, ["off none; HTTPS_PROXY is set and not used"]],
  [
    { POSTERN_PROXY: "u:sesame@a.example" },
    [`ok http: and https: URLs through http://a.example:80 with a password (not tried), ${HERE}`],
  ],
  [
    {
      POSTERN_PROXY: "env",
      HTTP_PROXY: "http://u:sesame@a.example:3128",
      HTTPS_PROXY: "http://u:sesame@a.example:3128/",
    },
    [`ok http: and https: URLs through http://a.example:3128 with a password (not tried), ${HERE}`],
  ],
  [
    { POSTERN_PROXY: "env", HTTP_PROXY: "http://a.example:3128", HTTPS_PROXY: "socks5h://u:sesame@b.example:1080" },
    [
      `ok http: URLs through http://a.example:3128 (not tried), ${HERE}`,
      `ok https: URLs through socks5h://b.example:1080 with a password (not tried), ${THERE}`,
    ],
  ],
  [
    { POSTERN_PROXY: "env", POSTERN_PROXY_DNS: "proxy", HTTPS_PROXY: "http://a.example:3128" },
    ["off none for http: URLs", `ok https: URLs through http://a.example:3128 (not tried), ${THERE}`],
  ],
  [
    { POSTERN_PROXY: "ftp://u:sesame@a.example" },
    [expect.stringContaining("wrong A proxy's URL has none of the schemes")],
  ],
  [{ POSTERN_PROXY: "http://169.254.169.254:80" }, ["wrong The proxy's address or port is one that is never opened."]],
  [
    { POSTERN_PROXY: "http://a.example:3128", POSTERN_PROXY_BYPASS: "10.0.0.0/99" },
    [expect.stringContaining("wrong The list of hosts without a proxy has a block that")],
  ],
])("postern doctor says which proxy is used: %j", async (env, expected) => {
  const { stdout } = await runCommand(["doctor", "--json"], home, { env });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
  const said = checks.filter(({ name }) => name === "proxy").map(({ status, detail }) => `${status} ${detail}`);
  expect(said).toEqual(expected);
  expect(stdout).not.toContain("sesame");
});

it("postern doctor says which hosts go without it", async () => {
  const env = { POSTERN_PROXY: "env", HTTPS_PROXY: "http://a.example:3128", NO_PROXY: "corp.example,10.0.0.0/8" };
  const { stdout } = await runCommand(["doctor"], home, { env });
  expect(stdout).toContain("without it: corp.example, 10.0.0.0/8");
});
