import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";
import { assertRedirectAllowed, followRedirect, type HopIntent, isRedirect, redirectTarget } from "./redirects.js";
import type { Method } from "./request-headers.js";
import { createResponseHeaders } from "./response-headers.js";
import type { CheckedUrl } from "./url-check.js";

const jail = createJail({
  exemptions: [
    { origin: "http://127.0.0.1:3000", name: "dev server" },
    { origin: "https://wiki.lan", name: "wiki" },
  ],
});
const at = (url: string): CheckedUrl => jail.checkUrl(url);

describe("redirectTarget", () => {
  const targetOf = (...location: string[]): string =>
    redirectTarget(at("https://example.org/a/b?c#d"), createResponseHeaders({ location }));

  it.each([
    ["a path", "/x", "https://example.org/x"],
    ["a relative path", "x?y#z", "https://example.org/a/x?y#z"],
    ["another host", "//two.example.org", "https://two.example.org/"],
    ["another scheme, which is checked later", "ftp://example.org/", "ftp://example.org/"],
    ["nothing", "", "https://example.org/a/b?c"],
    ["octets of UTF-8", "/gr\u00c3\u00b6", "https://example.org/gr%C3%B6"],
    ["the last character before a control", "/ ~x", "https://example.org/%20~x"],
    ["the first character behind the controls", "/\u00a0", "https://example.org/%C2%A0"],
  ])("resolves %s against the URL that answered", (_what, location, target) => {
    expect(targetOf(location)).toBe(target);
  });

  it("takes the same place said twice, and no second place", () => {
    expect(targetOf("/x", "/x", "/x")).toBe("https://example.org/x");
    for (const places of [
      ["/x", "/y"],
      ["/x", "/x", "/y"],
      ["/x", "/y", "/x"],
      ["", "/x"],
    ]) {
      expect(() => targetOf(...places), places.join()).toThrow(
        expect.objectContaining({
          name: "FetchError",
          code: "protocol_error",
          message: "The server redirects to several places at once.",
        }),
      );
    }
  });

  it("is the URL that answered where no place is named", () => {
    expect(targetOf()).toBe("https://example.org/a/b?c");
  });

  it("takes 4096 characters and not one more", () => {
    const location = "/".padEnd(4096, "a");
    expect(targetOf(location)).toBe(`https://example.org${location}`);
    expect(() => targetOf(`${location}a`)).toThrow(expect.objectContaining({ rule: "url_length" }));
  });

  it.each([
    "http://",
    "http://[::1/",
    "http://exa mple.org/",
    "/\u0000",
    "/a\tb",
    "/a\nb",
    "/\u001f",
    "/\u007f",
    "/\u0080",
    "/\u009f",
  ])("refuses %j as no URL", (location) => {
    expect(() => targetOf(location)).toThrow(expect.objectContaining({ code: "jail_refused", rule: "url_syntax" }));
  });
});

describe("isRedirect", () => {
  const headers = (location?: string) => createResponseHeaders(location === undefined ? {} : { location });

  it.each([301, 302, 303, 307, 308])("is a %i that says where to", (status) => {
    expect(isRedirect(status, headers("/next"))).toBe(true);
    expect(isRedirect(status, headers(""))).toBe(false);
    expect(isRedirect(status, headers())).toBe(false);
  });

  it.each([200, 201, 300, 304, 305, 306, 309, 404])("is no %i", (status) => {
    expect(isRedirect(status, headers("/next"))).toBe(false);
  });
});

describe("assertRedirectAllowed", () => {
  it.each([
    ["http://example.org/", "http://two.example.org/"],
    ["http://example.org/", "https://example.org/"],
    ["https://example.org/", "https://two.example.org/"],
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000/a"],
    ["http://127.0.0.1:3000/", "https://wiki.lan/"],
    ["http://127.0.0.1:3000/", "http://example.org/"],
    ["https://wiki.lan/", "https://example.org/"],
  ])("lets %s lead to %s", (from, to) => {
    expect(() => assertRedirectAllowed(at(from), at(to), at(from).isPrivate)).not.toThrow();
  });

  it.each([
    ["https://example.org/", "http://example.org/", "redirect_downgrade"],
    ["https://wiki.lan/", "http://127.0.0.1:3000/", "redirect_downgrade"],
    ["http://example.org/", "http://127.0.0.1:3000/", "redirect_exemption"],
    ["https://example.org/", "https://wiki.lan/", "redirect_exemption"],
    ["http://example.org/", "https://wiki.lan/", "redirect_exemption"],
  ])("does not let %s lead to %s: %s", (from, to, rule) => {
    expect(() => assertRedirectAllowed(at(from), at(to), at(from).isPrivate)).toThrow(
      expect.objectContaining({ code: "jail_refused", rule }),
    );
  });
});

