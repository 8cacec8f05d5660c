import { readFileSync } from "node:fs";

/** Packages with their versions and licences, as they are installed: `linkedom 0.18.15 (ISC), turndown 7.2.5 (MIT)`. */
export function describePackages(...names) {
  return names
    .map((name) => readManifest(`./node_modules/${name}/package.json`))
    .map(({ name, version, license }) => `${name} ${version} (${license})`)
    .join(", ");
}

export function readManifest(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}
