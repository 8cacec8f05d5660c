import type * as z from "zod";

interface Exempted {
  readonly origin: string;
  readonly name: string;
}

interface ExemptedNetwork {
  readonly network: string;
  readonly name: string;
}

interface Pinned extends Exempted {
  readonly sha256: string;
}

/** The settings as rooms read them: complete, checked, grouped as in `config.json`. What each means stands in `SETTINGS`. */
export interface Settings {
  readonly search: {
    readonly provider: string | readonly string[];
    readonly searxngUrl?: string;
    readonly timeoutMs: number;
  };
  readonly keys: { readonly brave?: string; readonly tavily?: string };
  readonly fetch: {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    readonly maxRedirects: number;
    readonly maxChars: number;
    readonly cacheTtlMs: number;
    readonly cacheMaxBytes: number;
    readonly userAgent?: string;
  };
  readonly jail: {
    readonly ports: readonly number[];
    readonly exemptions: readonly (Exempted | ExemptedNetwork)[];
    readonly deny: readonly string[];
    readonly nat64Prefixes: readonly string[];
    readonly caFiles: readonly string[];
    readonly tlsExceptions: readonly Pinned[];
  };
  readonly proxy: {
    readonly url: string;
    readonly bypass: readonly string[];
    readonly dns: "local" | "proxy";
  };
  readonly policy: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
    readonly approval: "ask" | "allow";
    readonly seenOnly: boolean;
    readonly offline: boolean;
  };
  readonly budget: {
    readonly maxRequests?: number;
    readonly maxBytes?: number;
    readonly maxResults?: number;
    readonly maxDurationMs?: number;
    readonly maxCostUsd?: number;
  };
  readonly index: { readonly directory?: string };
  readonly log: { readonly file?: string };
}

type Group = keyof Settings;
type PathIn<G extends Group> = `${G}.${keyof Settings[G] & string}`;
export type SettingPath = { [G in Group]: PathIn<G> }[Group];
/** The settings as a user or a library caller writes them: every one optional. */
export type SettingsInput = {
  readonly [G in Group]?: { readonly [L in keyof Settings[G]]?: Settings[G][L] | undefined };
};
/** The type of one setting. */
export type ValueAt<P extends SettingPath> = P extends `${infer G extends Group}.${infer L}`
  ? L extends keyof Settings[G]
    ? Exclude<Settings[G][L], undefined>
    : never
  : never;

/**
 * How a project's file may change a setting. It arrives with a cloned repository, so it may only tighten:
 * `never` not at all; `lower` numbers downwards; `extend` lists of refusals by more entries; `enable` a protection
 * from off to on; `choose` among the search providers that the user already set up.
 */
export type ProjectRule = "never" | "lower" | "extend" | "enable" | "choose";

export interface Setting<T = unknown> {
  readonly schema: z.ZodType<T>;
  readonly doc: string;
  readonly project: ProjectRule;
  /** Environment variables that set it; the first one that is not empty wins. */
  readonly env?: readonly string[];
  readonly fallback?: T;
  /** Never printed, logged or put in an error. */
  readonly secret?: boolean;
  /** What may be shown of a secret one instead of `(set)`. */
  readonly shown?: (value: unknown) => string;
}
