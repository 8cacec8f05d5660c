import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";
import { createTransport, type TransportOptions, type TransportRequest } from "./transport.js";

const jail = createJail({
  resolve: async () => {
    throw new Error("nothing is looked up");
  },
});

describe("a request that is not what its comment says is refused before anything else", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ method: "TRACE" }, "`method` must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS."],
    [{ method: "get" }, "`method` must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS."],
    [{ maxBytes: 0 }, "`maxBytes` must be a whole number above 0."],
    [{ maxBytes: 1.5 }, "`maxBytes` must be a whole number above 0."],
    [{ maxBytes: Infinity }, "`maxBytes` must be a whole number above 0."],
    [{ maxRedirects: -1 }, "`maxRedirects` must be a whole number from 0 to 20."],
    [{ maxRedirects: 21 }, "`maxRedirects` must be a whole number from 0 to 20."],
    [{ maxRedirects: "5" }, "`maxRedirects` must be a whole number from 0 to 20."],
    [{ maxRedirects: null }, "`maxRedirects` must be a whole number from 0 to 20."],
    [{ redirect: "manuel" }, "`redirect` must be one of follow, manual, error."],
    [{ retries: 2 }, "`retries` must be one of 0, 1."],
    [{ retries: true }, "`retries` must be one of 0, 1."],
  ])("%j", async (wrong, message) => {
    const transport = createTransport({ jail });
    const request = transport.request({ url: "https://example.org/", ...wrong } as TransportRequest);
    await expect(request).rejects.toMatchObject({ name: "ConfigError", code: "invalid_argument", message });
    await transport.close();
  });
});

describe("a transport that could never answer is not made", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ maxConnectionsPerOrigin: 0 }, "`maxConnectionsPerOrigin` must be a whole number above 0."],
    [{ maxConnectionsPerOrigin: Number.NaN }, "`maxConnectionsPerOrigin` must be a whole number above 0."],
    [{ keepAliveMs: 0 }, "`keepAliveMs` must be a whole number from 1 to 3600000."],
    [{ keepAliveMs: 3_600_001 }, "`keepAliveMs` must be a whole number from 1 to 3600000."],
  ])("%j", (wrong, message) => {
    expect(() => createTransport({ jail, ...wrong } as TransportOptions)).toThrow(
      expect.objectContaining({ name: "ConfigError", code: "invalid_argument", message }),
    );
  });

  it("takes each value at its bounds, and none at all", async () => {
    const bounds = [1, 3_600_000, undefined];
    for (const keepAliveMs of bounds) {
      await createTransport({ jail, keepAliveMs, maxConnectionsPerOrigin: keepAliveMs }).close();
    }
  });
});
