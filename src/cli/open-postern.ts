import {
  type Config,
  defaultIndexDirectory,
  environmentSecrets,
  loadConfig,
  type SettingsInput,
} from "../config/index.js";
import { ConfigError } from "../errors.js";
import { PROXY_INPUTS } from "../net/proxy/environment.js";
import { TRUST_VARIABLES } from "../net/tls/environment.js";
import { parseUrl } from "../parse-url.js";
import { createHostRules } from "../policy/host-rules.js";
import type { Postern, PosternOptions } from "../postern.js";
import { configuredProviders } from "../search/configured.js";
import { type Output, printable } from "./output.js";

/** Flags that several commands share. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly timeout?: number;
  readonly allowOrigin?: readonly string[];
  readonly proxy?: string;
  readonly provider?: string;
  /** `--no-web`. */
  readonly web?: boolean;
}

/** The user's settings, checked as far as they can be without opening anything. */
export async function loadSettings(flags: SettingsInput = {}): Promise<Config> {
  const config = await loadConfig({ env: process.env, cwd: workingDirectory(), flags, choosable: configuredProviders });
  createHostRules(config.settings.policy);
  return config;
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new ConfigError("invalid_configuration", "The working directory is gone.", {
      hint: "Change to a folder that exists.",
      cause,
    });
  }
}

/** What a Postern is created with: the user's settings, and the exact origins that `--allow-origin` adds for this run. */
export function posternOptions({ settings }: Config, origins: readonly string[] = []): PosternOptions {
  const asked = origins.map((origin) => ({ origin: withoutSlash(origin), name: "--allow-origin" }));
  return {
    ...settings,
    jail: { ...settings.jail, exemptions: [...settings.jail.exemptions, ...asked] },
    index: { directory: settings.index.directory ?? defaultIndexDirectory(process.env) },
    // In the settings already, but for the names of certificate files and proxies; what is left must only not leave.
    env: Object.fromEntries([...TRUST_VARIABLES, ...PROXY_INPUTS].map((name) => [name, process.env[name]])),
    sensitive: environmentSecrets(process.env),
  };
}

/** Opens Postern as the user configured it, runs `use`, and closes it whatever happens. */
export async function withPostern<T>(
  flags: SettingsInput,
  output: Output,
  use: (postern: Postern) => Promise<T>,
  origins?: readonly string[],
): Promise<T> {
  const config = await loadSettings(flags);
  for (const warning of config.warnings) output.note(`${output.style.yellow("warning")} ${printable(warning)}`);
  const { createPostern } = await import("../postern.js");
  const postern = createPostern(posternOptions(config, origins));
  try {
    return await use(postern);
  } finally {
    await postern.close();
  }
}

/** `http://localhost:3000/` is how a browser's address bar gives an origin. */
function withoutSlash(origin: string): string {
  const url = parseUrl(origin);
  return url !== undefined && url.href === `${url.origin}/` ? url.origin : origin;
}

export function proxyFlag(url: string | undefined): Pick<SettingsInput, "proxy"> {
  return url === undefined ? {} : { proxy: { url } };
}

export function providerFlag(ids: string | undefined): SettingsInput["search"] {
  if (ids === undefined) return {};
  const chain = ids.split(",").map((id) => id.trim());
  return { provider: chain.length === 1 ? (chain[0] ?? "auto") : chain };
}

/** Aborts on Ctrl-C, so that sockets and children end before the process does. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort(new Error("interrupted")));
  return controller.signal;
}

/** Shows a line while `work` takes longer than a moment, on a terminal only. */
export async function withSpinner<T>(output: Output, label: string, work: Promise<T>): Promise<T> {
  const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
  const started = Date.now();
  const timer = setInterval(() => {
    const elapsedMs = Date.now() - started;
    if (elapsedMs < 300) return;
    const frame = frames[Math.floor(elapsedMs / 80) % frames.length] ?? "";
    output.progress(`${frame} ${label} (${(elapsedMs / 1_000).toFixed(1)} s)`);
  }, 80);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    output.progress(undefined);
  }
}
