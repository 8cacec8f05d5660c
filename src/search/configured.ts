/** What the choice of providers depends on; a part of `Settings`. */
interface ProviderSettings {
  readonly search: { readonly provider: string | readonly string[]; readonly searxngUrl?: string };
  readonly keys: Readonly<Record<string, string | undefined>>;
}

/** Asked in this order when no key and no own instance is there; each is the vendor's own offer or a local command. */
export const KEYLESS_CHAIN: readonly string[] = ["tavily", "ddgs", "duckduckgo"];

/** Provider ids that the settings already use, so that an untrusted project file may choose among them and no others. */
export function configuredProviders(settings: ProviderSettings): readonly string[] {
  const { provider, searxngUrl } = settings.search;
  if (typeof provider !== "string") return provider;
  if (provider !== "auto") return provider === "none" ? [] : [provider];
  const own = [
    ...Object.keys(settings.keys).filter((id) => settings.keys[id] !== undefined),
    ...(searxngUrl === undefined ? [] : ["searxng"]),
  ];
  return ["auto", "local", ...(own.length > 0 ? own : KEYLESS_CHAIN)];
}
