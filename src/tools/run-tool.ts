import { isPosternError } from "../errors.js";
import type { Postern } from "../postern.js";
import type { Caller, FetchResult, Outcome, SearchResult } from "../types.js";
import { WEB_FETCH, WEB_SEARCH } from "./definitions.js";
import { renderError, renderFetch, renderSearch } from "./render.js";

export interface ToolContext {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
}

/** Text for the model, and the structured result for the program. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  readonly result?: FetchResult | SearchResult;
}

/** What a model may take for the page it asked for. */
const READABLE: ReadonlySet<Outcome> = new Set(["ok", "partial", "empty", "redirect"]);

type Runner = (postern: Postern, input: unknown, context: ToolContext) => Promise<ToolOutcome>;

const RUNNERS: Readonly<Record<string, Runner>> = {
  [WEB_FETCH.name]: async (postern, input, context) => {
    const { max_bytes: maxBytes, ...request } = WEB_FETCH.parse(input);
    const result = await postern.fetch({ ...request, maxBytes, ...context });
    return { text: renderFetch(result), isError: !READABLE.has(result.outcome), result };
  },
  [WEB_SEARCH.name]: async (postern, input, context) => {
    const result = await postern.search({ ...WEB_SEARCH.parse(input), ...context });
    return { text: renderSearch(result), isError: false, result };
  },
};

/**
 * Runs a tool by name on the Postern that `open` gives. Never throws: a failure, of opening too, is one calm sentence
 * with its code and what to try.
 */
export async function runTool(
  open: () => Promise<Postern>,
  name: string,
  input: unknown,
  context: ToolContext,
): Promise<ToolOutcome> {
  const run = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (run === undefined) {
    return { text: `There is no such tool. There are ${Object.keys(RUNNERS).join(" and ")}.`, isError: true };
  }
  try {
    return await run(await open(), input, context);
  } catch (error) {
    return { text: isPosternError(error) ? renderError(error) : renderFault(), isError: true };
  }
}

/** A fault of ours may carry anything in its message, so none of it is passed on. */
function renderFault(): string {
  return "[internal_error] The call failed because of a fault in Postern. Try another page or another query.";
}
