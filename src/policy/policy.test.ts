import { describe, expect, test } from "vitest";
import { BlockedError } from "../errors.js";
import type { ApprovalAnswer, ApprovalRequest, Approver, PolicyEvent } from "./approver.js";
import { createPolicy, type Policy } from "./policy.js";

const PAGE = new URL("https://docs.example.com/guide");
const KEY = "AKIAIOSFODNN7EXAMPLE";

function recorder(...answers: ApprovalAnswer[]): Approver & { readonly asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    asked.push(request);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return answers[asked.length - 1] ?? answers.at(-1) ?? { answer: "once" };
  };
  return Object.assign(approver, { asked });
}

const modelFetch = (policy: Policy, url: string | URL = PAGE, hop = 0) =>
  policy.approveFetch({ url: new URL(url), caller: "model", hop });
const modelSearch = (policy: Policy, query = "undici proxy agent") =>
  policy.approveSearch({ query, origins: ["https://api.search.example"], caller: "model" });

async function ruleOf(attempt: Promise<void>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof BlockedError ? `${error.code} ${error.rule}` : `not refused: ${String(error)}`;
}

describe("a call of a user", () => {
  test("is approved already, whatever it holds", async () => {
    const approver = recorder();
    const policy = createPolicy({ approver, rules: { ask: ["docs.example.com"] }, seenOnly: true });
    await policy.approveFetch({ url: new URL(`https://docs.example.com/?k=${KEY}`), caller: "user", hop: 0 });
    await policy.approveSearch({ query: KEY, origins: ["https://api.search.example"], caller: "user" });
    expect(approver.asked).toEqual([]);
  });

  test("meets deny rules, on redirects too", async () => {
    const policy = createPolicy({ rules: { deny: ["evil.example"] } });
    const url = new URL("https://www.evil.example/");
    expect(await ruleOf(policy.approveFetch({ url, caller: "user", hop: 2 }))).toBe("policy_refused host_denied");
    const search = policy.approveSearch({ query: "x", origins: ["https://evil.example"], caller: "user" });
    expect(await ruleOf(search)).toBe("policy_refused host_denied");
  });

  test("meets offline", async () => {
    const policy = createPolicy({ offline: true });
    expect(await ruleOf(policy.approveFetch({ url: PAGE, caller: "user", hop: 0 }))).toBe("policy_refused offline");
    await policy.approveSearch({ query: "local documentation", origins: [], caller: "model" });
  });
});

