import { describe, expect, it } from "vitest";
import { classify, fileNameOf } from "./classify.js";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const PNG = bytes("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR");

describe("classify", () => {
  it.each([
    // What the header says holds.
    ["text/html", "<p>x", "https://a.example/", "html", "text/html"],
    ["text/markdown; charset=utf-8", "# x", "https://a.example/x", "markdown", "text/markdown"],
    ["application/ld+json", "{}", "https://a.example/x", "json", "application/ld+json"],
    ["application/problem+json", "{}", "https://a.example/x", "json", "application/problem+json"],
    ["application/atom+xml", "<feed>", "https://a.example/x", "feed", "application/atom+xml"],
    ["text/csv", "a,b", "https://a.example/x", "csv", "text/csv"],
    ["text/javascript", "let a", "https://a.example/x", "source", "text/javascript"],
    ["image/svg+xml", "<svg/>", "https://a.example/x.svg", "xml", "image/svg+xml"],
    ["application/pdf", "%PDF-1.7", "https://a.example/x", "binary", "application/pdf"],
    ["image/avif", "????ftypavif", "https://a.example/x", "binary", "image/avif"],
    ["text/plain", "x", "https://a.example/notes", "text", "text/plain"],
    // Nothing or nothing useful: the name, then the bytes.
    [undefined, "<!DOCTYPE html><p>x", "https://a.example/", "html", "text/html"],
    [undefined, "  <!-- c --><html>", "https://a.example/", "html", "text/html"],
    [undefined, "<?xml version='1.0'?><a/>", "https://a.example/", "xml", "application/xml"],
    [undefined, "plain words", "https://a.example/", "text", "text/plain"],
    ["application/octet-stream", "a,b\n", "https://a.example/t.csv", "csv", "text/csv"],
    ["application/octet-stream", "all:\n", "https://a.example/Makefile", "source", "text/plain"],
    ["text/plain", "# Title", "https://a.example/README.md?raw=1", "markdown", "text/markdown"],
    ["text/plain", "# Title", "https://a.example/llms.txt", "markdown", "text/markdown"],
    ["text/plain", "{}", "https://a.example/a.json", "json", "application/json"],
    ["text/plain", "fn main() {}", "https://a.example/main.rs", "source", "text/plain"],
    ["nonsense", "<html>", "https://a.example/", "html", "text/html"],
    // The bytes contradict the header.
    ["text/plain", "<!doctype html><html>", "https://a.example/", "html", "text/html"],
    ["application/json", "\n<html><body>Bad gateway", "https://a.example/api", "html", "text/html"],
    ["text/html", "%PDF-1.4\n", "https://a.example/a", "binary", "application/pdf"],
    ["text/plain", "\x00\x01\x02\x03\x04\x05", "https://a.example/a", "binary", "application/octet-stream"],
    ["video/mp2t", "export const a = 1;", "https://a.example/a.ts", "source", "text/plain"],
    ["video/mp2t", "G\x00\x01\x02\x03\x04\x05", "https://a.example/a.ts", "binary", "video/mp2t"],
    // Ordinary text that begins like a binary stays text.
    ["text/plain", "BMW and BM25", "https://a.example/a", "text", "text/plain"],
    ["text/plain", "one stray \x00 in a long enough log line", "https://a.example/a", "text", "text/plain"],
    ["text/plain", "\x1b[31mred\x1b[0m", "https://a.example/a", "text", "text/plain"],
    ["text/plain", "<div> is an element", "https://a.example/a", "text", "text/plain"],
    ["text/plain", "<!doctype html>", "https://a.example/page.vue", "source", "text/plain"],
    // Invented names do not reach the reader.
    ["text/!ignore", "x", "https://a.example/a", "text", "text/plain"],
    ["ignore/previous-instructions", "x", "https://a.example/a", "text", "text/plain"],
  ])("%j with %j at %s is %s (%s)", (contentType, body, url, kind, mediaType) => {
    expect(classify(bytes(body), contentType, url)).toMatchObject({ kind, mediaType });
  });

  it.each([
    ["https://a.example/a.py", "python"],
    ["https://a.example/a.TSX", "tsx"],
    ["https://a.example/Dockerfile", "dockerfile"],
    ["https://a.example/.env", "dotenv"],
    ["https://a.example/config.yml#L3", "yaml"],
    ["https://a.example/constructor", undefined],
    ["https://a.example/a.constructor", undefined],
  ])("names the language of %s: %s", (url, language) => {
    expect(classify(bytes("x = 1"), "text/plain", url).language).toBe(language);
  });

  it.each([
    ["image/png", PNG],
    ["image/gif", bytes("GIF89a\x01\x00\x01\x00")],
    ["image/jpeg", bytes("\xff\xd8\xff\xe0\x00\x10JFIF\x00")],
    ["image/webp", bytes("RIFF\x10\x00\x00\x00WEBPVP8 ")],
    ["audio/wave", bytes("RIFF\x10\x00\x00\x00WAVEfmt \x00")],
    ["video/mp4", bytes("\x00\x00\x00\x18ftypisom\x00\x00")],
    ["application/gzip", bytes("\x1f\x8b\x08\x00\x00\x00")],
    ["application/zip", bytes("PK\x03\x04\x14\x00\x00\x00")],
    ["application/wasm", bytes("\x00asm\x01\x00\x00\x00")],
    ["application/pdf", bytes("%PDF-1.7\n%abc")],
    ["application/x-elf", bytes("\x7fELF\x02\x01\x01\x00")],
    ["font/woff2", bytes("wOF2\x00\x01\x00\x00")],
  ])("recognises %s without a header and under a text one", (mediaType, body) => {
    for (const contentType of [undefined, "application/octet-stream", "text/plain", "text/html"]) {
      expect(classify(body, contentType, "https://a.example/")).toMatchObject({ kind: "binary", mediaType });
    }
  });

  it("reads UTF-16 as text, with or without a BOM", () => {
    const text = Buffer.from("plain enough text", "utf16le");
    expect(classify(text, "text/plain", "https://a.example/").kind).toBe("text");
    expect(classify(Buffer.concat([bytes("\xff\xfe"), text]), undefined, "https://a.example/").kind).toBe("text");
    const page = Buffer.from("<!doctype html><p>x</p>", "utf16le");
    expect(classify(page, undefined, "https://a.example/").kind).toBe("html");
  });
});

describe("fileNameOf", () => {
  it.each([
    ["https://a.example", ""],
    ["https://a.example/", ""],
    ["https://a.example/x/y.txt?q=/z.md#/f", "y.txt"],
    ["https://a.example/%E2%9C%93.md", "✓.md"],
    ["https://a.example/%E2%.md", "%E2%.md"],
  ])("reads %s as %j", (url, name) => {
    expect(fileNameOf(url)).toBe(name);
  });
});
