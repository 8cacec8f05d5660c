import { Server, type Tool } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Postern } from "../postern.js";
import { INSTRUCTIONS, TOOLS, type ToolName } from "../tools/definitions.js";
import { VERSION } from "../version.js";

export interface McpOptions {
  /** Called at the first tool call, once; the server closes what it opened. */
  readonly open: () => Promise<Postern>;
}

/** A Postern behind MCP: one server factory for both protocol eras, and the door to close. */
export interface McpDoor {
  /** For `serveStdio` or `createMcpHandler` of `@modelcontextprotocol/server`. */
  readonly factory: () => Server;
  close(): Promise<void>;
}

/**
 * Both tools over MCP. A result is one fenced text block and no `structuredContent`: hosts show a model only the latter
 * when both are there, and the fence lives in the text. Failures and wrong arguments are `isError` text, never protocol
 * errors. `readOnlyHint` makes some hosts run the tools unasked, so the user's own host rules are the gate.
 */
export function createMcpDoor(options: McpOptions): McpDoor {
  let opening: Promise<Postern> | undefined;
  const open = () => {
    opening ??= options.open().catch((error: unknown) => {
      // What was wrong may have been mended by the next call.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    factory() {
      const server = new Server(
        { name: "postern", title: "Postern", version: VERSION },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
      );
      server.setRequestHandler("tools/list", () => ({ tools: listedTools() }));
      server.setRequestHandler("tools/call", async (request, context) => {
        const { runTool } = await import("../tools/run-tool.js");
        const { name, arguments: input } = request.params;
        const { text, isError } = await runTool(open, name, input ?? {}, {
          caller: "model",
          signal: context.mcpReq.signal,
        });
        return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
      });
      return server;
    },
    async close() {
      const postern = await opening?.catch(() => undefined);
      await postern?.close();
    },
  };
}

/** Serves on this process's stdin and stdout until stdin ends or the process is told to stop. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const door = createMcpDoor(options);
  const stdio = serveStdio(door.factory, {
    onerror: ({ message }) => process.stderr.write(`postern: ${message.split("\n", 1)[0]?.slice(0, 200)}\n`),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    process.once("SIGTERM", () => resolve()).once("SIGINT", () => resolve());
  });
  await stdio.close();
  await door.close();
  process.stdin.destroy();
}

function listedTools(): Tool[] {
  return (Object.keys(TOOLS) as ToolName[]).map((name) => {
    const { title, description, inputSchema } = TOOLS[name];
    return {
      name,
      title,
      description,
      inputSchema: inputSchema() as Tool["inputSchema"],
      annotations: { readOnlyHint: true, openWorldHint: true, destructiveHint: false, idempotentHint: true },
      // Claude Code otherwise withholds the schema until the model searches for the tool.
      _meta: { "anthropic/alwaysLoad": true },
    };
  });
}
