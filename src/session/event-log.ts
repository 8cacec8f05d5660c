import { createHash } from "node:crypto";
import { isPosternError } from "../errors.js";
import type { EventBody, FailureSummary, PosternEvent, Spans } from "./events.js";
import { redactSecrets, redactUrl } from "./redact.js";

export interface EventLogOptions {
  /** Gets each event as one JSON line with its line break. What it throws is ignored. */
  readonly write?: ((line: string) => void) | undefined;
  /** What it throws, or its promise rejects with, is ignored: a listener never breaks a call. */
  readonly onEvent?: ((event: PosternEvent) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export interface EventLog {
  /** Opens a call: emits `<noun>.started`. */
  start<N extends keyof Spans>(noun: N, fields: Spans[N]["start"]): Span<N>;
  /** An event that belongs to no call. */
  emit(event: EventBody): void;
}

/** One call. Ends once: what is told after `finish` or `fail` is dropped. */
export interface Span<N extends keyof Spans = keyof Spans> {
  readonly id: string;
  elapsedMs(): number;
  /** An event within the call. */
  emit(event: EventBody): void;
  finish(summary: Spans[N]["summary"]): void;
  /** Tells the error by its code, and the rule, reason or stage among its details. */
  fail(error: unknown): void;
}

/** No call; events that stand alone. */
const NO_SPAN = "-";

export function createEventLog(options: EventLogOptions = {}): EventLog {
  // Counted from 1970 and, unlike the system's clock, never turned back.
  const { write, onEvent, now = () => performance.timeOrigin + performance.now() } = options;
  let spans = 0;

  function emit(id: string, body: EventBody): void {
    if (write === undefined && onEvent === undefined) return;
    const event: PosternEvent = { time: new Date(now()).toISOString(), id, ...redacted(body) };
    attempt(() => onEvent?.(event));
    attempt(() => write?.(`${JSON.stringify(event)}\n`));
  }

  return {
    start(noun, fields) {
      spans += 1;
      const id = `${noun}-${spans}`;
      const startedMs = now();
      let open = true;
      const within = (body: EventBody): void => {
        if (open) emit(id, body);
      };
      const end = (ending: object): void => {
        // The signatures of `start`, `finish` and `fail` hold noun and fields together; the compiler cannot see it here.
        within({ ...ending, durationMs: Math.round(now() - startedMs) } as EventBody);
        open = false;
      };
      within(started(fields));
      return {
        id,
        elapsedMs: () => now() - startedMs,
        emit: within,
        finish: (summary) => end({ type: `${noun}.finished`, ...summary }),
        fail: (error) => end({ type: `${noun}.failed`, ...failureSummary(error) }),
      };
    },
    emit: (event) => emit(NO_SPAN, event),
  };
}

function failureSummary(error: unknown): FailureSummary {
  if (!isPosternError(error)) return { code: "internal_error" };
  const told = ["rule", "reason", "stage"].flatMap((name) => {
    const value = error.details[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return { code: error.code, ...Object.fromEntries(told) };
}

function started(fields: Spans[keyof Spans]["start"]): EventBody {
  if ("url" in fields) return { type: "fetch.started", url: fields.url };
  const queryHash = createHash("sha256").update(fields.query).digest("hex").slice(0, 16);
  return { type: "search.started", queryChars: fields.query.length, queryHash };
}

/** The last gate: whoever emits, no URL leaves here with its query and no string with a secret. */
function redacted(body: EventBody): EventBody {
  const clean = Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [name, redactedValue(name, value)]),
  );
  return clean as EventBody;
}

function redactedValue(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return name === "url" ? redactUrl(value) : redactSecrets(value);
}

function attempt(notify: () => unknown): void {
  try {
    const result = notify();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // A listener's fault is the listener's.
  }
}
