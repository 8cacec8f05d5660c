import { LRUCache } from "lru-cache";

/** Answers of one session by what was asked: an identical question costs nothing twice, for a while. */
export interface Memo<V> {
  get(question: MemoQuestion): Promise<V | undefined>;
  set(question: MemoQuestion, answer: V): Promise<void>;
  clear(): Promise<void>;
}

/** Plain data. The order of fields, `undefined` ones, empty lists and spaces around a string make no difference. */
export type MemoQuestion = Readonly<Record<string, unknown>>;

const DEFAULT_MAX_ENTRIES = 500;
const DEFAULT_TTL_MS = 15 * 60_000;

export interface MemoOptions {
  readonly maxEntries?: number | undefined;
  /** Default 15 minutes. A session may live for days. */
  readonly ttlMs?: number | undefined;
  /** Milliseconds of any clock that does not run backwards. */
  readonly now?: (() => number) | undefined;
}

export function createMemo<V extends object>(options: MemoOptions = {}): Memo<V> {
  const { maxEntries = DEFAULT_MAX_ENTRIES, ttlMs = DEFAULT_TTL_MS, now = () => performance.now() } = options;
  // To the library a start at 0 means that an entry never ages.
  const started = now() - 1;
  const answers = new LRUCache<string, V>({
    max: Math.max(1, maxEntries),
    ttl: Math.max(1, ttlMs),
    ttlResolution: 0,
    perf: { now: () => now() - started },
  });
  return {
    async get(question) {
      return answers.get(memoKey(question));
    },
    async set(question, answer) {
      answers.set(memoKey(question), answer);
    },
    async clear() {
      answers.clear();
    },
  };
}

function memoKey(question: MemoQuestion): string {
  const fields = Object.entries(question)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields, (_key, value: unknown) => (typeof value === "string" ? value.trim() : value));
}
