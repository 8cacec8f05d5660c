import { describe, expect, it } from "vitest";
import { createJail } from "./jail.js";
import { BAD_PORTS } from "./ports.js";

describe("ports", () => {
  it("cannot be opened when they belong to another protocol or are none", () => {
    for (const port of [...BAD_PORTS, -1, 65_536, 1.5, Number.NaN]) {
      const why = BAD_PORTS.has(port) ? "belongs to another protocol" : "is not a port";
      expect(() => createJail({ ports: [port] }), String(port)).toThrow(
        expect.objectContaining({
          name: "ConfigError",
          code: "invalid_configuration",
          message: `The port ${port} ${why} and cannot be opened.`,
        }),
      );
    }
  });

  it("are added to the default ones", async () => {
    const jail = createJail({ ports: [3000], resolve: async () => ["198.41.0.4"] });
    for (const port of [80, 443, 3000, 8080, 8443]) {
      expect(await jail.judge(`http://example.org:${port}/`), String(port)).toEqual({ verdict: "allow" });
    }
    expect(await jail.judge("http://example.org:3001/")).toEqual({ verdict: "deny", rule: "port" });
  });
});
