import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";

const shared = process.env.POSTERN_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));

/** URLs with the verdict they must get from whoever decides by addresses; a larger set when it lies beside the repository. */
export const ROW_SETS = [
  { name: "corpus/jail", path: fileURLToPath(new URL("../../corpus/jail/cases.jsonl", import.meta.url)) },
  { name: "the shared data", path: `${shared}/data/jail/cases.jsonl` },
].map(({ name, path }) => ({ name, isPresent: existsSync(path), rows: existsSync(path) ? readRows(path) : [] }));

function readRows(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((row) => row.layer !== "policy" && row.grade === "must");
}

/** Whether a name server can say what the row's does: a zone id or an octal address is what only a resolver at home can say. */
export function isPlayable({ resolves_to: answers = [] }) {
  return answers.every((address) => isIP(address) !== 0 && !address.includes("%"));
}
