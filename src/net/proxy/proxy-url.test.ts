import { describe, expect, it } from "vitest";
import { ConfigError } from "../../errors.js";
import { parseProxyUrl } from "./proxy-url.js";

describe("a proxy's URL", () => {
  it.each([
    ["http://proxy.example:3128", { protocol: "http", host: "proxy.example", port: 3128, resolvesNames: false }],
    ["proxy.example:3128", { protocol: "http", host: "proxy.example", port: 3128 }],
    ["localhost:3128", { protocol: "http", host: "localhost", port: 3128 }],
    ["proxy.example", { protocol: "http", host: "proxy.example", port: 80 }],
    ["http://proxy.example", { protocol: "http", port: 80 }],
    ["https://proxy.example", { protocol: "https", port: 443 }],
    ["https://proxy.example:80/", { protocol: "https", port: 80 }],
    ["SOCKS5://proxy.example", { protocol: "socks5", port: 1080, resolvesNames: false }],
    ["socks5://proxy.example:80", { protocol: "socks5", port: 80 }],
    ["socks5h://proxy.example", { protocol: "socks5", port: 1080, resolvesNames: true }],
    ["socks://127.0.0.1:9050/", { protocol: "socks5", host: "127.0.0.1", port: 9050 }],
    ["http://[fd00::1]:3128", { host: "fd00::1", port: 3128, label: "http://[fd00::1]:3128" }],
    ["http://0x7f.1:3128", { host: "127.0.0.1", port: 3128 }],
    ["http://Proxy.Example.:3128", { host: "proxy.example", label: "http://proxy.example:3128" }],
  ])("%s", (url, address) => {
    expect(parseProxyUrl(url)).toMatchObject({ credentials: undefined, ...address });
  });

  it("holds a user name and password, %-decoded, which its label leaves out", () => {
    const { credentials, label } = parseProxyUrl("http://k%C3%A4the:p%40ss%2Fw%3Ard@proxy.example:3128");
    expect(credentials).toEqual({ username: "käthe", password: "p@ss/w:rd" });
    expect(label).toBe("http://proxy.example:3128");
    expect(parseProxyUrl("http://token@proxy.example").credentials).toEqual({ username: "token", password: "" });
  });

  it.each([
    ["ftp://u:secret@proxy.example", /none of the schemes/],
    ["socks4://u:secret@proxy.example", /none of the schemes/],
    ["constructor://u:secret@proxy.example", /none of the schemes/],
    ["http://u:secret@", /not of the form/],
    ["", /single word/],
    ["off", /single word/],
    ["true", /single word/],
    ["http://u:secret@proxy.example:99999", /not of the form/],
    ["http://u:secret@proxy.example/path", /not of the form/],
    ["http://u:secret@proxy.example?x", /not of the form/],
    ["http://u:secret@proxy.example#x", /not of the form/],
    ["http://u:secret@proxy.example:0", /port 0/],
    ["http://u:secret%0d%0a@proxy.example", /cannot be sent/],
    ["http://u%3av:secret@proxy.example", /cannot be sent/],
    ["http://u:secret%zz@proxy.example", /wrong % sequence/],
    [`http://u:secret${"x".repeat(250)}@proxy.example`, /more than 255 bytes/],
    [`http://u:secret@proxy.example/${"x".repeat(2_000)}`, /too long/],
  ])("%s is refused, and not quoted", (url, words) => {
    expect(() => parseProxyUrl(url)).toThrow(words);
    expect(() => parseProxyUrl(url)).toThrow(ConfigError);
    expect(() => parseProxyUrl(url)).not.toThrow(/secret/);
  });
});
