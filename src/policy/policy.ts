import { getDomain } from "tldts";
import { BlockedError } from "../errors.js";
import { judgeOutgoing } from "../guard/outgoing.js";
import { parseUrl } from "../parse-url.js";
import type { Caller } from "../types.js";
import { type ApprovalQueue, createApprovalQueue } from "./approval-queue.js";
import type { ApprovalRequest, Approver, PolicyEvent } from "./approver.js";
import { createHostRules, type HostRuleLists, type HostVerdict } from "./host-rules.js";

export interface PolicyOptions {
  readonly rules?: HostRuleLists | undefined;
  /** Asks a person; without one, what would be asked is refused. */
  readonly approver?: Approver | undefined;
  /** Whether a model's first use of a tool asks (default), or was allowed beforehand. */
  readonly approval?: "ask" | "allow" | undefined;
  /** A model may fetch only URLs that were remembered. */
  readonly seenOnly?: boolean | undefined;
  /** Nothing leaves, whoever asks. */
  readonly offline?: boolean | undefined;
  /** Strings that must not leave unasked, such as keys in the environment. */
  readonly sensitive?: readonly string[] | undefined;
  readonly onEvent?: ((event: PolicyEvent) => void) | undefined;
}

export interface FetchEgress {
  readonly url: URL;
  readonly caller: Caller;
  /** 0 for the URL that was asked for, then one more for each redirect. */
  readonly hop: number;
}

export interface SearchEgress {
  readonly query: string;
  /** Origins of the providers that may be contacted; empty when the answer comes from this machine. */
  readonly origins: readonly string[];
  readonly caller: Caller;
}

/** May this leave the machine? Asked before any DNS, for every hop. */
export interface Policy {
  /** Throws `BlockedError`, `policy_refused` or `approval_refused`. */
  approveFetch(egress: FetchEgress): Promise<void>;
  /** Throws `BlockedError`, `policy_refused` or `approval_refused`. */
  approveSearch(egress: SearchEgress): Promise<void>;
  /** Whether a rule denies any of these origins. */
  denies(origins: readonly string[]): boolean;
  /** URLs that the user gave or a tool returned: whoever wrote them knows what they hold. The newest 20,000 count. */
  remember(urls: readonly string[]): void;
  /**
   * Tells what the model has read. After `untrusted` text an "always for this tool" holds for remembered URLs only;
   * after a `finding` it is forgotten.
   */
  taint(source: "untrusted" | "finding"): void;
}

const MAX_SEEN = 20_000;

type Tool = ApprovalRequest["tool"];

interface Refusal {
  readonly code: "policy_refused" | "approval_refused";
  readonly message: string;
  readonly hint?: string;
}

/** Why something may not leave, by the rule that `BlockedError` names. */
const REFUSALS = {
  offline: {
    code: "policy_refused",
    message: "The web is turned off for this run.",
    hint: "Answer from what is known, or search the documentation index. The user may turn it on: `policy.offline`, POSTERN_OFFLINE, `--no-web`.",
  },
  host_denied: {
    code: "policy_refused",
    message: "The user's host rules deny a host on the way.",
    hint: "Try another source. The user may change `policy.deny`; `postern config` shows where it is set.",
  },
  not_seen: {
    code: "policy_refused",
    message: "Only URLs from the user or from a result may be fetched.",
    hint: "Search first, or ask the user for the URL.",
  },
  outgoing_secret: {
    code: "policy_refused",
    message: "It holds what looks like a secret.",
    hint: "Leave that part out. A person may fetch it: `postern fetch`, or a program's own call.",
  },
  unattended: {
    code: "approval_refused",
    message: "This needs the user's approval, and nobody can be asked.",
    hint: "The user may allow the host in their own configuration (`policy.allow`), or all hosts (`policy.approval`).",
  },
} satisfies Record<string, Refusal>;

/** Something about to leave, and all that a decision needs. */
interface Egress {
  readonly tool: Tool;
  readonly detail: string;
  readonly hosts: readonly string[];
  readonly verdicts: readonly (HostVerdict | undefined)[];
  readonly seen: boolean;
  readonly hop: number;
}

