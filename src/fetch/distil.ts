import { isPosternError } from "../errors.js";
import { fence } from "../guard/fence.js";
import { type ReadablePage, readText } from "../read-page.js";
import type { FetchRequest } from "../types.js";
import { REMEMBERED } from "./outcome.js";
import type { FetchRooms, PageSnapshot } from "./rooms.js";

/** With a prompt, the second model's answer in the page's place; without a model the page itself and a notice. */
export async function distil(
  { prompt }: FetchRequest,
  { page, finalUrl, outcome }: PageSnapshot,
  { distiller }: FetchRooms,
  signal: AbortSignal,
): Promise<{ readonly page: ReadablePage; readonly warnings: readonly string[] }> {
  if (prompt === undefined || prompt.trim() === "") return { page, warnings: [] };
  if (distiller === undefined)
    return { page, warnings: ["no model is set up to answer the prompt; this is the page itself"] };
  if (!REMEMBERED.has(outcome)) return { page, warnings: [`the prompt was not answered: the outcome is ${outcome}`] };
  try {
    const { text, warnings } = await distiller.distill({
      prompt,
      url: finalUrl,
      fenced: fence(page.text, finalUrl),
      signal,
    });
    return { page: { ...readText(text, page.title, "text/markdown", finalUrl), mediaType: page.mediaType }, warnings };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return { page, warnings: [`the model could not answer (${error.code}); this is the page itself`] };
  }
}
