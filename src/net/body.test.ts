import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ContentCoding, createBodyReader, parseContentCoding, type ReadBody } from "./body.js";

const TEXT = Array.from({ length: 3_000 }, (_, line) => `Line ${line} of a text that compresses a little.`).join("\n");

/** Feeds `bytes` in pieces of `size` until the reader has enough. */
async function read(
  coding: ContentCoding,
  bytes: Uint8Array,
  size = 1000,
  maxBytes = 1e6,
): Promise<ReadBody & { stopped: boolean }> {
  let stopped = false;
  const reader = createBodyReader(coding, maxBytes, () => {
    stopped = true;
  });
  for (let at = 0; at < bytes.length && !stopped; at += size) reader.push(bytes.subarray(at, at + size));
  reader.finish("complete");
  return { ...(await reader.result), stopped };
}

const textOf = (body: ReadBody): string => Buffer.from(body.bytes).toString();

describe("parseContentCoding", () => {
  it.each([
    [null, "identity"],
    ["", "identity"],
    [" GZIP ", "gzip"],
    ["x-gzip", "gzip"],
    ["br", "br"],
    ["UTF-8", "identity"],
  ])("reads %j as %s", (header, coding) => expect(parseContentCoding(header)).toBe(coding));

  it.each(["zstd", "compress", "gzip, br", "gzip,identity", "toString", "gzip;q=1"])("refuses %s", (header) => {
    expect(() => parseContentCoding(header)).toThrow(expect.objectContaining({ code: "decoding_failed" }));
  });
});

describe("createBodyReader", () => {
  const encoded: [string, ContentCoding, Buffer][] = [
    ["identity", "identity", Buffer.from(TEXT)],
    ["gzip", "gzip", gzipSync(TEXT)],
    ["deflate", "deflate", deflateSync(TEXT)],
    ["raw deflate", "deflate", deflateRawSync(TEXT)],
    ["br", "br", brotliCompressSync(TEXT)],
  ];

  it.each(encoded)("reads %s whole, in any pieces", async (_name, coding, bytes) => {
    for (const size of [1, 777, bytes.length]) {
      const body = await read(coding, bytes, size);
      expect(textOf(body)).toBe(TEXT);
      expect(body).toMatchObject({ truncated: undefined, stopped: false });
    }
  });

  it.each(encoded)("takes %s of exactly the limit, and cuts one byte more", async (_name, coding, bytes) => {
    const exact = await read(coding, bytes, 1000, TEXT.length);
    expect(exact.truncated).toBeUndefined();
    const cut = await read(coding, bytes, 1000, TEXT.length - 1);
    expect(cut).toMatchObject({ truncated: "cap", stopped: true });
    expect(textOf(cut)).toBe(TEXT.slice(0, -1));
  });

  it.each(encoded.slice(1))("keeps what a broken %s stream held", async (_name, coding, bytes) => {
    const body = await read(coding, bytes.subarray(0, bytes.length >> 1));
    expect(body.truncated).toBe("stream");
    expect(TEXT.startsWith(textOf(body))).toBe(true);
    expect(body.bytes.length).toBeGreaterThan(TEXT.length / 10);
  });

  it("cuts compressed bytes that are larger than the limit themselves", async () => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7919 * 104_729) % 251));
    const body = await read("gzip", Buffer.concat([gzipSync(noise), Buffer.alloc(20_000)]), 500, 6_000);
    expect(body).toMatchObject({ truncated: "cap", stopped: true });
  });

  it("refuses what expands more than a hundred times, once a megabyte is out", async () => {
    for (const [coding, bytes] of [
      ["gzip", gzipSync(Buffer.alloc(5e6))],
      ["br", brotliCompressSync(Buffer.alloc(5e6))],
    ] as const) {
      await expect(read(coding, bytes, bytes.length, 1e8)).rejects.toMatchObject({ code: "too_large" });
      expect((await read(coding, bytes, bytes.length, 5e5)).truncated).toBe("cap");
    }
  });

  it("refuses bytes that are not in the named coding", async () => {
    for (const coding of ["gzip", "br", "deflate"] as const) {
      const request = read(coding, Buffer.from("<html> not compressed at all"));
      await expect(request, coding).rejects.toMatchObject({ code: "decoding_failed" });
    }
  });

  it("stops the connection when the coding ends before the body does", async () => {
    let stopped = false;
    const reader = createBodyReader("br", 1e6, () => {
      stopped = true;
    });
    reader.push(Buffer.concat([brotliCompressSync("short"), Buffer.from("trailing rubbish")]));
    expect(textOf(await reader.result)).toBe("short");
    expect(stopped).toBe(true);
  });

  it("reads an empty body in any coding", async () => {
    for (const coding of ["identity", "gzip", "deflate", "br"] as const) {
      expect((await read(coding, new Uint8Array(0))).truncated).toBeUndefined();
    }
  });

  it("fails when it is told to, and ignores what comes later", async () => {
    const reader = createBodyReader("gzip", 1e6, () => {});
    reader.push(gzipSync(TEXT));
    reader.fail(new Error("deadline"));
    reader.push(new Uint8Array(10));
    reader.finish("complete");
    await expect(reader.result).rejects.toThrow("deadline");
  });
});
