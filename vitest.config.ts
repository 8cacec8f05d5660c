import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Behaviour tests open sockets and start processes: a process each keeps one file's leak out of the next.
    pool: "forks",
    // What is built is measured as it is: rewritten imports make loops over many modules several times slower.
    server: { deps: { external: [/\/dist\//] } },
    // One for each core: most of a run waits for sockets and children.
    maxWorkers: "100%",
  },
});
