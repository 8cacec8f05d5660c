import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Behaviour tests run what is shipped: the package is built once before them, unless POSTERN_SKIP_BUILD says it is. */
export function setup(): void {
  if (process.env.POSTERN_SKIP_BUILD !== undefined) return;
  const script = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
}
