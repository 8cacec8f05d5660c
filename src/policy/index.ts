/** May this leave the machine? Host rules, approvals, the outgoing scan, seen-only. */
export type { ApprovalAnswer, ApprovalRequest, Approver, PolicyEvent } from "./approver.js";
export type { HostRuleLists, HostRules, HostVerdict } from "./host-rules.js";
export { createPolicy, type FetchEgress, type Policy, type PolicyOptions, type SearchEgress } from "./policy.js";