describe("an exempted origin's redirect into another one", () => {
  const jail = createJail({
    exemptions: ["http://127.0.0.1:3000", "http://public.example.org:9000", "http://public.example.org:9001"].map(
      (origin) => ({ origin, name: "own" }),
    ),
  });
  const [inside, outside, sibling] = [
    "http://127.0.0.1:3000/",
    "http://public.example.org:9000/",
    "http://public.example.org:9001/",
  ].map((url) => jail.checkUrl(url)) as [CheckedUrl, CheckedUrl, CheckedUrl];

  it("is refused to a public host that was exempted for its port alone", () => {
    expect(() => assertRedirectAllowed(outside, inside, false)).toThrow(
      expect.objectContaining({ rule: "redirect_exemption" }),
    );
    expect(() => assertRedirectAllowed(outside, inside, true)).not.toThrow();
  });

  it("is refused to whoever is not exempted, wherever it stands", () => {
    const stranger = jail.checkUrl("http://public.example.org/");
    for (const isPrivate of [true, false]) {
      expect(() => assertRedirectAllowed(stranger, outside, isPrivate)).toThrow(
        expect.objectContaining({ rule: "redirect_exemption" }),
      );
    }
  });

  it("is followed on the same host", () => {
    expect(() => assertRedirectAllowed(outside, sibling, false)).not.toThrow();
  });
});

describe("followRedirect", () => {
  const here = at("https://example.org/");
  const elsewhere = {
    "another host": at("https://two.example.org/"),
    "another port": at("https://example.org:8443/"),
    "another scheme": at("http://example.org/"),
  };
  const about = { accept: "text/html", "accept-language": "de", "user-agent": "test/1" };
  const own = { ...about, authorization: "Bearer 1", cookie: "a=1", "x-api-key": "1" };
  const framing = { "content-type": "text/plain", "content-encoding": "gzip", "content-language": "de" };
  const intentOf = (method: Method): HopIntent => ({ method, headers: { ...own, ...framing }, body: "text" });

  const STATUSES = [301, 302, 303, 307, 308] as const;
  const HERE: readonly (readonly [Method, string])[] = [
    ["GET", "again again GET again again"],
    ["HEAD", "again again again again again"],
    ["OPTIONS", "again again GET again again"],
    ["POST", "GET GET GET again again"],
    ["PUT", "refused refused GET again again"],
    ["PATCH", "refused refused GET again again"],
    ["DELETE", "refused refused GET again again"],
  ];
  const ELSEWHERE: readonly (readonly [Method, string])[] = [
    ["GET", "again again GET again again"],
    ["HEAD", "again again again again again"],
    ["OPTIONS", "again again GET again again"],
    ["POST", "GET GET GET refused refused"],
    ["PUT", "refused refused GET refused refused"],
    ["PATCH", "refused refused GET refused refused"],
    ["DELETE", "refused refused GET refused refused"],
  ];
  const rowsOf = (table: typeof HERE) =>
    table.flatMap(([method, outcomes]) =>
      outcomes.split(" ").map((outcome, index) => [STATUSES[index] ?? 0, method, outcome] as const),
    );

  it.each(rowsOf(HERE))("on one origin, %i makes of %s: %s", (status, method, outcome) => {
    const follow = () => followRedirect(intentOf(method), status, here, at("https://example.org/next"));
    if (outcome === "refused") expect(follow).toThrow(expect.objectContaining({ rule: "redirect_method" }));
    else if (outcome === "GET") expect(follow()).toEqual({ method: "GET", headers: own, body: undefined });
    else expect(follow()).toEqual(intentOf(method));
  });

  describe.each(Object.entries(elsewhere))("to %s", (_what, to) => {
    it.each(rowsOf(ELSEWHERE))(
      "%i makes of %s: %s, without what was meant for the first",
      (status, method, outcome) => {
        const follow = () => followRedirect(intentOf(method), status, here, to);
        if (outcome === "refused") expect(follow).toThrow(expect.objectContaining({ rule: "redirect_method" }));
        else expect(follow()).toEqual({ method: outcome === "GET" ? "GET" : method, headers: about, body: undefined });
      },
    );
  });
});
