import { LRUCache } from "lru-cache";

/** Answers of one session by what was asked, without an age: an identical question costs nothing twice. */
export interface Memo<V> {
  get(question: MemoQuestion): Promise<V | undefined>;
  set(question: MemoQuestion, answer: V): Promise<void>;
  clear(): Promise<void>;
}

/** Plain data. The order of fields, `undefined` ones, empty lists and spaces around a string make no difference. */
export type MemoQuestion = Readonly<Record<string, unknown>>;

const DEFAULT_MAX_ENTRIES = 500;

export function createMemo<V extends object>(maxEntries: number = DEFAULT_MAX_ENTRIES): Memo<V> {
  const answers = new LRUCache<string, V>({ max: Math.max(1, maxEntries) });
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
