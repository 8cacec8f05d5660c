import { appendFileSync, readFileSync } from "node:fs";
import { defaultIndexDirectory, type Settings, type SettingsInput, settingsFrom } from "./config/index.js";
import { ConfigError } from "./errors.js";
import type { Distiller, PageSnapshot, Renderer } from "./fetch/rooms.js";
import { createJail, createJailedFetch, createTransport, type JailOptions } from "./net/index.js";
import { createPageReader } from "./page-reader.js";
import { type Approver, createPolicy } from "./policy/index.js";
import { createProviders, type Provider, resolveChain, runCommand, type SearchPlan } from "./search/index.js";
import { createIndexHandle, createLocalProvider } from "./search/local/index.js";
import { createSession, type Ledger, type PosternEvent } from "./session/index.js";
import type { FetchRequest, FetchResult, SearchRequest, SearchResult } from "./types.js";
import { webFetch } from "./web-fetch.js";
import { webSearch } from "./web-search.js";

/** Settings as in `config.json`, and what only a program can give. */
export interface PosternOptions extends SettingsInput {
  /** Where keys and `POSTERN_*` are read; default `process.env`. No file is read. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Asked before a model's call leaves the machine. Without one, what would be asked is refused. */
  readonly approve?: Approver;
  readonly onEvent?: (event: PosternEvent) => void;
  /** In place of the system's resolver; its answers are judged all the same. */
  readonly resolve?: JailOptions["resolve"];
  /** Providers of your own, asked when `search.provider` names them. */
  readonly providers?: readonly Provider[];
  readonly renderer?: Renderer;
  readonly distiller?: Distiller;
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
   * Searches the web and the documentation index. An empty list means that nothing was found.
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
  const { env = process.env, approve, onEvent, resolve, providers = [], renderer, distiller, ...input } = options;
  const { settings } = settingsFrom(input, env);
  const session = createSession<PageSnapshot, SearchResult>({
    budget: settings.budget,
    cacheTtlMs: settings.fetch.cacheTtlMs,
    cacheMaxBytes: settings.fetch.cacheMaxBytes,
    onEvent,
    write: settings.log.file === undefined ? undefined : appendTo(settings.log.file),
  });
  const { allow, ask, deny, approval, seenOnly, offline } = settings.policy;
  const policy = createPolicy({
    rules: { allow, ask, deny },
    approver: approve,
    approval,
    seenOnly,
    offline,
    sensitive: Object.values(settings.keys),
    onEvent: (event) => session.events.emit(event),
  });
  const ca = settings.jail.caFiles.map(readCertificates);
  const { ports, exemptions } = settings.jail;
  const jail = createJail({ ports, exemptions, resolve });
  const transport = createTransport({ jail, ca, userAgent: settings.fetch.userAgent });
  // A transport of its own: what is trusted for searching is not reachable as a page.
  const searchTransport = createTransport({ jail: createJail({ exemptions: ownInstance(settings), resolve }), ca });
  const providerFetch = createJailedFetch({ transport: searchTransport });
  const reader = createPageReader();
  const index = createIndexHandle(settings.index.directory ?? defaultIndexDirectory(env));
  const localProvider = createLocalProvider({ open: index.open });

  // Once, since a provider remembers that it was blocked.
  const available = [
    ...createProviders({ env: { PATH: env.PATH ?? process.env.PATH }, providers: providerSettings(settings) }),
    ...providers.map((provider) => ({ provider, hasCredential: false })),
  ];
  const plan = async (): Promise<SearchPlan> => {
    const local = (await index.exists()) ? localProvider : undefined;
    return offline ? { chain: [], local } : resolveChain(settings.search.provider, available, local);
  };
  let closed = false;
  const assertOpen = () => {
    if (closed) throw new ConfigError("invalid_argument", "This Postern was closed.", { hint: "Create a new one." });
  };

  return {
    async fetch(request) {
      assertOpen();
      const limits = settings.fetch;
      return webFetch(request, {
        limits,
        jail,
        transport,
        policy,
        session,
        reader,
        openIndex: index.open,
        renderer,
        distiller,
      });
    },
    async search(request) {
      assertOpen();
      const context = { fetch: providerFetch, run: runCommand };
      return webSearch(request, { plan, context, timeoutMs: settings.search.timeoutMs, policy, session });
    },
    ledger: session.ledger,
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([transport.close(), searchTransport.close(), reader.close(), index.close(), renderer?.close()]);
      await session.close();
    },
  };
}

function providerSettings({ keys, search }: Settings): Readonly<Record<string, object>> {
  return { brave: { apiKey: keys.brave }, tavily: { apiKey: keys.tavily }, searxng: { baseUrl: search.searxngUrl } };
}

/** The user's own SearXNG may be private; exactly its origin is trusted, and for searching only. */
function ownInstance({ search: { searxngUrl } }: Settings): JailOptions["exemptions"] {
  return searxngUrl === undefined ? [] : [{ origin: new URL(searxngUrl).origin, name: "search.searxngUrl" }];
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code = "unknown reason" } = cause as NodeJS.ErrnoException;
    throw new ConfigError("invalid_configuration", `\`jail.caFiles\`: ${file} cannot be read: ${code}.`, { cause });
  }
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
