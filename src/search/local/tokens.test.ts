import { describe, expect, it } from "vitest";
import { createTermReader, stem } from "./tokens.js";

function terms(text: string): string[] {
  const found: string[] = [];
  createTermReader((term) => term)(text, (term) => found.push(term));
  return found;
}

describe("terms", () => {
  it.each([
    ["maxSockets", ["maxsocket", "max", "socket"]],
    ["max-sockets", ["maxsocket", "max", "socket"]],
    ["MAX_SOCKETS", ["maxsocket", "max", "socket"]],
    ["HTTPServer", ["httpserv", "http", "serv"]],
    ["ERR_BAD_PORT", ["errbadport", "err", "bad", "port"]],
    ["z.object", ["z.object", "object"]],
    ["std::fs", ["std.fs", "std", "fs"]],
    ["v7.30.2", ["7.30.2"]],
    ["--dry-run", ["dryrun", "dry", "run"]],
    ["http2", ["http2"]],
  ])("finds %s however it is written", (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it("leaves out words that carry no subject", () => {
    expect(terms("how do I use the cache of this")).toEqual(["cach"]);
  });

  it("counts the words inside a name once, the name each time", () => {
    expect(terms("openGate openGate")).toEqual(["opengat", "open", "gat", "opengat"]);
  });

  it("cuts scripts without spaces into pairs", () => {
    expect(terms("缓存时间")).toEqual(["缓存", "存时", "时间"]);
  });

  it("drops what is too long to be a word", () => {
    expect(terms("x".repeat(65))).toEqual([]);
    expect(terms("x".repeat(64))).toHaveLength(1);
  });

  it.each(["a.", "aA", "a-", "$_", "日", "A", "é"])("takes linear time over repeated %s", (unit) => {
    const read = createTermReader((term) => term);
    const time = (count: number): number => {
      const started = performance.now();
      read(unit.repeat(count), () => undefined);
      return performance.now() - started;
    };
    time(50_000);
    expect(time(400_000)).toBeLessThan(16 * time(50_000) + 250);
  });
});

describe("stem", () => {
  it.each([
    ["retry", "retries", "retrying", "retried"],
    ["cache", "caches", "caching", "cached"],
    ["connect", "connection", "connections", "connecting"],
    ["validate", "validation", "validator", "validating"],
    ["redirect", "redirects", "redirection"],
  ])("joins the forms of %s", (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  it.each(["string", "class", "status", "this", "js", "sse", "ipv4"])("leaves %s a word of its own", (word) => {
    expect(stem(word)).toBe(word);
  });
});
