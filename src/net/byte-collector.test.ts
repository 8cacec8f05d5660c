import { describe, expect, it } from "vitest";
import { ByteCollector } from "./byte-collector.js";

describe("ByteCollector", () => {
  it("gives everything back in order, whatever the sizes", () => {
    for (const sizes of [[], [0], [1], [5_000], [1, 1, 1], [1_023, 1_024, 1_025], [20_000, 1, 20_000, 1, 0, 1]]) {
      const pieces = sizes.map((size, i) => Buffer.alloc(size, i + 1));
      const collector = new ByteCollector();
      for (const piece of pieces) collector.add(piece);
      expect(collector.length).toBe(Buffer.concat(pieces).length);
      expect(Buffer.compare(collector.take(), Buffer.concat(pieces)), String(sizes)).toBe(0);
    }
  });

  it("starts anew when it was emptied, and leaves what it gave alone", () => {
    const collector = new ByteCollector();
    collector.add(Buffer.from("first"));
    const first = collector.take();
    collector.add(Buffer.from("second"));
    expect([first.toString(), collector.take().toString(), collector.length]).toEqual(["first", "second", 0]);
  });

  it("keeps small pieces itself, so that they can be overwritten and hold no read in memory", () => {
    const collector = new ByteCollector();
    const read = Buffer.alloc(64 * 1024, "a");
    collector.add(read.subarray(0, 10));
    read.fill("b");
    const kept = collector.take();
    expect(kept.toString()).toBe("aaaaaaaaaa");
    expect(kept.buffer).not.toBe(read.buffer);
  });

  it("needs memory by the byte, not by the piece", () => {
    const collector = new ByteCollector();
    const byte = Buffer.from("x");
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1_000_000; i += 1) collector.add(byte);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(collector.take()).toHaveLength(1_000_000);
  });
});
