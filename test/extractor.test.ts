import { execFileSync } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createExtractor, type Extractor, extract } from "postern/extract";
import { afterEach, describe, expect, it } from "vitest";

const extractors: Extractor[] = [];
afterEach(async () => {
  await Promise.all(extractors.splice(0).map((extractor) => extractor.close()));
});

function open(inlineMaxChars?: number): Extractor {
  const extractor = createExtractor({ inlineMaxChars });
  extractors.push(extractor);
  return extractor;
}

const SENTENCE = "<p>A sentence about tides and <a href='/harbour'>harbours</a>, and <b>the moon</b>.</p>\n";
const page = (title: string, chars: number): string =>
  `<title>${title}</title><main><h1>${title}</h1>${SENTENCE.repeat(Math.ceil(chars / SENTENCE.length))}</main>`;

describe("an extractor", () => {
  it("gives what extract gives, wherever it runs", async () => {
    const html = page("Tides", 20_000);
    const options = { url: "https://tide.example/", images: "link" } as const;
    const expected = structuredClone(extract(html, options));
    expect(structuredClone(await open().extract(html, options))).toEqual(expected);
    expect(await open(1_000).extract(html, options)).toEqual(expected);
  });

  it("reads large pages in turn, and small ones meanwhile", async () => {
    const extractor = open();
    const order: string[] = [];
    const read = async (title: string, chars: number): Promise<void> => {
      order.push((await extractor.extract(page(title, chars))).title);
    };
    await Promise.all([read("One", 2_000_000), read("Two", 600_000), read("Small", 1_000)]);
    expect(order).toEqual(["Small", "One", "Two"]);
  });

  it("leaves the event loop free while it reads 10 MB", async () => {
    const extractor = open();
    await extractor.extract(page("Warm", 600_000));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { markdown } = await extractor.extract(page("Large", 10_000_000));
    delay.disable();
    expect(markdown.length).toBeGreaterThan(5_000_000);
    expect(delay.percentile(99) / 1e6).toBeLessThan(50);
    // One pause to hand the page over, on a machine that is busy with other tests too.
    expect(delay.max / 1e6).toBeLessThan(400);
  });

  it("gives a page up when its signal says so, and reads the next", async () => {
    const extractor = open();
    const controller = new AbortController();
    const { signal } = controller;
    const given = [
      extractor.extract(page("Given up", 5_000_000), { signal }),
      extractor.extract(page("Waiting", 600_000), { signal }),
    ];
    const next = extractor.extract(page("Next", 600_000));
    setTimeout(() => controller.abort(new Error("too late")), 20);
    await Promise.all(given.map((read) => expect(read).rejects.toThrow("too late")));
    expect((await next).title).toBe("Next");
    await expect(extractor.extract("<p>x", { signal })).rejects.toThrow("too late");
  });

  it("ends what is under way when it is closed, and is refused after", async () => {
    const extractor = open();
    const reads = [extractor.extract(page("Running", 5_000_000)), extractor.extract(page("Waiting", 600_000))];
    const ended = Promise.all(reads.map((read) => expect(read).rejects.toMatchObject({ code: "aborted" })));
    await extractor[Symbol.asyncDispose]();
    await ended;
    await expect(extractor.extract("<p>x")).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("leaves nothing behind: the process ends, closed or not", () => {
    const script = (last: string): string => `
      import { createExtractor } from "postern/extract";
      const extractor = createExtractor({ inlineMaxChars: 10 });
      const { markdown } = await extractor.extract("<p>A page of more than ten characters</p>");
      ${last}
      console.log(markdown, process.getActiveResourcesInfo().filter((name) => /Worker|Message|Timeout/.test(name)).length);`;
    const run = (last: string): string =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script(last)], { encoding: "utf8", timeout: 9_000 });
    expect(run("await extractor.close();")).toBe("A page of more than ten characters 0\n");
    expect(run("")).toMatch(/^A page of more than ten characters/);
  });
});
