import type { Span } from "../session/index.js";
import type { FetchRequest } from "../types.js";
import type { Deadline } from "./deadline.js";
import { loadPage, readDocs } from "./load-page.js";
import { REMEMBERED } from "./outcome.js";
import type { FetchRooms, PageSnapshot } from "./rooms.js";
import type { Target } from "./target.js";

/** The page from the session's memory, or fetched once for all who ask for it at this moment. */
export async function recall(
  target: Target,
  request: FetchRequest,
  rooms: FetchRooms,
  span: Span<"fetch">,
  deadline: Deadline,
): Promise<{ readonly snapshot: PageSnapshot; readonly cacheHit: boolean }> {
  const { cache, singleFlight } = rooms.session;
  if (target.kind === "docs") return { snapshot: await readDocs(target, rooms), cacheHit: false };
  // Callers of different standing share nothing: a person's hops met fewer rules than a model's would.
  const key = `${request.caller ?? "user"} ${request.render ?? "auto"} ${target.url}`;
  const held = request.refresh === true ? undefined : await cache.get(key);
  if (held !== undefined) {
    span.emit({ type: "cache.hit", url: target.url, tool: "web_fetch" });
    return { snapshot: held, cacheHit: true };
  }
  const flight = request.refresh === true ? `${span.id} ${key}` : key;
  const snapshot = await singleFlight.run(
    flight,
    (signal) => loadPage(target, request, rooms, span, deadline, signal),
    deadline.signal,
  );
  await cache.set(key, snapshot, { bytes: weigh(snapshot), negative: !REMEMBERED.has(snapshot.outcome) });
  return { snapshot, cacheHit: false };
}

/** UTF-16 text and the objects around it. */
const weigh = ({ page }: PageSnapshot): number => 2 * page.text.length + 200 * page.outline.length + 4_096;
