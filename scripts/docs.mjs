// Writes the pages that are made from tables: `node scripts/docs.mjs` writes, `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { SETTING_PATHS, settingAt } from "../dist/config/index.js";
import { ERROR_CODES, EXIT_CODES } from "../dist/errors.js";
import { PROXY_FAILURES } from "../dist/net/proxy/proxy-failure.js";
import { DNS_FAILURES } from "../dist/net/resolve.js";
import { JAIL_RULES } from "../dist/net/rules.js";
import { TLS_REASONS } from "../dist/net/tls/tls-reasons.js";
import { PROVIDERS } from "../dist/search/index.js";

const PROJECT_RULES = {
  never: "no",
  lower: "may lower it",
  extend: "may add to it",
  enable: "may turn it on",
  choose: "may choose among what you set up",
};

function configuration() {
  const rows = SETTING_PATHS.map((path) => {
    const { doc, env = [], fallback, project, secret } = settingAt(path);
    const value = fallback === undefined ? (secret ? "(secret)" : "") : `\`${JSON.stringify(fallback)}\``;
    return `| \`${path}\` | ${doc} | ${value} | ${env.map((name) => `\`${name}\``).join(" ")} | ${PROJECT_RULES[project]} |`;
  });
  return `# Configuration

A value comes from the strongest place that has one: flag, project file, user file, environment, default.
\`postern config\` prints every value with its origin.

- **User file**: \`$XDG_CONFIG_HOME/postern/config.json\` (\`~/.config/postern/config.json\`). Keep it at mode 0600 when it holds keys.
- **Project file**: \`postern.config.json\`, from the working directory up to the repository's root. It arrives with a clone, so it is
  not trusted: it may only tighten, and what it may not set is ignored with a warning.
- Files are JSON, grouped by the part before the dot: \`{ "fetch": { "timeoutMs": 8000 }, "policy": { "deny": ["tracker.example"] } }\`.
- The library takes the same groups: \`createPostern({ fetch: { timeoutMs: 8000 } })\`; it reads the environment, and no file.

| setting | meaning | default | environment | project file |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

function errors() {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { kind, retryable, hint }]) =>
      `| \`${code}\` | ${kind} | ${EXIT_CODES[kind]} | ${retryable ? "yes" : "no"} | ${hint} |`,
  );
  const rules = Object.entries(JAIL_RULES).map(([rule, { says, hint }]) => `| \`${rule}\` | ${says} | ${hint} |`);
  return `# Errors

Library calls throw one of six classes, by who must act: \`ConfigError\` (the user), \`BlockedError\` (nobody: the jail or the policy
works), \`FetchError\` (retry, or another page), \`BudgetError\` (raise the budget), \`ProviderError\` (another provider),
\`ModelError\` (retry without a prompt). Each has \`code\`, \`message\`, \`hint\`, \`retryable\` and \`details\` that are safe to print;
\`isPosternError(value)\` recognises them across copies of the package. Tools never throw: a model gets one sentence with the code.

| code | class | exit code | retryable | what to do |
|---|---|---|---|---|
${rows.join("\n")}

## \`jail_refused\`

\`rule\` and \`details.rule\` say which rule, and never what stood behind the address.

| rule | what is forbidden | what to do |
|---|---|---|
${rules.join("\n")}

## \`dns_failed\`

\`details.reason\` says why.

${reasons(DNS_FAILURES)}

## \`tls_failed\`

\`details.reason\` says why. \`details.sha256\` is the fingerprint of the certificate that was presented, \`details.tlsCode\` the code of
Node.js or OpenSSL.

${reasons(TLS_REASONS)}

## \`proxy_failed\`

It is the proxy that must be looked at, and never the site. \`details.reason\` says why, \`details.status\` what the proxy answered.

${reasons(PROXY_FAILURES)}
`;
}

function reasons(table) {
  const rows = Object.entries(table).map(([reason, { says, hint, retryable }]) => {
    const text = says.replace("{party}", "server").replace("{product}", "…");
    return `| \`${reason}\` | ${text} | ${retryable ? "yes" : "no"} | ${hint} |`;
  });
  return `| reason | what happened | retryable | what to do |\n|---|---|---|---|\n${rows.join("\n")}`;
}

/** The setting that holds a provider's key or address. */
const SET_BY = { apiKey: (id) => `keys.${id}`, baseUrl: (id) => `search.${id}Url` };

function providers() {
  const rows = Object.entries(PROVIDERS).map(([id, { capabilities, credential, setup }]) => {
    const { keyless, official, maxCount, sites, freshness, paging, dates, usdPerThousand } = capabilities;
    const price = usdPerThousand === null ? "unknown" : usdPerThousand === 0 ? "free" : `$${usdPerThousand}`;
    const key =
      credential === undefined
        ? "none"
        : (settingAt(SET_BY[credential](id)).env ?? []).map((name) => `\`${name}\``).join(" ");
    return `| \`${id}\` | ${key} | ${keyless ? "yes" : "no"} | ${official ? "yes" : "no"} | ${price} | ${maxCount} | ${sites} | ${freshness} | ${paging} | ${dates ? "yes" : "no"} | ${setup} |`;
  });
  return `# Search providers

Made from what each provider's file declares. \`auto\` asks those whose key or address is set, in this order, or else the keyless ones;
the local index answers beside them when it exists. Site filters are always applied again locally, whatever a provider does.

| id | key | keyless | the vendor's own offer | per 1,000 | most results | site filter | freshness | paging | dates | set-up |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
| \`local\` | none | yes | yes | free | 20 | local | none | none | no | \`postern index add node_modules\` |
`;
}

const PAGES = { "docs/configuration.md": configuration, "docs/errors.md": errors, "docs/providers.md": providers };
const check = process.argv.includes("--check");
let stale = 0;
for (const [path, render] of Object.entries(PAGES)) {
  const file = new URL(`../${path}`, import.meta.url);
  const text = render();
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    stale += 1;
    console.error(`${path} is stale: run \`node scripts/docs.mjs\`.`);
  }
}
process.exit(stale === 0 ? 0 : 1);
