import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** What the readers of others did last time, under everything that could change it. */
export async function cached(name, dependsOn, make) {
  const hash = createHash("sha256").update(JSON.stringify(dependsOn)).digest("hex").slice(0, 12);
  const path = fileURLToPath(new URL(`../../.cache/bench-reader/${name}-${hash}.json`, import.meta.url));
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    const made = await make();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(made));
    return made;
  }
}
