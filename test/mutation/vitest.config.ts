import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: how vitest reads it
export default defineConfig({
  test: {
    // Tables are read when their module loads, so each of their mutants runs all of these: no sockets, no build.
    include: [
      "src/net/{exemptions,host-names,ip-address,ip-range,ip-ranges,jail,nat64,ports,redirects,url-check,url-parts}.test.ts",
      "test/mutation/*.test.ts",
    ],
    testTimeout: 20_000,
  },
});
