import { ConfigError } from "../errors.js";
import { KEYLESS_CHAIN } from "./configured.js";
import type { Provider, ProviderCapabilities } from "./provider.js";
import { braveCapabilities, createBraveProvider } from "./providers/brave.js";
import { createDdgsProvider, ddgsCapabilities } from "./providers/ddgs.js";
import { createDuckDuckGoProvider, duckDuckGoCapabilities } from "./providers/duckduckgo.js";
import { createSearxngProvider, searxngCapabilities } from "./providers/searxng.js";
import { createTavilyProvider, tavilyCapabilities } from "./providers/tavily.js";
import { type Environment, findCommand } from "./run-command.js";

export const PROVIDER_IDS = ["brave", "tavily", "searxng", "ddgs", "duckduckgo"] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** What the user set for one provider. */
export interface ProviderSettings {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Name on PATH or absolute path, for a local command. */
  readonly command?: string | undefined;
}

interface ProviderRow {
  readonly capabilities: ProviderCapabilities;
  /** The setting whose presence means that the user chose this provider. */
  readonly credential?: "apiKey" | "baseUrl";
  /** What to do when it is asked for and not set up. */
  readonly setup: string;
  /** `undefined` without the setting it needs. */
  readonly create: (settings: ProviderSettings) => Provider | undefined;
  /** Whether what it needs on this machine is there; absent when it needs nothing. */
  readonly isInstalled?: (settings: ProviderSettings, env: Environment) => boolean;
}

/** Every provider, in the order in which `auto` prefers them. */
export const PROVIDERS: Readonly<Record<ProviderId, ProviderRow>> = {
  brave: {
    capabilities: braveCapabilities,
    credential: "apiKey",
    setup: "Set BRAVE_API_KEY.",
    create: ({ apiKey, baseUrl }) => (apiKey === undefined ? undefined : createBraveProvider({ apiKey, baseUrl })),
  },
  tavily: {
    capabilities: tavilyCapabilities,
    credential: "apiKey",
    setup: "Set TAVILY_API_KEY, or use it without a key.",
    create: ({ apiKey, baseUrl }) => createTavilyProvider({ apiKey, baseUrl }),
  },
  searxng: {
    capabilities: searxngCapabilities,
    credential: "baseUrl",
    setup: "Set SEARXNG_URL to the address of your own instance.",
    create: ({ baseUrl }) => (baseUrl === undefined ? undefined : createSearxngProvider({ baseUrl })),
  },
  ddgs: {
    capabilities: ddgsCapabilities,
    setup: "Install it with `pipx install ddgs`.",
    create: ({ command }) => createDdgsProvider({ command }),
    isInstalled: ({ command = "ddgs" }, env) => findCommand(command, env) !== undefined,
  },
  duckduckgo: {
    capabilities: duckDuckGoCapabilities,
    setup: "It needs nothing.",
    create: ({ baseUrl }) => createDuckDuckGoProvider({ baseUrl }),
  },
};

export interface AvailableProvider {
  readonly provider: Provider;
  /** The user set its key or address. */
  readonly hasCredential: boolean;
  /** False for a command that is not there: `auto` leaves it out, a chain that names it fails over. */
  readonly isInstalled?: boolean;
}

export interface RegistrySettings {
  /** Holds the PATH on which local commands are looked up; default `process.env`. */
  readonly env?: Environment | undefined;
  readonly providers?: Readonly<Partial<Record<ProviderId, ProviderSettings>>> | undefined;
}

/**
 * Every provider that can work as things are set. Make them once: they remember what refused them. Throws
 * `ConfigError` for a key or address that cannot be one.
 */
export function createProviders({
  env = process.env,
  providers = {},
}: RegistrySettings = {}): readonly AvailableProvider[] {
  return PROVIDER_IDS.flatMap((id) => {
    const { credential, create, isInstalled } = PROVIDERS[id];
    const settings = providers[id] ?? {};
    const hasCredential = credential !== undefined && (settings[credential] ?? "").trim() !== "";
    const provider = create(credential === undefined || hasCredential ? settings : {});
    if (provider === undefined) return [];
    return [{ provider, hasCredential, isInstalled: isInstalled?.(settings, env) ?? true }];
  });
}

/** `none`, `auto`, one id, or an ordered chain of ids; `local` is the embedded index. */
export type ProviderSetting = string | readonly string[];

/** Whom a search asks: a chain, one after the other, and beside it the local index. */
export interface SearchPlan {
  readonly chain: readonly Provider[];
  /** Asked with every search, its results fused with the chain's. */
  readonly local?: Provider | undefined;
}

/**
 * Turns the setting into a plan. `auto` asks those whose credential is present, in the table's order, or else the
 * keyless chain, with the local index beside it when there is one. Throws `ConfigError` for an id that is unknown
 * (`invalid_configuration`), not set up (`invalid_configuration`) or without an index (`index_missing`).
 */
export function resolveChain(
  setting: ProviderSetting,
  available: readonly AvailableProvider[],
  local?: Provider,
): SearchPlan {
  if (setting === "none") return { chain: [] };
  if (setting === "auto") {
    const keyed = available.filter(({ hasCredential }) => hasCredential);
    const keyless = KEYLESS_CHAIN.flatMap((id) =>
      available.filter(({ provider, isInstalled }) => isInstalled !== false && provider.id === id),
    );
    return { chain: (keyed.length > 0 ? keyed : keyless).map(({ provider }) => provider), local };
  }
  const ids = [...new Set(typeof setting === "string" ? [setting] : setting)];
  if (ids.includes("local") && local === undefined) {
    throw new ConfigError("index_missing", "The local index is asked for, and there is none yet.");
  }
  return {
    chain: ids.filter((id) => id !== "local").map((id) => chosenProvider(id, available)),
    local: ids.includes("local") ? local : undefined,
  };
}

function chosenProvider(id: string, available: readonly AvailableProvider[]): Provider {
  const found = available.find(({ provider }) => provider.id === id);
  if (found !== undefined) return found.provider;
  const known = PROVIDER_IDS.find((name) => name === id);
  if (known === undefined) {
    throw new ConfigError("invalid_configuration", "`search.provider` names a provider that does not exist.", {
      hint: `Choose among none, auto, local, ${[...new Set([...PROVIDER_IDS, ...available.map(({ provider }) => provider.id)])].join(", ")}.`,
    });
  }
  throw new ConfigError("invalid_configuration", `The provider ${known} is not set up.`, {
    hint: PROVIDERS[known].setup,
  });
}
