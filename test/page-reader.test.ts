import { afterEach, describe, expect, it } from "vitest";
// The built one: its worker is a file beside it.
import { createPageReader, type PageReader } from "../dist/page-reader.js";
import { article } from "./helpers/site.js";

const readers: PageReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

function open(): PageReader {
  const reader = createPageReader();
  readers.push(reader);
  return reader;
}

function large(title: string, sentences = 10_000) {
  const html = article(
    title,
    ...Array.from({ length: sentences }, (_, i) => `Sentence ${i} of ${title}, about tides.`),
  );
  return { url: "https://a.example/", bytes: new TextEncoder().encode(html), contentType: "text/html" };
}
const never = () => new AbortController().signal;

describe("large pages", () => {
  it("are read in turn, and each caller gets its own", async () => {
    const reader = open();
    const titles = ["One", "Two", "Three"];
    const pages = await Promise.all(titles.map((title) => reader.read(large(title), never())));
    expect(pages.map((page) => page.title)).toEqual(titles);
  });

  it("hold nobody up: a small page is read meanwhile", async () => {
    const reader = open();
    const order: string[] = [];
    const slow = reader.read(large("Slow", 30_000), never()).then(() => order.push("large"));
    await reader.read({ ...large("Quick", 1) }, never()).then(() => order.push("small"));
    await slow;
    expect(order).toEqual(["small", "large"]);
  });

  it("are given up when the call ends, and the next one is read all the same", async () => {
    const reader = open();
    const controller = new AbortController();
    const given = reader.read(large("Given up", 30_000), controller.signal);
    const next = reader.read(large("Next"), never());
    setTimeout(() => controller.abort(new Error("too late")), 20);
    await expect(given).rejects.toThrow("too late");
    expect((await next).title).toBe("Next");
  });

  it("that wait are not started once their call has ended", async () => {
    const reader = open();
    const first = reader.read(large("First"), never());
    const controller = new AbortController();
    const waiting = reader.read(large("Waiting"), controller.signal);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect((await first).title).toBe("First");
  });

  it("end with the reader", async () => {
    const reader = open();
    const reads = [reader.read(large("Running", 30_000), never()), reader.read(large("Waiting"), never())];
    const ended = Promise.all(reads.map((read) => expect(read).rejects.toMatchObject({ code: "aborted" })));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await reader.close();
    await ended;
  });
});
