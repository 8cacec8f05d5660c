import { describe, expect, it } from "vitest";
import { childProxyEnvironment, proxiesFromEnvironment, variableNamingProxy } from "./environment.js";

describe("the standard variables", () => {
  it.each<[Record<string, string>, object | undefined]>([
    [{}, undefined],
    [{ NO_PROXY: "example.org" }, undefined],
    [{ HTTP_PROXY: " " }, undefined],
    [{ HTTP_PROXY: "http://a:1" }, { http: "http://a:1", https: undefined }],
    [{ https_proxy: "http://a:1" }, { http: undefined, https: "http://a:1" }],
    [{ ALL_PROXY: "socks5h://a:1" }, { http: "socks5h://a:1", https: "socks5h://a:1" }],
    [
      { ALL_PROXY: "http://a:1", HTTPS_PROXY: "http://b:2" },
      { http: "http://a:1", https: "http://b:2" },
    ],
    [{ http_proxy: "http://lower:1", HTTP_PROXY: "http://upper:1" }, { http: "http://lower:1" }],
    [{ http_proxy: "", HTTP_PROXY: "http://upper:1" }, { http: "http://upper:1" }],
    [
      { HTTP_PROXY: "http://a:1", NO_PROXY: "x.example, .y.example  z.example" },
      { bypass: ["x.example", ".y.example", "z.example"] },
    ],
  ])("%j", (env, options) => {
    if (options === undefined) expect(proxiesFromEnvironment(env)).toBeUndefined();
    else expect(proxiesFromEnvironment(env)).toMatchObject(options);
  });

  it("do not let a CGI request's Proxy header name one (CVE-2016-5385)", () => {
    expect(proxiesFromEnvironment({ HTTP_PROXY: "http://evil:1", REQUEST_METHOD: "GET" })).toBeUndefined();
    expect(proxiesFromEnvironment({ http_proxy: "http://own:1", REQUEST_METHOD: "GET" })).toMatchObject({
      http: "http://own:1",
    });
  });

  it("tell which of them names a proxy", () => {
    expect(variableNamingProxy({ NO_PROXY: "a.example", HTTPS_PROXY: "http://a:1" })).toBe("HTTPS_PROXY");
    expect(variableNamingProxy({ no_proxy: "a.example", http_proxy: " " })).toBeUndefined();
  });

  it("hand the proxies to a command in its own variables, and none of ours shines through", () => {
    expect(childProxyEnvironment(undefined)).toMatchObject({
      HTTPS_PROXY: "",
      https_proxy: "",
      ALL_PROXY: "",
      NO_PROXY: "",
    });
    const options = {
      http: "socks5://u:p@own:2",
      https: "socks5://u:p@own:2",
      bypass: ["a", "b"],
      dns: "proxy" as const,
    };
    expect(childProxyEnvironment(options)).toMatchObject({
      HTTP_PROXY: "socks5h://u:p@own:2",
      all_proxy: "socks5h://u:p@own:2",
      NO_PROXY: "a,b",
    });
  });
});
