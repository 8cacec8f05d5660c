import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.js";
import { createOutput, EXIT_CODES, reportError } from "./output.js";

/**
 * The command `postern`. Each subcommand's code is imported when it runs, so that `--version` pays for nothing.
 * @returns the exit code; never throws.
 */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT_CODES.ok;
  const wantsJson = args.includes("--json");
  const program = new Command("postern")
    .description("The guarded door between an AI agent and the web.")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(--help shows examples)")
    .showSuggestionAfterError()
    .configureOutput(wantsJson ? { writeErr: () => undefined } : {})
    .addHelpText(
      "after",
      examples([
        ['postern search "undici proxy agent"', "search the web and the indexed documentation"],
        ["postern fetch https://example.com/", "read a page as Markdown"],
        ["postern index add node_modules", "index the documentation of what is installed here"],
        ["postern mcp", "serve both tools to a coding agent over stdio"],
        ["postern doctor", "see what works here and what to do about the rest"],
      ]),
    );
  const run =
    <Rest extends unknown[]>(action: (...rest: Rest) => Promise<number>) =>
    async (...rest: Rest): Promise<void> => {
      exitCode = await action(...rest);
    };

  program
    .command("search")
    .summary("search the web and the indexed documentation")
    .argument("<query...>", "what to look for")
    .option("-n, --count <number>", "results, 1 to 20", whole(1, 20))
    .option("--site <domain>", "only this domain")
    .option("--sites <domains>", "only these domains, comma separated", list)
    .option("--exclude-sites <domains>", "not these domains, comma separated", list)
    .addOption(new Option("--freshness <span>", "only results this new").choices(["day", "week", "month", "year"]))
    .option("--country <code>", "two letters, such as de")
    .option("--lang <tag>", "language, such as en")
    .option("--cursor <more>", "go on from an earlier result's `more`")
    .option("--provider <ids>", "provider, or several in order, comma separated; `local` is the offline index")
    .option("--no-web", "ask only the offline index")
    .option("--proxy <url>", "go through this proxy; `env` for HTTPS_PROXY and the like, `none` for no proxy")
    .option("--timeout <seconds>", "deadline of the whole search", number(0.1, 120))
    .option("--fenced", "print exactly what a model would get")
    .option("--json", "print the result as JSON")
    .option("-q, --quiet", "print results only")
    .addHelpText(
      "after",
      examples([
        ['postern search "ERR_REQUIRE_ESM node 20"', ""],
        ['postern search --site nodejs.org -n 3 "worker threads"', ""],
        ['postern search --provider local "send requests through a proxy"', "what is installed here, offline"],
        ['postern search --json "zod discriminated union" | jq -r ".results[].url"', ""],
      ]),
    )
    .action(run(async (query, options) => (await import("./search.js")).searchCommand(query, options)));

  program
    .command("fetch")
    .summary("read a page as Markdown")
    .argument("<url>", "an http(s) URL, or a docs: URL of a search result")
    .option("--section <heading>", "only this section, by heading or number")
    .option("--find <text>", "only the passages around this text")
    .option("--offset <characters>", "go on at this character", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--max-bytes <bytes>", "print at most this much text", whole(1, Number.MAX_SAFE_INTEGER))
    .option("--all", "print the whole text, however long")
    .option("--outline", "print the page's headings only")
    .option("--fenced", "print exactly what a model would get")
    .option("--allow-origin <origin>", "let this exact origin be private, such as http://localhost:3000", collect)
    .option("--proxy <url>", "go through this proxy; `env` for HTTPS_PROXY and the like, `none` for no proxy")
    .option("--timeout <seconds>", "deadline of the whole fetch", number(0.1, 120))
    .option("--json", "print the result as JSON")
    .option("-q, --quiet", "print the text only")
    .addHelpText(
      "after",
      examples([
        ["postern fetch https://nodejs.org/api/worker_threads.html --outline", ""],
        ["postern fetch https://nodejs.org/api/worker_threads.html --section 2.1", ""],
        ["postern fetch docs:undici@7.30.2/README.md --find proxy", "a page of the offline index"],
        ["postern fetch http://localhost:3000/ --allow-origin http://localhost:3000", "your own dev server"],
      ]),
    )
    .action(run(async (url, options) => (await import("./fetch.js")).fetchCommand(url, options)));

  const index = program.command("index").summary("the offline index of documentation");
  index
    .command("add")
    .summary("read documentation into the index")
    .argument("<paths...>", "node_modules, a package, a folder of documents or one file")
    .option("--json", "print the report as JSON")
    .option("-q, --quiet", "print nothing but errors")
    .addHelpText(
      "after",
      examples([
        ["postern index add node_modules", "READMEs, docs, changelogs and types of what is installed"],
        ["postern index add node_modules ./docs", ""],
      ]),
    )
    .action(run(async (paths, options) => (await import("./docs-index.js")).indexAddCommand(paths, options)));
  index
    .command("status")
    .summary("what the index holds")
    .option("--json", "print it as JSON")
    .action(run(async (options) => (await import("./docs-index.js")).indexStatusCommand(options)));
  index
    .command("remove")
    .summary("take packages out of the index")
    .argument("<packages...>", "names, or name@version")
    .option("--json", "print the outcome as JSON")
    .action(run(async (names, options) => (await import("./docs-index.js")).indexRemoveCommand(names, options)));
  index
    .command("clear")
    .summary("remove the index")
    .option("--json", "print the outcome as JSON")
    .action(run(async (options) => (await import("./docs-index.js")).indexClearCommand(options)));

  program
    .command("mcp")
    .summary("serve both tools over MCP on stdio")
    .option("--no-web", "answer only from the offline index")
    .addOption(
      new Option(
        "--approval <who>",
        "host (default): the agent's host asks its user; rules: only hosts in `policy.allow`",
      ).choices(["host", "rules"]),
    )
    .option("--provider <ids>", "search provider, or several in order, comma separated")
    .option("--proxy <url>", "go through this proxy; `env` for HTTPS_PROXY and the like, `none` for no proxy")
    .option("--allow-origin <origin>", "let this exact origin be private, such as http://localhost:3000", collect)
    .addHelpText("after", examples([["claude mcp add postern -- npx -y postern mcp", "add it to Claude Code"]]))
    .action(run(async (options) => (await import("./mcp.js")).mcpCommand(options)));

  program
    .command("config")
    .summary("every setting, its value and where it comes from")
    .argument("[path]", "one setting, such as fetch.timeoutMs")
    .option("--json", "print it as JSON")
    .action(run(async (path, options) => (await import("./config.js")).configCommand(path, options)));

  program
    .command("doctor")
    .summary("what works here, and what to do about the rest")
    .option("--json", "print it as JSON")
    .action(run(async (options) => (await import("./doctor.js")).doctorCommand(options)));

  program
    .command("demo")
    .summary("see search, reading and the jail at work, without a key or the internet")
    .option("--json", "print each step as a JSON line")
    .action(run(async (options) => (await import("./demo.js")).demoCommand(options)));

  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    const output = createOutput({ json: wantsJson });
    if (!(error instanceof CommanderError)) return reportError(error, output);
    // Commander has said what is wrong, but for --json; help and version are not errors.
    if (error.exitCode === 0) return EXIT_CODES.ok;
    if (wantsJson)
      output.json({ error: { code: "usage_error", message: error.message, hint: "--help shows examples." } });
    return EXIT_CODES.usage;
  }
}

function number(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= minimum && value <= maximum)) {
      throw new InvalidArgumentError(
        maximum === Number.MAX_SAFE_INTEGER
          ? `It must be a number from ${minimum}.`
          : `It must be a number from ${minimum} to ${maximum}.`,
      );
    }
    return value;
  };
}

function whole(minimum: number, maximum: number): (text: string) => number {
  const read = number(minimum, maximum);
  return (text) => {
    if (!Number.isInteger(Number(text))) throw new InvalidArgumentError("It must be a whole number.");
    return read(text);
  };
}

function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function examples(rows: readonly (readonly [command: string, what: string])[]): string {
  return `\nExamples:\n${rows.map(([command, what]) => `  $ ${command}${what === "" ? "" : `\n      ${what}`}`).join("\n")}\n`;
}
