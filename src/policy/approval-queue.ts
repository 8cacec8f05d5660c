import { BlockedError } from "../errors.js";
import { escapeInvisible } from "../guard/escape-invisible.js";
import { sanitise } from "../guard/sanitise.js";
import type { ApprovalAnswer, ApprovalRequest, Approver, PolicyEvent } from "./approver.js";

export interface Question {
  readonly request: ApprovalRequest;
  /** Asked again when its turn comes: an answer to the question before may cover it. */
  readonly stillNeeded: () => boolean;
  readonly onApproved: (answer: Exclude<ApprovalAnswer["answer"], "no">) => void;
}

/** Puts questions to a person one after the other. */
export interface ApprovalQueue {
  /**
   * Resolves when approved, throws `BlockedError` (`approval_refused`) when not. Calls at one time for the same detail
   * and the same reasons share one question.
   */
  ask(question: Question): Promise<void>;
}

const MAX_REASON_CHARS = 500;

export function createApprovalQueue(approver: Approver, onEvent: (event: PolicyEvent) => void): ApprovalQueue {
  const open = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  async function put({ request, onApproved }: Question): Promise<void> {
    const { tool, detail, host = "", reasons } = request;
    onEvent({ type: "approval.asked", tool, host, detailChars: detail.length, reasons });
    const answer = await answered(request);
    onEvent({ type: "approval.answered", tool, answer: answer.answer });
    if (!isApproval(answer)) throw refused(answer.reason);
    onApproved(answer.answer);
  }

  async function answered(request: ApprovalRequest): Promise<ApprovalAnswer> {
    try {
      return await approver({ ...request, detail: escapeInvisible(request.detail) });
    } catch (cause) {
      onEvent({ type: "approval.answered", tool: request.tool, answer: "failed" });
      throw new BlockedError("approval_refused", "approver_failed", "The question for approval was not answered.", {
        cause,
      });
    }
  }

  return {
    ask(question) {
      const { tool, detail, reasons } = question.request;
      const key = JSON.stringify([tool, detail, reasons]);
      const shared = open.get(key);
      if (shared !== undefined) return shared;
      const asked = last.then(() => (question.stillNeeded() ? put(question) : undefined));
      open.set(key, asked);
      last = asked
        .catch(() => undefined)
        .then(() => {
          open.delete(key);
        });
      return asked;
    },
  };
}

/** Only the known words approve: an answer from outside may be anything. */
function isApproval(answer: ApprovalAnswer): answer is Exclude<ApprovalAnswer, { readonly answer: "no" }> {
  return answer.answer === "once" || answer.answer === "always_tool" || answer.answer === "always_host";
}

function refused(reason: string | undefined): BlockedError {
  const said = sanitise(reason ?? "")
    .text.replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_REASON_CHARS);
  const message = said === "" ? "The user said no." : `The user said no: ${said}`;
  return new BlockedError("approval_refused", "user_refused", message, {
    hint: "Go on without it, or ask the user what to do instead.",
  });
}
