import fc from "fast-check";
import { dotted, often, PUBLIC_V4, pick, type Text, v4Text, v4Value, v6Text } from "./addresses.js";

/** A URL with what its host resolves to. */
export interface FuzzCase {
  readonly url: string;
  readonly answers: readonly string[];
}

// Names.

const label: Text = often(
  pick("example", "www", "localhost", "internal-tools", "metadata", "a", "10", "127.0.0.1", "0x7f", "intranet", "_dns"),
  8,
  pick(
    "xn--bcher-kva",
    "xn--",
    "xn--a",
    "bücher",
    "straße",
    "ｅｘａｍｐｌｅ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "ℓocalhost",
    "Kube",
    "а",
    "",
    "-",
  ),
  fc.integer({ min: 60, max: 66 }).map((length) => "a".repeat(length)),
  fc.integer({ min: 230, max: 260 }).map((length) => "abcdefg.".repeat(40).slice(0, length)),
);
const ending: Text = often(
  pick("com", "org", "io", "example", "dev", "xn--p1ai", "рф", "中国", "nip.io", "sslip.io"),
  8,
  pick(
    "localhost",
    "local",
    "internal",
    "lan",
    "home.arpa",
    "onion",
    "corp",
    "svc",
    "cluster.local",
    "private",
    "mail",
  ),
  pick("google.internal", "goog", "tencentyun.com", "azure.internal", "ec2.internal", "cloud.ibm.com"),
  pick("123", "0x7f", "0x", "08", "1e3", "c0m", "c", "１２７", "localhost。", "ｌｏｃａｌ", "ⓘnternal"),
);
const name: Text = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.array(label, { minLength: 0, maxLength: 3 }), ending)
      .map(([labels, tld]) => [...labels, tld].join(".")),
    weight: 8,
  },
  { arbitrary: label, weight: 1 },
  {
    arbitrary: pick("metadata.google.internal", "metadata.goog", "kubernetes.default.svc", "host.docker.internal"),
    weight: 1,
  },
  { arbitrary: v4Value.map((value) => `${dotted(value)}.nip.io`), weight: 1 },
);

/** What a URL parser undoes before it looks (UTS 46, percent-decoding), and what it must not. */
const DISGUISES: readonly ((host: string) => string)[] = [
  (host) => host.toUpperCase(),
  (host) => `${host}.`,
  (host) => `${host}..`,
  (host) => `.${host}`,
  (host) => host.replace(/\./, "\u3002"),
  (host) => host.replace(/\./, "\uff0e"),
  (host) => host.replace(/\./g, "\uff61"),
  (host) => host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (host) => host.replace(/[1-9]/, (digit) => String.fromCodePoint(0x245f + Number(digit))),
  (host) => host.replace(/[a-z]/, (letter) => String.fromCodePoint(0xff21 + letter.charCodeAt(0) - 97)),
  (host) => `${host.slice(0, 1)}\u00ad${host.slice(1)}`,
  (host) => `${host.slice(0, 1)}\u200b${host.slice(1)}`,
  (host) => `${host.slice(0, 1)}\u200d${host.slice(1)}`,
  (host) => host.replace(/./, (char) => encodeURIComponent(char).replace(/^.$/, `%${char.charCodeAt(0).toString(16)}`)),
  (host) => host.replace(/\./, "%2e"),
  (host) => `${host}%00`,
  (host) => `${host}%2f`,
  (host) => `${host}%09`,
  (host) => `${host}%E3%80%82`,
  (host) => `[${host}]`,
];
const plain = (host: string): string => host;
const disguise = often(fc.constant(plain), 12, fc.constantFrom(...DISGUISES));

const host: Text = fc.oneof(
  { arbitrary: fc.tuple(name, disguise).map(([text, hide]) => hide(text)), weight: 6 },
  { arbitrary: fc.tuple(v4Text, disguise).map(([text, hide]) => hide(text)), weight: 4 },
  { arbitrary: fc.tuple(v6Text, disguise).map(([text, hide]) => `[${hide(text)}]`), weight: 4 },
  { arbitrary: v6Text, weight: 1 },
  { arbitrary: fc.string({ maxLength: 12 }), weight: 1 },
);

// The rest of a URL.

