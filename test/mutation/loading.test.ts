import { expect, it } from "vitest";

// Stryker counts a test that fails, and not a test file that cannot even be loaded: what breaks at import breaks here.
it("the modules of the jail load, and a jail opens with nothing set", async () => {
  await import("../../src/net/redirects.js");
  const { createJail } = await import("../../src/net/jail.js");
  expect(createJail().checkUrl("http://198.41.0.4/").host).toBe("198.41.0.4");
});
