import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./read-pages.py", import.meta.url));
const python = spawn("python3", [script], { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
const greeting = await nextAnswer();

export const name = "trafilatura";
export const version = `trafilatura ${greeting.version} (Apache-2.0, Python)`;

export async function read(html, url) {
  python.stdin.write(`${JSON.stringify({ html, url })}\n`);
  const { markdown, error } = await nextAnswer();
  if (error !== undefined) throw new Error(error);
  return markdown;
}

async function nextAnswer() {
  const { value, done } = await lines.next();
  if (done) throw new Error("`python3` has no trafilatura");
  return JSON.parse(value);
}
