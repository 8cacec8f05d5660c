import { expect, it } from "vitest";
import { canonicalUrl } from "./canonical-url.js";
import { unwrapRedirect } from "./redirect-wrapper.js";

const base64Url = (text: string): string => Buffer.from(text).toString("base64url");

it.each([
  ["HTTPS://WWW.A.example:443/x/", "a.example/x"],
  ["http://a.example/", "a.example"],
  ["http://a.example:8080/", "a.example:8080"],
  ["https://a.example./x#part", "a.example/x"],
  ["https://a.example/#/route", "a.example#/route"],
  ["https://a.example/#!page", "a.example#!page"],
  ["https://a.example/?utm_source=x&b=2&UTM_x=1&a=1&gclid=3&rut=4", "a.example?b=2&a=1"],
  ["https://a.example/?utm_source", "a.example"],
  ["https://a.example/a%2Fb%23c?q=%20x+y", "a.example/a%2Fb%23c?q=%20x+y"],
  ["https://a.example//", "a.example/"],
  ["https://xn--mnchen-3ya.example/", "xn--mnchen-3ya.example"],
  ["https://münchen.example/", "xn--mnchen-3ya.example"],
  ["https://www./", "www"],
  ["docs:moss@1.0.0/README.md", "docs:moss@1.0.0/README.md"],
  ["not an address", "not an address"],
])("takes %s for %s", (address, key) => {
  expect(canonicalUrl(address)).toBe(key);
});

it.each([
  "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx%3Fa%3D1&rut=0",
  "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx%3Fa%3D1&sa=U",
  "https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fa.example%2Fx%3Fa%3D1",
  `https://www.bing.com/ck/a?!&&p=1&u=a1${base64Url("https://a.example/x?a=1")}&ntb=1`,
  "https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU=https%3a%2f%2fa.example%2fx%3fa%3d1/RK=2/RS=x-",
])("sees through %s", (address) => {
  expect(canonicalUrl(address)).toBe("a.example/x?a=1");
});

it.each([
  "https://duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
  "https://duckduckgo.com.evil.example/l/?uddg=https%3A%2F%2Fa.example",
  "https://notgoogle.com/url?q=https%3A%2F%2Fa.example",
  "https://www.bing.com/ck/a?u=a1!!!!",
  "https://r.search.yahoo.com/RU=%E0%A4%A/RK=2",
])("leaves %s alone", (address) => {
  expect(unwrapRedirect(new URL(address))).toBeUndefined();
});

it("stops at the third layer of a counter in a counter", () => {
  const wrap = (inner: string): string => `https://duckduckgo.com/l/?uddg=${encodeURIComponent(inner)}`;
  expect(canonicalUrl(wrap(wrap(wrap("https://a.example/"))))).toBe("a.example");
  expect(canonicalUrl(wrap(wrap(wrap(wrap("https://a.example/")))))).toMatch(/^duckduckgo\.com\/l/);
});
