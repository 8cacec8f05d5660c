/** What a person is asked before something leaves the machine. */
export interface ApprovalRequest {
  readonly tool: "web_fetch" | "web_search";
  /** The whole URL or query: it is what leaves, with characters that nobody sees written as `\u{…}`. */
  readonly detail: string;
  /** The host of a URL, or the hosts of the search providers. */
  readonly host?: string;
  /** Why it is asked, in our own words. */
  readonly reasons: readonly string[];
}

/** `no` may carry a sentence for the model. */
export type ApprovalAnswer =
  | { readonly answer: "once" }
  | { readonly answer: "always_tool" }
  | { readonly answer: "always_host" }
  | { readonly answer: "no"; readonly reason?: string };

/** Asks a person. Called for one request at a time; a rejection means no. */
export type Approver = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

/** What became of a model's wish to reach out: the host and a size, never a path or a query. */
export type PolicyEvent =
  | {
      readonly type: "approval.asked";
      readonly tool: ApprovalRequest["tool"];
      readonly host: string;
      /** Length of the URL or query. */
      readonly detailChars: number;
      readonly reasons: readonly string[];
    }
  | {
      readonly type: "approval.answered";
      readonly tool: ApprovalRequest["tool"];
      readonly answer: ApprovalAnswer["answer"] | "failed";
    }
  | { readonly type: "egress.refused"; readonly tool: ApprovalRequest["tool"]; readonly rule: string }
  /** A model has read a stranger's words (once), or something that a detector flagged (each time). */
  | { readonly type: "session.tainted"; readonly source: "untrusted" | "finding" };