/** A person or a program that calls has decided already, so `user` meets only `deny` rules and `offline`. */
export function createPolicy(options: PolicyOptions = {}): Policy {
  const { approval = "ask", seenOnly = false, offline = false, sensitive = [], onEvent = () => undefined } = options;
  const rules = createHostRules(options.rules ?? {});
  const seen = new Set<string>();
  const alwaysTools = new Set<Tool>();
  const alwaysHosts = new Set<string>();
  const sitesApprovedOnce = new Set<string>();
  let tainted = false;

  const queue: ApprovalQueue | undefined = options.approver && createApprovalQueue(options.approver, onEvent);

  function remember(urls: readonly string[]): void {
    for (const url of urls) {
      const key = seenKey(url);
      if (key === undefined) continue;
      seen.delete(key);
      seen.add(key);
    }
    for (const oldest of seen) {
      if (seen.size <= MAX_SEEN) break;
      seen.delete(oldest);
    }
  }

  function recordApproval({ tool, detail, hosts }: Egress, answer: "once" | "always_tool" | "always_host"): void {
    if (answer === "always_tool") alwaysTools.add(tool);
    for (const host of hosts) {
      if (answer === "always_host") alwaysHosts.add(`${tool} ${host}`);
      if (tool === "web_fetch") sitesApprovedOnce.add(siteOf(host));
    }
    if (tool === "web_fetch") remember([detail]);
  }

  function isStanding({ tool, hosts, verdicts, seen: isSeen, hop }: Egress): boolean {
    if (approval === "allow") return true;
    if (alwaysTools.has(tool) && (!tainted || isSeen || tool === "web_search")) return true;
    return hosts.every(
      (host, index) =>
        verdicts[index] === "allow" ||
        alwaysHosts.has(`${tool} ${host}`) ||
        (hop > 0 && sitesApprovedOnce.has(siteOf(host))),
    );
  }

  /** The hosts go into the details alone: one that a redirect named is a stranger's word, and no model's to read. */
  function refuse(tool: Tool, rule: keyof typeof REFUSALS, hosts: readonly string[], detail?: string): never {
    onEvent({ type: "egress.refused", tool, rule });
    const { code, message, hint }: Refusal = REFUSALS[rule];
    throw new BlockedError(code, rule, detail ?? message, {
      details: { host: hosts.join(", ") },
      ...(hint === undefined ? {} : { hint }),
    });
  }

  function refuseForEveryone(tool: Tool, hosts: readonly string[], verdicts: Egress["verdicts"]): void {
    if (offline) refuse(tool, "offline", hosts);
    const denied = hosts.filter((_, index) => verdicts[index] === "deny");
    if (denied.length > 0) refuse(tool, "host_denied", denied);
  }

  async function approve(egress: Egress): Promise<void> {
    const { tool, detail, hosts } = egress;
    const known = egress.seen && tool === "web_fetch" ? [detail] : [];
    const outgoing = judgeOutgoing({ tool, arg: detail, seen: known, sensitive });
    const reasons = [...outgoing.reasons];
    if (egress.verdicts.includes("ask")) reasons.push("A rule says to ask for this host each time.");
    const mustAsk = reasons.length > 0;
    if (!mustAsk && isStanding(egress)) return;
    if (queue !== undefined) {
      if (!mustAsk) reasons.push("This tool has not been approved for this host yet.");
      return queue.ask({
        request: { tool, detail, host: hosts.join(", "), reasons },
        stillNeeded: () => mustAsk || !isStanding(egress),
        onApproved: (answer) => recordApproval(egress, answer),
      });
    }
    if (outgoing.verdict === "ask") refuse(tool, "outgoing_secret", hosts, outgoing.reasons.join(" "));
    refuse(tool, "unattended", hosts);
  }

  return {
    async approveFetch({ url, caller, hop }) {
      const verdict = rules.judge(url);
      refuseForEveryone("web_fetch", [url.hostname], [verdict]);
      if (caller === "user") return;
      // The server that redirects wrote the next URL, and knows what it holds.
      const isSeen = hop > 0 || seen.has(seenKey(url.href) ?? "");
      if (seenOnly && !isSeen) refuse("web_fetch", "not_seen", [url.hostname]);
      const hosts = [url.hostname];
      await approve({ tool: "web_fetch", detail: url.href, hosts, verdicts: [verdict], seen: isSeen, hop });
    },
    async approveSearch({ query, origins, caller }) {
      if (origins.length === 0) return;
      const urls = origins.map((origin) => new URL(origin));
      const verdicts = urls.map((url) => rules.judge(url));
      const hosts = urls.map((url) => url.hostname);
      refuseForEveryone("web_search", hosts, verdicts);
      if (caller === "user") return;
      await approve({ tool: "web_search", detail: query, hosts, verdicts, seen: false, hop: 0 });
    },
    denies: (origins) => origins.some((origin) => rules.judge(new URL(origin)) === "deny"),
    remember,
    taint(source) {
      if (!tainted || source === "finding") onEvent({ type: "session.tainted", source });
      tainted = true;
      if (source === "finding") alwaysTools.clear();
    },
  };
}

/** A URL without its fragment, which never reaches a server. */
function seenKey(text: string): string | undefined {
  const url = parseUrl(text);
  return url?.href.slice(0, url.href.length - url.hash.length);
}

/** What one owner registered, so that `www.` and a sibling are one site in a chain of redirects. */
function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