describe("a call of a model", () => {
  test("asks at first use with all that leaves", async () => {
    const approver = recorder();
    await modelFetch(createPolicy({ approver }), "https://docs.example.com/guide?q=1");
    expect(approver.asked).toEqual([
      {
        tool: "web_fetch",
        detail: "https://docs.example.com/guide?q=1",
        host: "docs.example.com",
        reasons: ["This tool has not been approved for this host yet."],
      },
    ]);
  });

  test("shows the person what cannot be seen, and remembers what was meant", async () => {
    const approver = recorder();
    const policy = createPolicy({ approver });
    await modelSearch(policy, "weather\u{E0041}\u2800\u202E today ❤️");
    expect(approver.asked[0]).toMatchObject({
      detail: "weather\\u{E0041}\\u{2800}\\u{202E} today ❤\\u{FE0F}",
      reasons: ["It holds invisible characters."],
    });
    await modelSearch(policy, "می‌خواهم");
    expect(approver.asked[1]?.detail).toBe("می‌خواهم");
  });

  test("is refused when nobody can be asked", async () => {
    const policy = createPolicy();
    expect(await ruleOf(modelFetch(policy))).toBe("approval_refused unattended");
    expect(await ruleOf(modelSearch(policy))).toBe("approval_refused unattended");
  });

  test("`once` holds for one call, `always_host` for the host, `always_tool` for the tool", async () => {
    const approver = recorder({ answer: "once" }, { answer: "always_host" }, { answer: "always_tool" });
    const policy = createPolicy({ approver });
    await modelFetch(policy, "https://a.example/1");
    await modelFetch(policy, "https://a.example/2");
    await modelFetch(policy, "https://a.example/3");
    expect(approver.asked).toHaveLength(2);
    await modelFetch(policy, "https://b.example/");
    await modelFetch(policy, "https://c.example/");
    expect(approver.asked).toHaveLength(3);
    await modelSearch(policy);
    expect(approver.asked).toHaveLength(4);
  });

  test("a no carries the user's sentence to the model, on one bounded line", async () => {
    const reason = `Use the\nlocal docs\u202E. ${"x".repeat(2_000)}`;
    const policy = createPolicy({ approver: recorder({ answer: "no", reason }) });
    const error = await modelFetch(policy).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "approval_refused", rule: "user_refused" });
    const { message } = error as BlockedError;
    expect(message).toMatch(/^The user said no: Use the local docs\. x/);
    expect(message.length).toBeLessThan(600);
  });

  test("a question that fails is a no", async () => {
    const policy = createPolicy({ approver: () => Promise.reject(new Error("terminal closed")) });
    expect(await ruleOf(modelFetch(policy))).toBe("approval_refused approver_failed");
    const thrower = createPolicy({
      approver: () => {
        throw new Error("at once");
      },
    });
    expect(await ruleOf(modelFetch(thrower))).toBe("approval_refused approver_failed");
  });

  test("an answer that is none of the four is a no", async () => {
    const policy = createPolicy({ approver: async () => JSON.parse('{"answer":"yes"}') as ApprovalAnswer });
    expect(await ruleOf(modelFetch(policy))).toBe("approval_refused user_refused");
  });

  test("rules decide before anyone is asked", async () => {
    const approver = recorder();
    const policy = createPolicy({ approver, rules: { allow: ["good.example"], deny: ["evil.example"] } });
    await modelFetch(policy, "https://good.example/");
    expect(await ruleOf(modelFetch(policy, "https://x.evil.example/"))).toBe("policy_refused host_denied");
    expect(approver.asked).toEqual([]);
  });

  test("a host of the ask list is asked each time, whatever was answered before", async () => {
    const approver = recorder({ answer: "always_tool" });
    const policy = createPolicy({ approver, rules: { ask: ["careful.example"] } });
    for (const path of ["a", "b", "b"]) await modelFetch(policy, `https://careful.example/${path}`);
    expect(approver.asked).toHaveLength(3);
  });

  test("`approval: allow` skips the first question and nothing else", async () => {
    const policy = createPolicy({ approval: "allow", rules: { ask: ["careful.example"] } });
    await modelFetch(policy);
    await modelSearch(policy);
    expect(await ruleOf(modelFetch(policy, "https://careful.example/"))).toBe("approval_refused unattended");
    expect(await ruleOf(modelFetch(policy, `https://a.example/?k=${KEY}`))).toBe("policy_refused outgoing_secret");
    expect(await ruleOf(modelSearch(policy, `why is ${KEY} invalid`))).toBe("policy_refused outgoing_secret");
  });

  test("a secret in an allowed URL asks, and the reasons do not repeat it", async () => {
    const approver = recorder({ answer: "always_tool" });
    const policy = createPolicy({ approver, rules: { allow: ["*"] }, sensitive: ["swordfish-7731"] });
    await modelFetch(policy, `https://a.example/?k=${KEY}`);
    await modelFetch(policy, "https://a.example/?k=swordfish-7731");
    await modelFetch(policy, "https://b.example/?k=swordfish-7731");
    expect(approver.asked).toHaveLength(3);
    expect(approver.asked.flatMap(({ reasons }) => reasons).join()).not.toMatch(/AKIA|swordfish/);
  });

  test("a URL that stood in a result may hold what looks like a secret", async () => {
    const policy = createPolicy({ approval: "allow" });
    const signed = `https://cdn.example/f?X-Amz-Credential=${KEY}`;
    expect(await ruleOf(modelFetch(policy, signed))).toBe("policy_refused outgoing_secret");
    policy.remember([`${signed}#part`, "not a url"]);
    await modelFetch(policy, signed);
    await modelFetch(policy, signed, 3);
  });

  test("seen-only lets remembered URLs and their redirects pass", async () => {
    const policy = createPolicy({ approval: "allow", seenOnly: true });
    expect(await ruleOf(modelFetch(policy))).toBe("policy_refused not_seen");
    policy.remember(["https://docs.example.com/guide#part"]);
    await modelFetch(policy);
    await modelFetch(policy, "https://moved.example/", 1);
    expect(await ruleOf(modelFetch(policy, "https://docs.example.com/other"))).toBe("policy_refused not_seen");
  });

  test("a redirect within the approved site does not ask again, one to another site does", async () => {
    const approver = recorder();
    const policy = createPolicy({ approver });
    await modelFetch(policy, "https://example.org/");
    await modelFetch(policy, "https://www.example.org/home", 1);
    expect(approver.asked).toHaveLength(1);
    await modelFetch(policy, "https://other.example.net/", 2);
    expect(approver.asked).toHaveLength(2);
  });

  test("remembered URLs are bounded, the oldest go", async () => {
    const policy = createPolicy({ approval: "allow", seenOnly: true });
    policy.remember(Array.from({ length: 20_001 }, (_, i) => `https://h.example/${i}`));
    expect(await ruleOf(modelFetch(policy, "https://h.example/0"))).toBe("policy_refused not_seen");
    await modelFetch(policy, "https://h.example/1");
    await modelFetch(policy, "https://h.example/20000");
  });
});

