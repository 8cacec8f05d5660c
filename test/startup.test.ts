import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home, runCommand } from "./helpers/command.js";

/** Node's own modules that only a call needs. */
const OF_A_CALL: readonly string[] = ["dns", "http", "https", "http2", "tls", "zlib"];

let home: Home;
let probe: string;

beforeAll(async () => {
  home = await createHome();
  probe = join(home.directory, "probe.cjs");
  const write = `require("node:fs").writeFileSync(process.env.LOADED_MODULES, process.moduleLoadList.join("\\n"))`;
  await writeFile(probe, `process.on("exit", () => ${write});\n`);
});
afterAll(() => home.remove());

async function loadedBy(command: string): Promise<readonly string[]> {
  const file = join(home.directory, "loaded");
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, LOADED_MODULES: file };
  const { exitCode } = await runCommand([command], home, { env });
  expect(exitCode).toBe(0);
  const loaded = new Set((await readFile(file, "utf8")).split("\n"));
  return OF_A_CALL.filter((name) => loaded.has(`NativeModule ${name}`));
}

it.each(["--version", "mcp"])("postern %s loads nothing that only a call needs", async (command) => {
  expect(await loadedBy(command)).toEqual([]);
});

it("is seen where a command does need it", async () => {
  expect(await loadedBy("doctor")).toContain("tls");
});
