import { LRUCache } from "lru-cache";

/** What a session remembers for a while. Asynchronous, so that several processes can share one elsewhere. */
export interface Cache<V> {
  get(key: string): Promise<V | undefined>;
  /** Not kept when it alone is larger than the whole cache. */
  set(key: string, value: V, options: CacheEntryOptions): Promise<void>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
}

export interface CacheEntryOptions {
  /** What it weighs in memory. */
  readonly bytes: number;
  /** A failure, kept only for `negativeTtlMs`. */
  readonly negative?: boolean | undefined;
}

export interface CacheOptions {
  /** Default 50 MB; 0 remembers nothing. The least recently used go first. */
  readonly maxBytes?: number | undefined;
  /** Default 15 minutes; 0 remembers nothing. */
  readonly ttlMs?: number | undefined;
  /** Default 5 seconds; 0 remembers no failure. */
  readonly negativeTtlMs?: number | undefined;
  /** Milliseconds of any clock that does not run backwards. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_MAX_BYTES = 50_000_000;
const DEFAULT_TTL_MS = 15 * 60_000;
const DEFAULT_NEGATIVE_TTL_MS = 5_000;

export function createCache<V extends object>(options: CacheOptions = {}): Cache<V> {
  const { maxBytes = DEFAULT_MAX_BYTES, ttlMs = DEFAULT_TTL_MS, negativeTtlMs = DEFAULT_NEGATIVE_TTL_MS } = options;
  const { now = () => performance.now() } = options;
  // To the library a start at 0 means that an entry never ages, and a size of 0 that there is no limit.
  const started = now() - 1;
  const entries = new LRUCache<string, V>({
    maxSize: Math.max(1, maxBytes),
    ttl: Math.max(1, ttlMs),
    ttlResolution: 0,
    perf: { now: () => now() - started },
  });
  return {
    async get(key) {
      return entries.get(key);
    },
    async set(key, value, { bytes, negative = false }) {
      const ttl = negative ? negativeTtlMs : ttlMs;
      if (ttl <= 0 || maxBytes <= 0) entries.delete(key);
      else entries.set(key, value, { ttl, size: Math.max(1, Math.ceil(bytes)) });
    },
    async delete(key) {
      entries.delete(key);
    },
    async clear() {
      entries.clear();
    },
  };
}
