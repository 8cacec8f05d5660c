import { describe, expect, it } from "vitest";
import type { NetEvent } from "../../../src/net/index.js";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer } from "../../helpers/raw-server.js";
import { describeError } from "./bench.js";
import { redirecting, requestLines } from "./redirecting.js";

describe("a redirect of a request that is no GET", () => {
  const body = '{"k":1}';
  const same: readonly [
    method: "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE",
    statuses: readonly number[],
    then: string,
  ][] = [
    ["HEAD", [301, 302, 303, 307, 308], "HEAD /there"],
    ["OPTIONS", [301, 302, 307, 308], "OPTIONS /there"],
    ["POST", [301, 302, 303], "GET /there"],
    ["PUT", [303], "GET /there"],
    ["PATCH", [303], "GET /there"],
    ["DELETE", [303], "GET /there"],
    ["POST", [307, 308], "POST /there"],
    ["PUT", [307, 308], "PUT /there"],
    ["PATCH", [307, 308], "PATCH /there"],
    ["DELETE", [307, 308], "DELETE /there"],
    ["PUT", [301, 302], "jail_refused redirect_method"],
    ["PATCH", [301, 302], "jail_refused redirect_method"],
    ["DELETE", [301, 302], "jail_refused redirect_method"],
  ];
  const rows = same.flatMap(([method, statuses, becomes]) => statuses.map((status) => ({ method, status, becomes })));

  it.each(rows)("$method, $status at the same origin: $becomes", async ({ method, status, becomes }) => {
    const own =
      method === "HEAD" || method === "OPTIONS" ? {} : { body, headers: { "content-type": "application/json" } };
    const { outcome, server } = await redirecting(`${status} Go\r\nlocation: /there`, { method, ...own });
    const second = requestLines(server)[1];
    expect(outcome.startsWith("jail_refused") ? outcome : second).toBe(becomes);
    const sent = server.received.join("");
    const isRepeated = second?.startsWith(method) === true && method !== "HEAD" && method !== "OPTIONS";
    expect(sent.split(body).length - 1).toBe(own.body === undefined ? 0 : isRepeated ? 2 : 1);
    expect(sent.match(/^content-type: /gm)?.length ?? 0).toBe(own.body === undefined ? 0 : isRepeated ? 2 : 1);
  });

  const across = rows.map((row) => {
    const isSafe = row.method === "HEAD" || row.method === "OPTIONS" || row.becomes.startsWith("GET");
    return { ...row, becomes: isSafe ? row.becomes : "jail_refused redirect_method" };
  });
  it.each(across)("$method, $status to another origin: $becomes", async ({ method, status, becomes }) => {
    const other = await serve((socket) => socket.write(answer("200 OK")));
    const server = await serve((socket) => socket.write(answer(`${status} Go`, { location: `${other.origin}/there` })));
    const events: NetEvent[] = [];
    const outcome = await transportTo([server, other])
      .request({
        url: server.origin,
        method,
        ...(method === "HEAD" || method === "OPTIONS" ? {} : { body }),
        headers: { "content-type": "application/json", "x-api-key": "1" },
        onEvent: (event) => events.push(event),
      })
      .then(() => "200", describeError);
    if (becomes.startsWith("jail_refused")) {
      expect([outcome, other.connections]).toEqual([becomes, 0]);
      expect(events.at(-1)).toMatchObject({ type: "hop.blocked", hop: 1, rule: "redirect_method" });
    } else {
      expect([outcome, requestLines(other)]).toEqual(["200", [becomes]]);
      expect(other.received.join("")).not.toMatch(/\{"k"|content-type|x-api-key/);
    }
  });

  it("is handed back unjudged to whoever follows it themselves", async () => {
    const { outcome, server } = await redirecting("301 Moved\r\nlocation: /there", {
      method: "DELETE",
      redirect: "manual",
    });
    expect([outcome, requestLines(server)]).toEqual(["301 ", ["DELETE /"]]);
  });
});
