// Both tools in an MCP server of your own, with your own rules: `npx tsx examples/mcp-server.ts`.
import { createPostern } from "postern";
import { serveMcp } from "postern/mcp";

await serveMcp({
  open: async () =>
    createPostern({ policy: { approval: "allow", deny: ["intranet.example"] }, budget: { maxRequests: 100 } }),
});
