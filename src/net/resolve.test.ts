import { describe, expect, it } from "vitest";
import { FetchError } from "../errors.js";
import { lookUp, systemResolver } from "./resolve.js";

function failing(reason: unknown): Promise<unknown> {
  return lookUp(() => Promise.reject(reason), "example.org").catch((error: unknown) => error);
}

function coded(code: string): Error {
  return Object.assign(new Error("queryA example.org"), { code });
}

describe("lookUp", () => {
  it.each(["ENOTFOUND", "ENODATA", "EAI_NONAME", "EAI_NODATA"])(
    "says of %s that the name does not exist, which no second try can change",
    async (code) => {
      expect(await failing(coded(code))).toMatchObject({
        name: "FetchError",
        code: "dns_failed",
        retryable: false,
        details: { reason: "not_found" },
        hint: expect.stringContaining("spelling"),
      });
    },
  );

  it.each([coded("EAI_AGAIN"), coded("ESERVFAIL"), coded("ETIMEOUT"), coded("EAI_FAIL"), new Error("x"), "x", null])(
    "says of %s that the resolver failed, which may pass",
    async (reason) => {
      expect(await failing(reason)).toMatchObject({
        name: "FetchError",
        code: "dns_failed",
        retryable: true,
        details: { reason: "resolver_failed" },
        hint: expect.stringContaining("network"),
        cause: reason,
      });
    },
  );

  it("says of an empty list that there is no address, and of no list that the resolver is broken", async () => {
    await expect(lookUp(async () => [], "example.org")).rejects.toMatchObject({ details: { reason: "not_found" } });
    const broken = async () => "198.41.0.4" as unknown as string[];
    await expect(lookUp(broken, "example.org")).rejects.toMatchObject({ details: { reason: "resolver_failed" } });
  });

  it("passes our own errors on", async () => {
    const error = new FetchError("aborted", "x");
    expect(await failing(error)).toBe(error);
  });

  it("ends with the signal, before and while it waits", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    let asked = 0;
    const silent = (): Promise<string[]> => {
      asked += 1;
      return new Promise(() => {});
    };
    const waiting = lookUp(silent, "example.org", controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toMatchObject({ cause: reason });
    await expect(lookUp(silent, "example.org", controller.signal)).rejects.toBe(reason);
    expect(asked).toBe(1);
  });

  it("leaves nothing on the signal when it is done", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        listeners += 1;
        add(...args);
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...args);
      },
    });
    expect(await lookUp(async () => ["198.41.0.4"], "example.org", signal)).toEqual(["198.41.0.4"]);
    await expect.poll(() => listeners).toBe(0);
  });
});

describe("systemResolver", () => {
  it("gives every address of a host", async () => {
    expect(await systemResolver("localhost")).toContain("127.0.0.1");
  });
});
