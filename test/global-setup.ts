import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createRecorderDirectory, describeViolations, type RecorderDirectory } from "./helpers/recorder-report.js";

/**
 * Behaviour tests run what is shipped: the package is built once before them, unless POSTERN_SKIP_BUILD says it is.
 * Every process of the run is recorded, and the run fails when one of them connected or resolved around src/net.
 */
export function setup(): () => void {
  if (process.env.POSTERN_SKIP_BUILD === undefined) {
    const script = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url));
    execFileSync(process.execPath, [script], { stdio: "inherit" });
  }
  const recorder = createRecorderDirectory();
  Object.assign(process.env, recorder.env);
  return () => judge(recorder);
}

function judge(recorder: RecorderDirectory): void {
  const { exitCode } = process;
  // First, because an error here would be shown and the exit code stay that of the tests.
  process.exitCode = 1;
  const { violations, recorded, announced, byTests } = recorder.read();
  recorder.remove();
  const ways = `${announced} ways through src/net, ${byTests} of tests, ${violations.length} around`;
  console.log(`choke point: ${ways}; ${recorded} processes and threads`);
  if (violations.length > 0) console.error(describeViolations(violations));
  else if (recorded > 0) process.exitCode = exitCode;
}
