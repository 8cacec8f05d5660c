import { isPosternError } from "../errors.js";

/** One line of `postern doctor`. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "off" | "wrong";
  readonly detail: string;
  /** What to do, when there is something to do. */
  readonly remedy?: string;
}

export function failed(name: string, error: unknown): Check {
  if (!isPosternError(error)) throw error;
  return { name, status: "wrong", detail: error.message, remedy: error.hint };
}
