import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Violation {
  /** `connect`, `lookup`, `dns query`, `udp socket`, `pipe`, `process`, … */
  readonly what: string;
  readonly to: string;
  readonly why: "not announced" | "leaves the machine" | "not a search command";
  readonly command: string;
  readonly stack: string;
}

export interface RecorderReport {
  readonly violations: readonly Violation[];
  /** Processes and threads that ran under the recorder. */
  readonly recorded: number;
  /** Connections and look-ups that src/net announced. */
  readonly announced: number;
  /** Those of the tests themselves. */
  readonly byTests: number;
}

/** Where every process that is started with `env` writes what it saw. */
export interface RecorderDirectory {
  readonly env: Readonly<Record<string, string>>;
  read(): RecorderReport;
  remove(): void;
}

const PRELOAD = fileURLToPath(new URL("recorder.cjs", import.meta.url));

type Line = { readonly kind: "start" | "announced" | "by a test" } | ({ readonly kind: "violation" } & Violation);

export function createRecorderDirectory(): RecorderDirectory {
  const directory = mkdtempSync(join(tmpdir(), "net-recorder-"));
  return {
    env: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(PRELOAD)}`.trim(),
      NET_RECORDER_DIRECTORY: directory,
      ...networkNamespace(),
    },
    read() {
      const lines = readdirSync(directory)
        .flatMap((file) => readFileSync(join(directory, file), "utf8").trimEnd().split("\n"))
        .map((text) => JSON.parse(text) as Line);
      const count = (kind: Line["kind"]): number => lines.filter((line) => line.kind === kind).length;
      return {
        violations: lines.filter((line) => line.kind === "violation"),
        recorded: count("start"),
        announced: count("announced"),
        byTests: count("by a test"),
      };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** One line for each violation, below it the stack without the test runner's part. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ what, to, why, command, stack }) => {
      const frames = stack.split("\n").filter((line) => !/node_modules\/@?vitest\//.test(line));
      return [`${what} ${to}: ${why}`, `  in ${command}`, ...frames].join("\n");
    })
    .join("\n\n");
}

function networkNamespace(): Record<string, string> {
  try {
    return { NET_RECORDER_NAMESPACE: readlinkSync("/proc/self/ns/net") };
  } catch {
    return {};
  }
}
