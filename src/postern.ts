import { appendFileSync } from "node:fs";
import {
  defaultIndexDirectory,
  environmentSecrets,
  type Settings,
  type SettingsInput,
  settingsFrom,
} from "./config/index.js";
import { ConfigError } from "./errors.js";
import type { Distiller, FetchRooms, PageSnapshot, Renderer } from "./fetch/rooms.js";
import { createLifetime } from "./lifetime.js";
import {
  createJail,
  createJailedFetch,
  createTransport,
  type Jail,
  type JailOptions,
  type Transport,
} from "./net/index.js";
import { childProxyEnvironment, variableNamingProxy } from "./net/proxy/environment.js";
import { proxiesFor, proxyPasswords } from "./net/proxy/proxy-setting.js";
import { readCaFile } from "./net/tls/certificate-files.js";
import { createPageReader } from "./page-reader.js";
import { type Approver, createPolicy } from "./policy/index.js";
import { createProviders, createRunCommand, type Provider, resolveChain } from "./search/index.js";
import { createIndexHandle, createLocalProvider } from "./search/local/index.js";
import { createSession, type Ledger, type PosternEvent } from "./session/index.js";
import type { FetchRequest, FetchResult, SearchRequest, SearchResult } from "./types.js";
import { webFetch } from "./web-fetch.js";
import { type AskedPlan, type SearchRooms, webSearch } from "./web-search.js";

/** Settings as in `config.json`, and what only a program can give. */
export interface PosternOptions extends SettingsInput {
  /**
   * Where keys, `POSTERN_*` and the names of certificate files are read; default `process.env`. No file of settings is
   * read.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Strings that no model may carry out, besides keys and the secrets of `env`. */
  readonly sensitive?: readonly string[] | undefined;
  /** Asked before a model's call leaves the machine. Without one, what would be asked is refused. */
  readonly approve?: Approver | undefined;
  readonly onEvent?: ((event: PosternEvent) => void) | undefined;
  /** In place of the system's resolver; its answers are judged all the same. */
  readonly resolve?: JailOptions["resolve"];
  /** Providers of your own, asked when `search.provider` names them. */
  readonly providers?: readonly Provider[] | undefined;
  readonly renderer?: Renderer | undefined;
  readonly distiller?: Distiller | undefined;
}

/** Both tools, one session. */
export interface Postern {
  /**
   * Reads one URL.
   * @throws PosternError: `BlockedError` by jail or policy, `FetchError`, `BudgetError`, `ConfigError`. An HTTP error
   * status is no error: see `outcome`.
   */
  fetch(request: FetchRequest): Promise<FetchResult>;
  /**
   * Searches the web and the documentation index. An empty list means that nothing was found; where an engine may only
   * have refused, a warning says so.
   * @throws PosternError: `ProviderError` when nobody could answer, `BlockedError`, `BudgetError`, `ConfigError`.
   */
  search(request: SearchRequest): Promise<SearchResult>;
  /** What this session spent so far. */
  readonly ledger: Pick<Ledger, "entries" | "totals">;
  /** Ends what is under way and leaves no socket, timer, thread or child behind. */
  close(): Promise<void>;
}

/**
 * The composition root: everything hangs from what this returns and dies in its `close()`.
 * @throws ConfigError for a setting that is wrong, by its name.
 */
