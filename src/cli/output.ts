import { EXIT_CODES as ERROR_EXIT_CODES, isPosternError, type PosternError } from "../errors.js";

/** What a command writes with: results to stdout, everything else to stderr. */
export interface Output {
  readonly format: "human" | "json";
  readonly quiet: boolean;
  /** Colours for stderr and stdout, or the text as it is. */
  readonly style: Style;
  /** True when a person watches stderr. */
  readonly interactive: boolean;
  result(text: string): void;
  json(value: unknown): void;
  note(text: string): void;
  /** One line that is rewritten in place, on a terminal only; `undefined` removes it. */
  progress(line: string | undefined): void;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Exit codes of the command; `ERROR_EXIT_CODES` are those of errors. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2 } as const;

interface OutputOptions {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

export function createOutput(options: OutputOptions, env: NodeJS.ProcessEnv = process.env): Output {
  const interactive = process.stderr.isTTY === true && env.TERM !== "dumb" && env.CI === undefined;
  const style = createStyle(wantsColour(env));
  const quiet = options.quiet === true;
  let shown = false;
  const clear = () => {
    if (shown) process.stderr.write("\r\x1b[2K");
    shown = false;
  };
  return {
    format: options.json === true ? "json" : "human",
    quiet,
    style,
    interactive,
    result(text) {
      clear();
      process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    },
    json(value) {
      clear();
      process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    note(text) {
      clear();
      if (!quiet) process.stderr.write(`${text}\n`);
    },
    progress(line) {
      if (!interactive || quiet) return;
      clear();
      if (line === undefined) return;
      process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1));
      shown = true;
    },
  };
}

/** https://no-color.org and https://force-color.org; else colour on a terminal. */
function wantsColour(env: NodeJS.ProcessEnv): boolean {
  if ((env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "0") !== "0") return true;
  return process.stdout.isTTY === true && process.stderr.isTTY === true && env.TERM !== "dumb";
}

function createStyle(colour: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    colour ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** Says an error in one sentence and what to do next, and gives the exit code for it. */
export function reportError(error: unknown, output: Output): number {
  if (isPosternError(error)) {
    if (output.format === "json") output.json({ error: error.toJSON() });
    else
      process.stderr.write(
        `${output.style.red("error")} ${printable(error.message)} ${output.style.dim(printable(labelOf(error)))}\n${printable(error.hint)}\n${pinOf(error)}`,
      );
    return ERROR_EXIT_CODES[error.kind];
  }
  const message = error instanceof Error ? error.message : String(error);
  if (output.format === "json") output.json({ error: { code: "internal_error", message, hint: "", retryable: false } });
  else {
    process.stderr.write(`${output.style.red("error")} ${message}\n`);
    if (process.env.POSTERN_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    else process.stderr.write("This is a fault in postern; POSTERN_DEBUG=1 shows where it happened.\n");
  }
  return EXIT_CODES.failed;
}

/** What `jail.tlsExceptions` wants of a certificate: for a person to compare, and nothing for a model. */
function pinOf({ details: { sha256 } }: PosternError): string {
  return typeof sha256 === "string" ? `The certificate's SHA-256 is ${printable(sha256)}.\n` : "";
}

/** A path or a host in a message may be a stranger's: it moves no cursor. */
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");

/** The code, and the rule that refused: what a setting or a bug report would name. */
function labelOf({ code, details: { rule, host } }: PosternError): string {
  const facts = [rule, host].filter((fact) => fact !== undefined && fact !== "");
  return `[${[code, ...facts].join(": ")}]`;
}

/** A bar of `width` cells. */
export function progressBar(done: number, total: number, width = 24): string {
  const filled = total <= 0 ? 0 : Math.min(width, Math.round((done / total) * width));
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}
