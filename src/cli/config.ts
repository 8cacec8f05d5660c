import { type Config, SETTING_PATHS, type SettingPath, settingAt, userFile } from "../config/index.js";
import { ConfigError } from "../errors.js";
import { loadSettings } from "./open-postern.js";
import { createOutput, EXIT_CODES } from "./output.js";

/** Prints each setting with its origin; a secret only as set or not. */
export async function configCommand(path: string | undefined, flags: { readonly json?: boolean }): Promise<number> {
  const output = createOutput(flags);
  const config = await loadSettings();
  const paths = SETTING_PATHS.filter(
    (candidate) => path === undefined || candidate === path || candidate.startsWith(`${path}.`),
  );
  if (paths.length === 0) {
    throw new ConfigError("invalid_argument", `There is no setting \`${path}\`.`, {
      hint: "`postern config` lists all settings.",
    });
  }
  if (output.format === "json") {
    output.json({
      userFile: userFile(process.env),
      settings: Object.fromEntries(paths.map((each) => [each, row(config, each)])),
      warnings: config.warnings,
    });
    return EXIT_CODES.ok;
  }
  const { style } = output;
  for (const each of paths) {
    const { value, origin, from } = row(config, each);
    const shown = value === null ? style.dim("not set") : JSON.stringify(value);
    output.result(`${style.bold(each)} = ${shown}  ${style.dim(from === undefined ? origin : `${origin}: ${from}`)}`);
    output.result(`  ${style.dim(settingAt(each).doc)}`);
  }
  output.note(
    style.dim(
      `Your own settings live in ${userFile(process.env)}; flags override it, and it overrides environment variables.`,
    ),
  );
  for (const warning of config.warnings) output.note(`${style.yellow("warning")} ${warning}`);
  return EXIT_CODES.ok;
}

function row(config: Config, path: SettingPath): { value: unknown; origin: string; from?: string } {
  const [group = "", leaf = ""] = path.split(".");
  const value = (config.settings as unknown as Record<string, Record<string, unknown>>)[group]?.[leaf];
  const origin = config.origins.get(path);
  const { secret, shown } = settingAt(path);
  return {
    value: value === undefined ? null : secret === true ? (shown?.(value) ?? "(set)") : value,
    origin: origin?.kind ?? "default",
    ...(origin?.detail === undefined ? {} : { from: origin.detail }),
  };
}
