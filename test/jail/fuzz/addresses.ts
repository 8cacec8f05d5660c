import fc from "fast-check";
import { BLOCKS } from "./opinions.js";

export type Text = fc.Arbitrary<string>;

export const pick = (...texts: readonly string[]): Text => fc.constantFrom(...texts);
export const often = <T>(
  usual: fc.Arbitrary<T>,
  weight: number,
  ...rare: readonly fc.Arbitrary<T>[]
): fc.Arbitrary<T> => fc.oneof({ arbitrary: usual, weight }, ...rare.map((arbitrary) => ({ arbitrary, weight: 1 })));

// Addresses: any, and those at the edges of every block of the registries.

export const PUBLIC_V4 = [
  "198.41.0.4",
  "8.8.8.8",
  "1.1.1.1",
  "93.184.215.14",
  "168.63.129.15",
  "172.32.0.1",
  "11.0.0.0",
];
const NOTABLE_V4 = ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "127.0.0.1", "0.0.0.0"];

function numberOf(dotted: string): number {
  return dotted.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function edges(family: 4 | 6): bigint[] {
  const end = 1n << (family === 4 ? 32n : 128n);
  return BLOCKS.filter((block) => block.family === family)
    .flatMap(({ first, last }) => [first - 1n, first, first + 1n, last - 1n, last, last + 1n])
    .filter((value) => value >= 0n && value < end);
}

export const v4Value: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...PUBLIC_V4.map(numberOf)),
  fc.constantFrom(...NOTABLE_V4.map(numberOf)),
  fc.constantFrom(...edges(4).map(Number)),
  fc.integer({ min: 0, max: 0xffffffff }),
);

const octetsOf = (value: number): number[] => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
export const dotted = (value: number): string => octetsOf(value).join(".");
const hextets = (value: bigint): string[] =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt((7 - index) * 16)) & 0xffffn).toString(16));

/** All the ways to write one number in a URL's host (WHATWG URL, "IPv4 number parser"), and some that only look so. */
const NUMBER_FORMS: readonly ((value: number) => string)[] = [
  String,
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0${value.toString(8)}`,
  (value) => `0000${value.toString(8)}`,
  (value) => `0x0000${value.toString(16)}`,
  (value) => `0o${value.toString(8)}`,
  (value) => `0b${value.toString(2)}`,
  (value) => String(value + 256),
  (value) => String(value + 2 ** 32),
  (value) => `${value}e0`,
  (value) => `+${value}`,
];

const numberForm = often(fc.constant(String), 3, fc.constantFrom(...NUMBER_FORMS));
export const v4Text: Text = fc
  .record({
    value: v4Value,
    parts: fc.integer({ min: 1, max: 5 }),
    forms: fc.array(numberForm, { minLength: 5, maxLength: 5 }),
  })
  .map(({ value, parts, forms }) => {
    const octets = octetsOf(value);
    const numbers =
      parts === 5
        ? [...octets, 0]
        : [...octets.slice(0, parts - 1), octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0)];
    return numbers.map((number, index) => (forms[index] ?? String)(number)).join(".");
  });

/** Every way that IPv4 travels inside IPv6. */
const EMBEDDINGS: readonly ((v4: bigint, rest: bigint) => bigint)[] = [
  (v4) => (0xffffn << 32n) | v4, // mapped, RFC 4291 2.5.5.2
  (v4) => v4, // compatible, RFC 4291 2.5.5.1
  (v4) => (0xffffn << 48n) | v4, // IPv4-translated (SIIT), RFC 2765
  (v4) => (0x64ff9bn << 96n) | v4, // NAT64, RFC 6052
  (v4) => (0x64ff9b0001n << 80n) | v4, // local NAT64, RFC 8215
  (v4, rest) => (0x2002n << 112n) | (v4 << 80n) | (rest & ((1n << 80n) - 1n)), // 6to4, RFC 3056
  (v4, rest) => (0x20010000n << 96n) | ((rest & 0xffffffffn) << 64n) | (v4 ^ 0xffffffffn), // Teredo client, RFC 4380
  (v4, rest) => (0x20010000n << 96n) | (v4 << 64n) | (rest & 0xffffffffn), // Teredo server
  (v4, rest) => (0x2a0104f8n << 96n) | ((rest & 0xffffffffn) << 64n) | (0x5efen << 32n) | v4, // ISATAP, RFC 5214
  (v4, rest) => (0x2a0104f8n << 96n) | ((rest & 0xffffffffn) << 64n) | (0x02005efen << 32n) | v4, // ISATAP, universal
  (v4) => (0xfe80n << 112n) | (0x5efen << 32n) | v4, // ISATAP, link-local
  (v4) => (0x20010db80064n << 80n) | v4, // a network's own NAT64 prefix
];

const v6Value: fc.Arbitrary<bigint> = fc.oneof(
  fc
    .tuple(v4Value, fc.bigInt({ min: 0n, max: (1n << 80n) - 1n }), fc.constantFrom(...EMBEDDINGS))
    .map(([v4, rest, embed]) => embed(BigInt(v4), rest)),
  fc.constantFrom(...edges(6)),
  fc.bigInt({ min: 0n, max: (1n << 125n) - 1n }).map((value) => (1n << 125n) | value),
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  pick(
    "fd000ec2000000000000000000000254",
    "fd2000ce000000000000000000000254",
    "fe80000000000000000000000000a9fe",
    "fc000000000000000000000000000001",
  ).map((hex) => BigInt(`0x${hex}`)),
);

const compress = (text: string): string => text.replace(/(^|:)0(:0)+(:|$)/, "::");
const withDottedTail = (words: readonly string[]): string =>
  `${words.slice(0, 6).join(":")}:${dotted(Number.parseInt(words[6] ?? "0", 16) * 65_536 + Number.parseInt(words[7] ?? "0", 16))}`;

const V6_FORMS: readonly ((words: readonly string[]) => string)[] = [
  (words) => compress(words.join(":")),
  (words) => words.join(":"),
  (words) => words.map((word) => word.padStart(4, "0").toUpperCase()).join(":"),
  (words) => compress(withDottedTail(words)),
  withDottedTail,
  (words) => `${compress(words.join(":"))}%eth0`,
  (words) => `${compress(words.join(":"))}%25eth0`,
  (words) => words.map((word) => word.padStart(5, "0")).join(":"),
];

export const v6Text: Text = fc
  .tuple(v6Value, often(fc.constantFrom(...V6_FORMS.slice(0, 5)), 6, fc.constantFrom(...V6_FORMS)))
  .map(([value, form]) => form(hextets(value)));
