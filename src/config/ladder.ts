import { ConfigError } from "../errors.js";
import type { ProjectRule, SettingPath, Settings, SettingsInput } from "./setting.js";
import { isSettingPath, SETTING_PATHS, settingAt } from "./settings.js";

/** Where a value came from; `detail` is the variable's name or the file's path. */
export interface Origin {
  readonly kind: "default" | "env" | "user" | "project" | "flag";
  readonly detail?: string;
}

/** One rung: values by path, not yet checked. */
export interface Layer {
  readonly origin: Origin;
  readonly values: ReadonlyMap<SettingPath, unknown>;
}

export interface Config {
  readonly settings: Settings;
  readonly origins: ReadonlyMap<SettingPath, Origin>;
  readonly warnings: readonly string[];
}

export interface LadderOptions {
  /** Weakest first: env, user, then flags. Later layers win. */
  readonly layers: readonly Layer[];
  /** Untrusted: may only tighten what the layers say. */
  readonly project?: Layer | undefined;
  /** Provider ids that the settings without the project file already use; the project may choose among them. */
  readonly choosable?: (settings: Settings) => readonly string[];
}

/**
 * Climbs flag > project file > user file > environment > default; every value keeps its origin.
 *
 * The project file is applied to what the user set, before the flags: a flag is the user's own word in this very run.
 * @throws ConfigError `invalid_configuration` naming the path, the origin and what was wrong, never the value.
 */
export function climb(options: LadderOptions): Config {
  const values = new Map<SettingPath, unknown>();
  const origins = new Map<SettingPath, Origin>();
  const warnings: string[] = [];
  const set = (path: SettingPath, value: unknown, origin: Origin) => {
    values.set(path, value);
    origins.set(path, origin);
  };

  for (const path of SETTING_PATHS) {
    const { fallback } = settingAt(path);
    if (fallback !== undefined) set(path, fallback, { kind: "default" });
  }
  const flags = options.layers.filter((layer) => layer.origin.kind === "flag");
  for (const layer of options.layers) if (layer.origin.kind !== "flag") apply(layer);
  if (options.project !== undefined) applyProject(options.project);
  for (const layer of flags) apply(layer);
  return { settings: nest(values), origins, warnings };

  function apply(layer: Layer): void {
    for (const [path, value] of layer.values) set(path, checked(path, value, layer.origin), layer.origin);
  }

  function applyProject(layer: Layer): void {
    const choosable = options.choosable?.(nest(values)) ?? [];
    for (const [path, raw] of layer.values) {
      const tightened = TIGHTEN[settingAt(path).project](values.get(path), checked(path, raw, layer.origin), choosable);
      if ("refused" in tightened) {
        warnings.push(`${layer.origin.detail ?? "the project file"}: \`${path}\` is ignored: ${tightened.refused}.`);
      } else {
        set(path, tightened.value, layer.origin);
      }
    }
  }
}

type Tightened = { readonly value: unknown } | { readonly refused: string };
type Tighten = (base: unknown, value: unknown, choosable: readonly string[]) => Tightened;

const TIGHTEN: Readonly<Record<ProjectRule, Tighten>> = {
  never: () => ({ refused: "a project file may not set it; put it into your own configuration" }),
  lower: (base, value) =>
    typeof base === "number" && typeof value === "number" && value > base
      ? { refused: "a project file may only lower it" }
      : { value },
  extend: (base, value) => ({ value: [...new Set([...asList(base), ...asList(value)])] }),
  enable: (base, value) =>
    base === true && value !== true ? { refused: "a project file may only turn it on" } : { value },
  choose: (_base, value, choosable) => {
    const foreign = value === "none" ? [] : asList(value).filter((id) => !choosable.includes(String(id)));
    return foreign.length === 0
      ? { value }
      : { refused: `a project file may only choose among what you set up (${["none", ...choosable].join(", ")})` };
  },
};

const asList = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