const scheme: Text = often(
  pick("http", "https"),
  14,
  pick(
    "HTTP",
    "hTTps",
    "ftp",
    "file",
    "gopher",
    "ws",
    "data",
    "javascript",
    "http+unix",
    "blob:http",
    "view-source:http",
    "",
    "ｈｔｔｐ",
  ),
);
const slashes: Text = often(
  fc.constant("://"),
  14,
  pick(":", ":/", ":///", ":////", ":\\\\", ":/\\", "//", ":\t//", ":// "),
);
const userinfo: Text = often(
  fc.constant(""),
  14,
  pick(
    "@",
    ":@",
    "user@",
    "user:pass@",
    "example.org@",
    "example.org:80@",
    "127.0.0.1\\@",
    "a%40b@",
    "example.org%00@",
    "example.org#@",
    "example.org?@",
    "example.org/@",
    "@@",
  ),
);
const port: Text = often(
  pick("", "", ":80", ":443", ":8080", ":8443"),
  10,
  pick(
    ":",
    ":0",
    ":00080",
    ":0443",
    ":65536",
    ":65616",
    ":80a",
    ":-80",
    ":８０",
    ":22",
    ":25",
    ":3000",
    ":6667",
    ":10080",
    ":80:80",
    ":%38%30",
  ),
);
const tail: Text = often(
  pick("", "/", "/a/b?c=d#e"),
  6,
  pick(
    "?q",
    "#f",
    "/@127.0.0.1",
    "?@127.0.0.1/",
    "#@127.0.0.1/",
    "\\@127.0.0.1",
    "\\.169.254.169.254/",
    "//127.0.0.1/",
    "/%2e%2e/",
    "/..//x",
    ";x",
    "/\u00e9",
    "/%zz",
  ),
  fc.integer({ min: 4050, max: 4100 }).map((length) => `/${"a".repeat(length)}`),
);
const STRAY = ["\t", "\n", "\r", "\u0000", " ", "\u00a0", "\u0085", "\u2028", "\u3000", "\ufeff", "\u007f"];
const stray: fc.Arbitrary<(url: string) => string> = often<(url: string) => string>(
  fc.constant(plain),
  20,
  fc.tuple(fc.constantFrom(...STRAY), fc.nat({ max: 40 })).map(
    ([char, at]) =>
      (url: string) =>
        url.slice(0, at) + char + url.slice(at),
  ),
);

export const fuzzUrl: Text = fc
  .tuple(scheme, slashes, userinfo, host, port, tail, stray)
  .map(([first, second, third, fourth, fifth, sixth, insert]) =>
    insert(first + second + third + fourth + fifth + sixth),
  );

const publicAnswer: Text = fc.oneof(
  fc.constantFrom(...PUBLIC_V4),
  pick("2a01:4f8::1", "2606:4700::1111", "64:ff9b::198.41.0.4", "::ffff:198.41.0.4"),
);
const answer: Text = fc.oneof(
  v4Value.map(dotted),
  v6Text,
  often(v4Text, 1, pick("", "localhost", "example.org", "127.1", "[::1]", "1.2.3.4 ", "fe80::1%lo", "198.41.0.4/32")),
);

/** Mostly one public address, so that what the URL says decides; often one bad address among good ones. */
export const fuzzAnswers: fc.Arbitrary<readonly string[]> = fc.oneof(
  { arbitrary: fc.array(publicAnswer, { minLength: 1, maxLength: 3 }), weight: 5 },
  { arbitrary: fc.tuple(publicAnswer, answer).map((pair) => pair), weight: 2 },
  { arbitrary: fc.tuple(answer, publicAnswer).map((pair) => pair), weight: 1 },
  { arbitrary: fc.array(answer, { minLength: 0, maxLength: 4 }), weight: 2 },
);

export const fuzzCase: fc.Arbitrary<FuzzCase> = fc.record({ url: fuzzUrl, answers: fuzzAnswers });

/** What a server may write into `Location`: whole URLs, and everything that is resolved against the one asked. */
export const fuzzLocation: Text = fc.oneof(
  { arbitrary: fuzzUrl, weight: 4 },
  {
    arbitrary: fc
      .tuple(pick("//", "\\\\", "/\\", "///", "\\/"), userinfo, host, port, tail)
      .map((parts) => parts.join("")),
    weight: 3,
  },
  {
    arbitrary: fc
      .tuple(pick("", "/", "./", "../../", "?", "#", "/%0d%0a", ";", ":"), host, tail)
      .map((parts) => parts.join("")),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(pick("http:", "https:", "HTTP:", "https:/"), host, tail).map((parts) => parts.join("")),
    weight: 1,
  },
);