export function createPostern(options: PosternOptions = {}): Postern {
  const {
    env = process.env,
    sensitive = [],
    approve,
    onEvent,
    resolve,
    providers = [],
    renderer,
    distiller,
    ...input
  } = options;
  const { settings } = settingsFrom(input, env);
  const session = createSession<PageSnapshot, SearchResult>({
    budget: settings.budget,
    cacheTtlMs: settings.fetch.cacheTtlMs,
    cacheMaxBytes: settings.fetch.cacheMaxBytes,
    onEvent,
    write: settings.log.file === undefined ? undefined : appendTo(settings.log.file),
  });
  // One setting for whatever leaves: pages, search, and the commands of search.
  const proxies = proxiesFor(settings.proxy, env);
  const proxy = proxies && { ...proxies, resolve };
  const { allow, ask, deny, approval, seenOnly, offline } = settings.policy;
  const policy = createPolicy({
    rules: { allow, ask, deny },
    approver: approve,
    approval,
    seenOnly,
    offline,
    sensitive: [
      ...Object.values(settings.keys),
      ...environmentSecrets(env),
      ...proxyPasswords(proxy ?? {}),
      ...sensitive,
    ],
    onEvent: (event) => session.events.emit(event),
  });
  const ca = settings.jail.caFiles.flatMap(readCaFile);
  const { ports, exemptions, deny: deniedAddresses, nat64Prefixes, tlsExceptions } = settings.jail;
  const network = {
    ca,
    env,
    tlsExceptions,
    proxy,
    unusedProxy: proxy === undefined ? variableNamingProxy(env) : undefined,
  };
  const jail = createJail({ ports, exemptions, deny: deniedAddresses, nat64Prefixes, resolve });
  const transport = createTransport({ jail, ...network, userAgent: settings.fetch.userAgent });
  // A transport of its own: what is trusted for searching is not reachable as a page.
  const searchTransport = createTransport({ jail: searchJail(settings, resolve), ...network });
  const reader = createPageReader();
  const index = createIndexHandle(settings.index.directory ?? defaultIndexDirectory(env));
  const localProvider = createLocalProvider({ open: index.open });
  const lifetime = createLifetime();

  const commandEnv = { ...process.env, ...childProxyEnvironment(proxy), PATH: env.PATH ?? process.env.PATH };
  // Once, since a provider remembers that it was blocked. Your own first, so that they may replace one of ours.
  const own = providers.map((provider) => ({ provider, hasCredential: false }));
  const installed = createProviders({ env: commandEnv, providers: providerSettings(settings) });
  const available = [...own, ...installed].map((each) => ({
    ...each,
    provider: confined(each.provider, searchTransport),
  }));
  const plan = async (): Promise<AskedPlan> => {
    const indexGeneration = await index.generation();
    const local = indexGeneration === undefined ? undefined : localProvider;
    if (offline) return { chain: [], local, indexGeneration };
    if (settings.search.provider === "none") {
      throw new ConfigError("invalid_configuration", "Search is turned off: `search.provider` is `none`.");
    }
    return { ...resolveChain(settings.search.provider, available, local), indexGeneration };
  };
  const fetchRooms: FetchRooms = {
    limits: settings.fetch,
    jail,
    transport,
    policy,
    session,
    reader,
    openIndex: index.open,
    renderer,
    distiller,
  };
  const context = {
    // Reaches nothing: each provider is given one that reaches its own origins.
    fetch: createJailedFetch({ transport: searchTransport, allowedOrigins: [] }),
    run: createRunCommand({ env: commandEnv }),
  };
  const searchRooms: SearchRooms = { plan, context, timeoutMs: settings.search.timeoutMs, policy, session };

  return {
    fetch: async (request) => {
      assertRequest(request, "url");
      return lifetime.run(request.signal, (signal) => webFetch(request, fetchRooms, signal));
    },
    search: async (request) => {
      assertRequest(request, "query");
      return lifetime.run(request.signal, (signal) => webSearch(request, searchRooms, signal));
    },
    ledger: session.ledger,
    async close() {
      await lifetime.end();
      await Promise.all([transport.close(), searchTransport.close(), reader.close(), index.close(), renderer?.close()]);
      await session.close();
    },
  };
}

/** Callers without types send anything. */
function assertRequest(request: { readonly signal?: unknown }, argument: string): void {
  if (typeof request !== "object" || request === null) {
    throw new ConfigError("invalid_argument", `\`${argument}\` is missing: give an object that holds it.`);
  }
  if (request.signal !== undefined && !(request.signal instanceof AbortSignal)) {
    throw new ConfigError("invalid_argument", "`signal` is not an AbortSignal.");
  }
}

const PROVIDER_MAX_BYTES = 2 * 1024 * 1024;

/** A provider whose requests stay on the origins it declared, whatever it or a redirect asks for. */
function confined(provider: Provider, transport: Transport): Provider {
  const { id, capabilities, origins } = provider;
  const fetch = createJailedFetch({ transport, allowedOrigins: origins, maxBytes: PROVIDER_MAX_BYTES });
  return { id, capabilities, origins, search: (query, context) => provider.search(query, { ...context, fetch }) };
}

function providerSettings({ keys, search }: Settings): Readonly<Record<string, object>> {
  return { brave: { apiKey: keys.brave }, tavily: { apiKey: keys.tavily }, searxng: { baseUrl: search.searxngUrl } };
}

/** The user's own SearXNG may be private; exactly its origin is trusted, and for searching only. */
function searchJail({ search: { searxngUrl }, jail }: Settings, resolve: JailOptions["resolve"]): Jail {
  const own = searxngUrl === undefined ? [] : [{ origin: new URL(searxngUrl).origin, name: "search.searxngUrl" }];
  const networks = jail.exemptions.filter((exemption) => "network" in exemption);
  const { deny, nat64Prefixes } = jail;
  return createJail({ exemptions: [...own, ...networks], deny, nat64Prefixes, resolve });
}

/** Appends whole lines, so that several processes can share a file. A file that cannot be written is said at once. */
function appendTo(file: string): (line: string) => void {
  let failed = false;
  const append = (line: string) => appendFileSync(file, line, { mode: 0o600 });
  const sentence = ({ code = "unknown reason" }: NodeJS.ErrnoException) =>
    `The event log ${file} cannot be written: ${code}.`;
  try {
    append("");
  } catch (cause) {
    throw new ConfigError("storage_failed", sentence(cause as NodeJS.ErrnoException), { cause });
  }
  return (line) => {
    try {
      append(line);
      failed = false;
    } catch (cause) {
      // A full disk must not stop the work, and must not go unnoticed either.
      if (!failed) process.emitWarning(sentence(cause as NodeJS.ErrnoException), "PosternWarning");
      failed = true;
    }
  };
}
