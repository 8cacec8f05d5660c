import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Behaviour tests open sockets and start processes: a process each keeps one file's leak out of the next.
    pool: "forks",
    // One for each core: most of a run waits for sockets and children.
    maxWorkers: "100%",
  },
});
