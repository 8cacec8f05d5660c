/** Response headers as they came: names in lower case, one octet a character, repeated ones as a list. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Response headers that can be asked for in any case. */
export interface ResponseHeaders {
  /** Values joined with `, ` (RFC 9110 5.3), UTF-8 where they are UTF-8, else Latin-1; `null` when absent. */
  get(name: string): string | null;
  /** Each field line by itself. */
  getAll(name: string): readonly string[];
  /** Undecoded field lines: one octet a character, as the Fetch standard's `Headers` wants them. */
  rawEntries(): Iterable<readonly [name: string, value: string]>;
}

export function createResponseHeaders(raw: RawHeaders): ResponseHeaders {
  const linesOf = (name: string): string | readonly string[] => {
    const key = name.toLowerCase();
    return (Object.hasOwn(raw, key) ? raw[key] : undefined) ?? [];
  };
  const getAll = (name: string): readonly string[] => {
    const lines = linesOf(name);
    return typeof lines === "string" ? [decodeFieldValue(lines)] : lines.map(decodeFieldValue);
  };
  return {
    get(name) {
      const lines = linesOf(name);
      if (typeof lines === "string") return decodeFieldValue(lines);
      return lines.length === 0 ? null : getAll(name).join(", ");
    },
    getAll,
    *rawEntries() {
      for (const name of Object.keys(raw)) {
        const lines = linesOf(name);
        for (const line of typeof lines === "string" ? [lines] : lines) yield [name, line];
      }
    },
  };
}

const NON_ASCII = /[\u0080-\u00ff]/;

/** Servers send UTF-8 in fields that RFC 9110 5.5 leaves opaque; browsers read `Location` so. */
function decodeFieldValue(value: string): string {
  if (!NON_ASCII.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
