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
  const { violations, recorded, announced, byTests } = recorder.read();
  recorder.remove();
  console.log(
    `choke point: ${announced} ways through src/net, ${byTests} of tests, ${violations.length} around; ${recorded} processes and threads`,
  );
  if (recorded > 0 && violations.length === 0) return;
  console.error(describeViolations(violations));
  // An error here would be shown, and the exit code be that of the tests.
  process.exitCode = 1;
}
