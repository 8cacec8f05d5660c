import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { ParseError } from "jsonc-parser";
import { ConfigError } from "../errors.js";
import { type Config, climb, environmentLayers, type Layer, layerOf, printableName, unknownSetting } from "./ladder.js";
import type { Settings, SettingsInput } from "./setting.js";
import { SETTING_PATHS, settingAt } from "./settings.js";

export const PROJECT_FILE = "postern.config.json";
const MAX_CONFIG_BYTES = 1_000_000;

type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly flags?: SettingsInput;
  readonly choosable?: (settings: Settings) => readonly string[];
}

/**
 * The settings of the command: defaults, environment, the user's file, the project's file, flags.
 * @throws ConfigError naming the file and place of what is wrong.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const user = await readLayer("user", userFile(options.env), (path, file) => {
    throw unknownSetting(path, file);
  });
  const warnings: string[] = [];
  const project = await readLayer("project", await findProjectFile(options.cwd), (path, file) => {
    warnings.push(`${file}: there is no setting \`${printableName(path)}\`.`);
  });
  if (user !== undefined && [...user.layer.values.keys()].some((path) => settingAt(path).secret === true)) {
    if (process.platform !== "win32" && (user.mode & 0o077) !== 0) {
      warnings.push(`${user.layer.origin.detail} holds keys and can be read by others; run \`chmod 600\` on it.`);
    }
  }
  warnings.push(...misspeltVariables(options.env));
  const flags = layerOf({ kind: "flag" }, options.flags ?? {}, (path) => {
    throw unknownSetting(path);
  });
  const config = climb({
    layers: [...environmentLayers(options.env), ...(user === undefined ? [] : [user.layer]), flags],
    project: project?.layer,
    ...(options.choosable === undefined ? {} : { choosable: options.choosable }),
  });
  return { ...config, warnings: [...warnings, ...config.warnings] };
}

/** Variables that look like settings and are none: a misspelt limit would otherwise silently not hold. */
function misspeltVariables(env: Environment): readonly string[] {
  const known = new Set([...SETTING_PATHS.flatMap((path) => settingAt(path).env ?? []), "POSTERN_DEBUG"]);
  const unknown = Object.keys(env).filter((name) => name.startsWith("POSTERN_") && !known.has(name));
  return unknown.map((name) => `The environment variable ${name} is no setting.`);
}

/** `$XDG_CONFIG_HOME/postern/config.json` (XDG Base Directory Specification: a relative value is ignored). */
export function userFile(env: Environment): string {
  return join(xdg(env, "XDG_CONFIG_HOME", ".config"), "postern", "config.json");
}

/** `$XDG_DATA_HOME/postern/index`. */
export function defaultIndexDirectory(env: Environment): string {
  return join(xdg(env, "XDG_DATA_HOME", ".local/share"), "postern", "index");
}

/** Only absolute paths count: a relative one would let the working directory, a clone perhaps, speak for the user. */
function xdg(env: Environment, name: string, fallback: string): string {
  const [value = "", home = ""] = [env[name], env.HOME];
  if (isAbsolute(value)) return value;
  return join(isAbsolute(home) ? home : userInfo().homedir, fallback);
}

/** The nearest project file between the working directory and the root of its repository. */
async function findProjectFile(cwd: string): Promise<string | undefined> {
  const candidates: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    candidates.push(join(folder, PROJECT_FILE));
    if (await exists(join(folder, ".git"))) break;
    if (dirname(folder) === folder) {
      // Outside a repository a file further up belongs to somebody else.
      candidates.length = 1;
      break;
    }
  }
  for (const candidate of candidates) if (await exists(candidate)) return candidate;
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function readLayer(
  kind: "user" | "project",
  file: string | undefined,
  onUnknown: (path: string, file: string) => void,
): Promise<{ layer: Layer; mode: number } | undefined> {
  if (file === undefined) return undefined;
  let text: string;
  let mode: number;
  try {
    const info = await stat(file);
    mode = info.mode;
    if (!info.isFile()) throw unreadable(file, "it is not a file");
    if (info.size > MAX_CONFIG_BYTES) throw unreadable(file, "it is larger than 1 MB");
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (error instanceof ConfigError) throw error;
    throw unreadable(file, (error as NodeJS.ErrnoException).code ?? "unknown reason", error);
  }
  const layer = layerOf({ kind, detail: file }, await parseJson(text, file), (path) => onUnknown(path, file));
  return { layer, mode };
}

function unreadable(file: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError("invalid_configuration", `The configuration file ${file} cannot be read: ${reason}.`, {
    hint: "Check the file and its permissions.",
    cause,
  });
}

async function parseJson(text: string, file: string): Promise<object> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // Node's own message may quote the file, which may hold keys, and names no place on every version.
    throw new ConfigError(
      "invalid_configuration",
      `The configuration file ${file} is not valid JSON at ${await placeOfFault(text)}.`,
      { hint: "Correct it there; comments and trailing commas are not allowed." },
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError("invalid_configuration", `The configuration file ${file} must hold one JSON object.`);
  }
  return value;
}

async function placeOfFault(text: string): Promise<string> {
  const { parseTree } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? text.length).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
