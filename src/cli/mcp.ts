import type { Config, SettingsInput } from "../config/index.js";
import { serveMcp } from "../server/mcp.js";
import { type CommonFlags, loadSettings, posternOptions, providerFlag, proxyFlag } from "./open-postern.js";
import { printable } from "./output.js";

interface McpFlags extends CommonFlags {
  readonly approval?: "host" | "rules";
}

/**
 * Serves until stdin ends. Nothing but protocol goes to stdout; warnings go to stderr.
 * Everything that a call needs is imported at the first call, so that a host's start is not held up.
 */
export async function mcpCommand(flags: McpFlags): Promise<number> {
  const settings: SettingsInput = {
    search: providerFlag(flags.provider) ?? {},
    ...proxyFlag(flags.proxy),
    ...(flags.web === false ? { policy: { offline: true } } : {}),
  };
  const config = await loadSettings(settings);
  for (const warning of config.warnings) process.stderr.write(`postern: ${printable(warning)}\n`);
  if (process.stdin.isTTY === true) {
    process.stderr.write("postern: this speaks MCP on stdin and is meant for an agent's host; Ctrl-C leaves it\n");
  }
  await serveMcp({
    open: async () => {
      const { createPostern } = await import("../postern.js");
      const options = posternOptions(config, flags.allowOrigin);
      // A host asks its user before it calls a tool, or was told not to; the user's host rules hold all the same.
      return createPostern({ ...options, policy: { ...options.policy, approval: approvalOf(flags, config) } });
    },
  });
  return 0;
}

/** The flag, else what the user set for every model, else the host: an agent's own permissions are what it is for. */
function approvalOf({ approval }: McpFlags, { settings, origins }: Config): "ask" | "allow" {
  if (approval !== undefined) return approval === "host" ? "allow" : "ask";
  return origins.get("policy.approval")?.kind === "default" ? "allow" : settings.policy.approval;
}
