import { BudgetError } from "./errors.js";
import { openDeadline } from "./fetch/deadline.js";
import { distil } from "./fetch/distil.js";
import { present, usageOf, viewRequest } from "./fetch/present.js";
import { recall } from "./fetch/recall.js";
import type { FetchRooms } from "./fetch/rooms.js";
import { parseTarget, wholeUrl } from "./fetch/target.js";
import { viewPage } from "./reading/index.js";
import type { FetchRequest, FetchResult } from "./types.js";

/** One fetch, top to bottom. `signal` ends it. */
export async function webFetch(request: FetchRequest, rooms: FetchRooms, signal: AbortSignal): Promise<FetchResult> {
  const caller = request.caller ?? "user";
  const span = rooms.session.events.start("fetch", { url: String(request.url) });
  const deadline = openDeadline(rooms.limits.timeoutMs, signal);
  try {
    const target = parseTarget(request, rooms.jail);
    if (target.kind === "web") {
      await deadline.suspend(rooms.policy.approveFetch({ url: wholeUrl(target), caller, hop: 0 }));
    }
    const { snapshot, cacheHit } = await recall(target, request, rooms, span, deadline);
    const answer = await distil(request, snapshot, rooms, deadline.signal);
    const view = viewPage(answer.page, viewRequest(request, target, snapshot, rooms.limits));
    const usage = usageOf(snapshot, cacheHit, span.elapsedMs());
    rooms.session.ledger.add({ tool: "web_fetch", ...usage });
    rooms.policy.remember([request.url, snapshot.finalUrl, ...snapshot.page.links]);
    if (caller === "model") rooms.policy.taint(snapshot.page.findings.length > 0 ? "finding" : "untrusted");
    span.finish({ outcome: snapshot.outcome, status: snapshot.status, bytes: usage.wireBytes, cacheHit });
    return present(request, target, snapshot, view, usage, answer.warnings);
  } catch (cause) {
    const error: unknown = deadline.signal.aborted ? deadline.signal.reason : cause;
    if (error instanceof BudgetError) span.emit({ type: "budget.exhausted", budget: String(error.details.budget) });
    span.fail(error);
    throw error;
  } finally {
    deadline.close();
  }
}