function checked(path: SettingPath, value: unknown, origin: Origin): unknown {
  const { schema, env } = settingAt(path);
  const candidates = origin.kind === "env" && typeof value === "string" ? spellings(value) : [value];
  const results = candidates.map((candidate) => schema.safeParse(candidate));
  const good = results.find((result) => result.success);
  if (good?.success) return good.data;
  // The reading that came furthest knows best what is wrong: a number out of range, not "expected number".
  const issue = (results.find((result) => result.error?.issues[0]?.code !== "invalid_type") ?? results[0])?.error
    ?.issues[0];
  const where = origin.kind === "env" ? (origin.detail ?? env?.join(" or ")) : origin.detail;
  throw new ConfigError(
    "invalid_configuration",
    `\`${path}\`${where === undefined ? "" : ` (${where})`} is not valid: ${issue?.message ?? "wrong type"}.`,
    { hint: `It means: ${settingAt(path).doc}` },
  );
}

/** What an environment variable's text may stand for, tried in this order. */
function spellings(text: string): readonly unknown[] {
  const readings: unknown[] = [text];
  if (/^-?\d+(\.\d+)?$/.test(text)) readings.push(Number(text));
  if (/^(1|true|yes|on)$/i.test(text)) readings.push(true);
  if (/^(0|false|no|off)$/i.test(text)) readings.push(false);
  readings.push(
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );
  return readings;
}

/** Reads the layer out of nested settings. `onUnknown` decides what a key that does not exist means. */
export function layerOf(origin: Origin, input: object, onUnknown: (path: string) => void): Layer {
  const values = new Map<SettingPath, unknown>();
  for (const [group, leaves] of Object.entries(input)) {
    if (group === "$schema" || leaves === undefined) continue;
    if (typeof leaves !== "object" || leaves === null || Array.isArray(leaves)) {
      onUnknown(group);
      continue;
    }
    for (const [leaf, value] of Object.entries(leaves)) {
      const path = `${group}.${leaf}`;
      if (!isSettingPath(path)) onUnknown(path);
      else if (value !== undefined) values.set(path, value);
    }
  }
  return { origin, values };
}

/** The layers of environment variables: one a variable, so that each value names the one it came from. */
export function environmentLayers(env: Readonly<Record<string, string | undefined>>): readonly Layer[] {
  return SETTING_PATHS.flatMap((path) => {
    const name = settingAt(path).env?.find((candidate) => (env[candidate] ?? "").trim() !== "");
    if (name === undefined) return [];
    return [{ origin: { kind: "env", detail: name } as const, values: new Map([[path, env[name]?.trim()]]) }];
  });
}

function nest(values: ReadonlyMap<SettingPath, unknown>): Settings {
  const nested: Record<string, Record<string, unknown>> = {};
  for (const path of SETTING_PATHS) {
    const [group = "", leaf = ""] = path.split(".");
    nested[group] ??= {};
    const value = values.get(path);
    if (value !== undefined) nested[group][leaf] = value;
  }
  return nested as unknown as Settings;
}

/** The settings of a library caller: their own input over the environment, no files. */
export function settingsFrom(input: SettingsInput, env: Readonly<Record<string, string | undefined>>): Config {
  return climb({
    layers: [
      ...environmentLayers(env),
      layerOf({ kind: "flag" }, input, (path) => {
        throw unknownSetting(path);
      }),
    ],
  });
}

/** A name from a file that may come with a clone: no escape sequence of it reaches a terminal. */
export const printableName = (path: string): string => path.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");

export function unknownSetting(path: string, file?: string): ConfigError {
  if (isSettingPath(path)) {
    const [group, leaf] = path.split(".");
    return new ConfigError("invalid_configuration", `The setting \`${path}\` is not written with a dot.`, {
      hint: `Nest it: { "${group}": { "${leaf}": … } }`,
    });
  }
  const near = nearest(path);
  return new ConfigError(
    "invalid_configuration",
    `There is no setting \`${printableName(path)}\`${file === undefined ? "" : ` (in ${file})`}.`,
    { hint: near === undefined ? "`postern config` lists all settings." : `Did you mean \`${near}\`?` },
  );
}

/** The setting whose name shares most letter pairs with what was written (Dice), if any is near. */
function nearest(path: string): SettingPath | undefined {
  const pairs = (text: string) => new Set(Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2)));
  const wanted = pairs(path.toLowerCase().slice(0, 100));
  let best: { path: SettingPath; score: number } | undefined;
  for (const candidate of SETTING_PATHS) {
    const own = pairs(candidate.toLowerCase());
    const score = (2 * [...own].filter((pair) => wanted.has(pair)).length) / (own.size + wanted.size);
    if (score > (best?.score ?? 0.5)) best = { path: candidate, score };
  }
  return best?.path;
}
