import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeOutgoing, type Outgoing } from "./outgoing.js";

const lines = <T>(file: string): T[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

const CASES = lines<Outgoing & { verdict: string }>("corpus/guard/outgoing.jsonl");
const fetchOf = (arg: string, rest: Partial<Outgoing> = {}) => judgeOutgoing({ tool: "web_fetch", arg, ...rest });
const letters = (length: number) => "aB3dE6gH9j".repeat(20).slice(0, length);

describe("judgeOutgoing", () => {
  test.each(CASES)("$verdict: $tool $arg", ({ verdict, ...outgoing }) => {
    const judged = judgeOutgoing(outgoing);
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons.length > 0).toBe(verdict === "ask");
  });

  test.each([
    ["GitHub", `ghp_${letters(36)}`],
    ["GitHub, fine-grained", `github_pat_${letters(40)}`],
    ["GitLab", `glpat-${letters(20)}`],
    ["Slack", `xoxb-${letters(24)}`],
    ["Anthropic", `sk-ant-api03-${letters(40)}`],
    ["OpenAI", `sk-proj-${letters(40)}`],
    ["OpenAI, old", `sk-${letters(48)}`],
    ["Google", `AIza${letters(35)}`],
    ["Stripe", `sk_live_${letters(24)}`],
    ["npm", `npm_${letters(36)}`],
    ["Hugging Face", `hf_${letters(34)}`],
    ["JSON Web Token", `eyJ${letters(20)}.eyJ${letters(30)}.${letters(20)}`],
    ["Vault", `hvs.${letters(24)}`],
    ["Brave", `BSA${letters(28)}`],
    ["Twilio", `SK${"0a1b2c3d".repeat(4)}`],
    ["Mailgun", `key-${"0a1b2c3d".repeat(4)}`],
    ["Mailchimp", `${"0a1b2c3d".repeat(4)}-us12`],
    ["Square", `sq0atp-${letters(22)}`],
    ["New Relic", `NRAK-${"ABC1DEF2G".repeat(3)}`],
    ["Discord", `M${letters(23)}.G${letters(5)}.${letters(27)}`],
    ["AWS", `AWS_SECRET_ACCESS_KEY=${letters(9)}/${letters(30)}`],
    ["AWS, in lower case", `aws_secret_access_key=${letters(9)}/${letters(30)}`],
    ["a variable without a digit", "MAIL_PASSWORD=correcthorsebattery"],
    ["Telegram", `123456789:AA${letters(33)}`],
  ])("asks about a key of %s, in a URL and in a query", (_vendor, key) => {
    const url = fetchOf(`https://example.com/?q=${key}`);
    const query = judgeOutgoing({ tool: "web_search", arg: `why does ${key} fail` });
    for (const { verdict, reasons } of [url, query]) {
      expect(verdict).toBe("ask");
      expect(reasons.join()).toMatch(/looks like an? /);
      expect(reasons.join()).not.toContain(key);
    }
  });

  const tags = (text: string) => Array.from(text, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
  const selectors = (text: string) =>
    Array.from(text, (c) => String.fromCodePoint(0xe0100 + c.charCodeAt(0) - 16)).join("");
  const disguises: [string, (text: string) => string][] = [
    ["tags", tags],
    ["variation selectors", (text) => `x${selectors(text)}`],
    ["variation selectors behind ideographs", (text) => Array.from(selectors(text), (s) => `葛${s}`).join("")],
    ["full-width letters", (text) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
    ["Braille", (text) => Array.from(text, (c) => String.fromCharCode(0x2800 + c.charCodeAt(0))).join("")],
    ["zero-width spaces", (text) => Array.from(text).join("\u200B")],
  ];
  test.each(disguises)(
    "finds secrets in %s, in a query, a URL and one percent-encoded eight times",
    (_name, disguise) => {
      const key = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
      let deep = disguise(key);
      for (let round = 0; round < 8; round += 1) deep = encodeURIComponent(deep);
      for (const judged of [
        judgeOutgoing({ tool: "web_search", arg: `why ${disguise(key)}` }),
        fetchOf(`https://example.com/?q=${disguise(key)}`),
        fetchOf(new URL(`https://example.com/a/${disguise(key)}`).href),
        judgeOutgoing({ tool: "web_search", arg: deep.slice(0, 60_000) }),
      ]) {
        expect(judged.reasons).toContain("It holds what looks like a GitHub token.");
      }
      const sensitive = judgeOutgoing({
        tool: "web_search",
        arg: disguise("swordfish-7731"),
        sensitive: ["swordfish-7731"],
      });
      expect(sensitive.reasons).toContain("It holds a string that is marked as sensitive.");
    },
  );

  test.each(["\u200B", "\u{E0041}", "\uFE0F", "\u2800", "\u2063", "\uFEFF", "\u{1D159}"])(
    "asks about an invisible character, raw or percent-encoded: %j",
    (character) => {
      for (const judged of [
        judgeOutgoing({ tool: "web_search", arg: `weather${character} today` }),
        fetchOf(`https://example.com/?q=a${character}b`),
        fetchOf(`https://example.com/a${encodeURIComponent(character)}b`),
      ]) {
        expect(judged.reasons).toEqual(["It holds invisible characters."]);
      }
    },
  );

  test("joiners and selectors that writing needs may leave", () => {
    for (const arg of ["می‌خواهم", "❤️ meaning", "👩‍🚀 emoji", "⠓⠑⠇⠇⠕ in braille"]) {
      expect(judgeOutgoing({ tool: "web_search", arg }).reasons).toEqual([]);
      expect(fetchOf(`https://example.com/wiki/${encodeURIComponent(arg)}`).reasons).toEqual([]);
    }
  });

  const SECRET = "correct-horse/battery 9";
  const encodings: [string, string][] = [
    ["plain", SECRET],
    ["in capitals", SECRET.toUpperCase()],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(SECRET))],
    ["percent-encoded throughout", Buffer.from(SECRET).toString("hex").replace(/../g, "%$&")],
    ["base64", Buffer.from(SECRET).toString("base64")],
    ["base64 shifted by one", Buffer.from(`x${SECRET}y`).toString("base64")],
    ["base64url shifted by two", Buffer.from(`xy${SECRET}z`).toString("base64url")],
    ["hexadecimal", Buffer.from(SECRET).toString("hex")],
    ["hexadecimal in capitals", Buffer.from(`_${SECRET}`).toString("hex").toUpperCase()],
  ];
  test.each(encodings)("finds a sensitive string %s", (_name, encoded) => {
    for (const outgoing of [
      { tool: "web_fetch", arg: `https://example.com/?q=${encoded}` },
      { tool: "web_fetch", arg: `https://example.com/a/${encoded}/b` },
      { tool: "web_search", arg: `about ${encoded}` },
    ] as const) {
      expect(judgeOutgoing({ ...outgoing, sensitive: [SECRET] }).reasons).toContain(
        "It holds a string that is marked as sensitive.",
      );
    }
  });

  test("finds a sensitive string in the labels of a host, in base32 and joined over dots", () => {
    // base32 of "swordfish-7731"
    for (const host of ["on3w64temzuxg2bng43tgmi.x", "swordfi.sh-7731", "on3w64tem.zuxg2bng43tgmi"]) {
      const judged = fetchOf(`https://${host}.example.net/`, { sensitive: ["swordfish-7731"] });
      expect(judged.reasons, host).toContain("It holds a string that is marked as sensitive.");
    }
  });

  test("ignores sensitive strings that are too short to mean anything", () => {
    expect(fetchOf("https://example.com/true", { sensitive: ["true", "1", ""] }).verdict).toBe("allow");
  });

  const SIGNED =
    "https://cdn.example.com/f.zip?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20260101&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024";
  test("a signed link passes only when it was seen", () => {
    expect(fetchOf(SIGNED).verdict).toBe("ask");
    expect(fetchOf(SIGNED, { seen: ["https://other.example/", SIGNED] }).verdict).toBe("allow");
    expect(fetchOf(`${SIGNED}0`, { seen: [SIGNED] }).verdict).toBe("ask");
  });

  test("a seen link does not vouch for its fragment, for sensitive strings or for its host", () => {
    expect(fetchOf(`${SIGNED}#AKIAIOSFODNN7EXAMPLE`, { seen: [SIGNED] }).verdict).toBe("ask");
    const plain = "https://example.com/?q=swordfish-7731";
    expect(fetchOf(plain, { seen: [plain], sensitive: ["swordfish-7731"] }).verdict).toBe("ask");
    expect(fetchOf("https://xn--pypal-4ve.com/", { seen: ["https://xn--pypal-4ve.com/"] }).verdict).toBe("ask");
  });

  test("asks about length alone", () => {
    expect(fetchOf(`https://example.com/?x=${"word ".repeat(600)}`).verdict).toBe("ask");
    expect(fetchOf(`https://example.com/${"word-".repeat(60)}`).verdict).toBe("ask");
    expect(judgeOutgoing({ tool: "web_search", arg: "word ".repeat(600) }).verdict).toBe("ask");
  });

  test.each([
    "y",
    "%41",
    "eyJ",
    "a.",
    "A1b2",
    "sk-",
    "password=",
    "-----BEGIN ",
    "a_",
    "a://",
    "basic ",
    "eyJa.eyJa.",
    "A_",
    "A_KEY",
    "/",
    "/aB1",
    "%25",
    "葛\u{E0161}",
    "\u2801",
    "\uFDFA",
    "MM",
    "BSA-",
  ])("is linear on repeated %j", (unit) => {
    const arg = `https://example.com/?q=${unit.repeat(Math.ceil(1_000_000 / unit.length))}`;
    const started = performance.now();
    fetchOf(arg, { sensitive: ["swordfish-7731"] });
    judgeOutgoing({ tool: "web_search", arg });
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

const SHARED = process.env.POSTERN_SHARED ?? resolve(process.cwd(), "../shared");
const ROWS = join(SHARED, "data/jail/cases.jsonl");
describe.skipIf(!existsSync(ROWS))("the rows of jail/cases.jsonl (skipped when absent: set POSTERN_SHARED)", () => {
  interface Row {
    readonly id: string;
    readonly url: string;
    readonly kind: string;
  }
  const rows = existsSync(ROWS) ? lines<Row>(ROWS) : [];
  test("asks about every policy row", () => {
    const policy = rows.filter(({ kind }) => kind.startsWith("policy-"));
    expect(policy.length).toBeGreaterThanOrEqual(8);
    expect(policy.filter(({ url }) => fetchOf(url).verdict !== "ask").map(({ id }) => id)).toEqual([]);
  });
  test("lets every allowed row pass", () => {
    const allowed = rows.filter(({ kind }) => kind.startsWith("allow-"));
    expect(allowed.length).toBeGreaterThan(50);
    expect(allowed.filter(({ url }) => fetchOf(url).verdict !== "allow").map(({ url }) => url)).toEqual([]);
  });
});