describe("taint", () => {
  test("after untrusted text `always_tool` holds for remembered URLs only", async () => {
    const approver = recorder({ answer: "always_tool" });
    const policy = createPolicy({ approver });
    await modelFetch(policy, "https://a.example/");
    policy.taint("untrusted");
    policy.remember(["https://b.example/linked"]);
    await modelFetch(policy, "https://b.example/linked");
    expect(approver.asked).toHaveLength(1);
    await modelFetch(policy, "https://c.example/?d=made-up");
    expect(approver.asked).toHaveLength(2);
  });

  test("after a finding everything asks again but the hosts that were approved by name", async () => {
    const approver = recorder({ answer: "always_tool" }, { answer: "always_host" }, { answer: "once" });
    const policy = createPolicy({ approver });
    await modelFetch(policy, "https://a.example/");
    policy.taint("finding");
    await modelFetch(policy, "https://b.example/");
    await modelFetch(policy, "https://b.example/again");
    expect(approver.asked).toHaveLength(2);
    policy.remember(["https://c.example/"]);
    await modelFetch(policy, "https://c.example/");
    expect(approver.asked).toHaveLength(3);
  });
});

describe("questions at the same time", () => {
  test("the same URL is asked about once and shares the answer", async () => {
    const approver = recorder({ answer: "no" });
    const policy = createPolicy({ approver });
    const rules = await Promise.all([1, 2, 3].map(() => ruleOf(modelFetch(policy))));
    expect(rules).toEqual(Array(3).fill("approval_refused user_refused"));
    expect(approver.asked).toHaveLength(1);
  });

  test("an always answers those that wait behind it", async () => {
    const approver = recorder({ answer: "always_tool" });
    const policy = createPolicy({ approver });
    await Promise.all([1, 2, 3].map((page) => modelFetch(policy, `https://a.example/${page}`)));
    expect(approver.asked).toHaveLength(1);
  });

  test("only one question is open at a time, and a no does not answer the next", async () => {
    let open = 0;
    let most = 0;
    const approver = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return request.detail.endsWith("1") ? { answer: "no" } : { answer: "once" };
    };
    const policy = createPolicy({ approver });
    const rules = await Promise.all([1, 2, 3].map((page) => ruleOf(modelFetch(policy, `https://a.example/${page}`))));
    expect(rules).toEqual(["approval_refused user_refused", "not refused: undefined", "not refused: undefined"]);
    expect(most).toBe(1);
  });
});

test("events tell what was asked, answered and refused, by host and size alone", async () => {
  const events: PolicyEvent[] = [];
  const policy = createPolicy({
    approver: recorder({ answer: "once" }, { answer: "no" }),
    rules: { deny: ["evil.example"] },
    onEvent: (event) => events.push(event),
  });
  await modelFetch(policy, "https://a.example/?q=private-words");
  await ruleOf(modelSearch(policy, "private words"));
  await ruleOf(modelFetch(policy, "https://evil.example/"));
  expect(events.map(({ type }) => type)).toEqual([
    "approval.asked",
    "approval.answered",
    "approval.asked",
    "approval.answered",
    "egress.refused",
  ]);
  expect(JSON.stringify(events)).not.toMatch(/private/);
  expect(events[0]).toMatchObject({ tool: "web_fetch", host: "a.example", detailChars: 34 });
  expect(events[4]).toEqual({ type: "egress.refused", tool: "web_fetch", rule: "host_denied" });
});
