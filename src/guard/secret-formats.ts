interface SecretFormat {
  /** What it is, as a person would say it. */
  readonly name: string;
  readonly pattern: RegExp;
}

const START = "(?<![A-Za-z0-9])";
const token = (source: string): RegExp => new RegExp(START + source, "g");

/** Published key formats of vendors, and what secrets look like in configuration. Every repetition is bounded or ends in its own class. */
const SECRET_FORMATS: readonly SecretFormat[] = [
  { name: "an AWS access key id", pattern: token("(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])") },
  { name: "a GitHub token", pattern: token("(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})") },
  { name: "a GitLab token", pattern: token("gl(?:pat|oas|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_-]{20,255}") },
  { name: "a Slack token", pattern: token("(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}") },
  { name: "a Slack webhook", pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{20,255}/g },
  { name: "a Discord webhook", pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[A-Za-z0-9_-]{30,255}/g },
  {
    name: "an Anthropic or OpenAI key",
    pattern: token("sk-(?:ant|proj|svcacct|admin|or-v1|None)-[A-Za-z0-9_-]{16,255}"),
  },
  { name: "an API key", pattern: token("sk-[A-Za-z0-9]{20,255}") },
  { name: "a Google API key", pattern: token("AIza[A-Za-z0-9_-]{35}") },
  { name: "a Google OAuth secret", pattern: token("(?:GOCSPX-[A-Za-z0-9_-]{20,64}|ya29\\.[A-Za-z0-9_-]{20,512})") },
  { name: "a Stripe key", pattern: token("(?:(?:sk|rk)_(?:live|test)_|whsec_)[A-Za-z0-9]{16,255}") },
  { name: "an npm token", pattern: token("npm_[A-Za-z0-9]{36}") },
  { name: "a PyPI token", pattern: token("pypi-AgE[A-Za-z0-9_-]{40,512}") },
  { name: "a Hugging Face token", pattern: token("hf_[A-Za-z0-9]{30,64}") },
  { name: "a SendGrid key", pattern: token("SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}") },
  { name: "a Telegram bot token", pattern: token("\\d{8,10}:AA[A-Za-z0-9_-]{33}") },
  { name: "a DigitalOcean token", pattern: token("do[oprt]_v1_[0-9a-f]{64}") },
  { name: "a Databricks token", pattern: token("dapi[0-9a-f]{32}") },
  { name: "a Vault token", pattern: token("hv[sbr]\\.[A-Za-z0-9_-]{24,255}") },
  { name: "a Twilio key", pattern: token("SK[0-9a-f]{32}(?![A-Za-z0-9])") },
  {
    name: "a Mailgun or Mailchimp key",
    pattern: token("(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2})(?![A-Za-z0-9])"),
  },
  { name: "a Square token", pattern: token("sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,64}") },
  { name: "a New Relic key", pattern: token("NR(?:AK|II|AA|RA)-[A-Za-z0-9_-]{20,64}") },
  {
    name: "a Discord bot token",
    pattern: token("[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9])"),
  },
  { name: "a Brave Search key", pattern: token("BSA(?=[A-Za-z_-]{0,32}[0-9])[A-Za-z0-9_-]{20,40}(?![A-Za-z0-9])") },
  {
    name: "a search provider's key",
    pattern: token("(?:tvly-[A-Za-z0-9-]{16,64}|fc-[0-9a-f]{32}|pplx-[A-Za-z0-9]{32,64})"),
  },
  { name: "an xAI, Groq or Replicate key", pattern: token("(?:xai-|gsk_|r8_)[A-Za-z0-9]{32,128}") },
  {
    name: "a Shopify, Linear or Notion token",
    pattern: token("(?:shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|lin_api_[A-Za-z0-9]{32,64}|ntn_[A-Za-z0-9]{40,64})"),
  },
  {
    name: "a JSON Web Token",
    pattern: token("eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,4096}(?:\\.[A-Za-z0-9_-]{0,4096})?"),
  },
  { name: "a private key", pattern: /-{2,5} ?BEGIN[ A-Z0-9]{0,40}PRIVATE[ ]KEY/gi },
  { name: "an age secret key", pattern: token("AGE-SECRET-KEY-1[A-Z0-9]{40,64}") },
  { name: "HTTP credentials", pattern: /\b(?:basic|bearer) +(?=[a-z._~+/-]{0,64}[0-9=])[a-z0-9._~+/=-]{16,4096}/gi },
  {
    name: "a password in a connection string",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@[\]]{0,128}:[^\s/?#@]{1,128}@/gi,
  },
  {
    name: "a named secret",
    pattern:
      /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,32}[_-]){0,4}(?:password|passwd|passphrase|secret|secret[_-]?key|secret[_-]?access[_-]?key|access[_-]?key|api[_-]?key|apikey|private[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|client[_-]?secret)["']? ?[=:] ?["']?(?=[A-Za-z_!#$%*+./-]{0,64}[0-9])(?=[0-9_!#$%*+./-]{0,64}[A-Za-z])[^\s"'&;,<>(){}]{8,512}/gi,
  },
  {
    // Written like a variable of the environment, so that no digit is needed to tell it from prose; `$NAME` is no value.
    name: "a named secret",
    pattern: new RegExp(
      `${START}(?:[A-Z0-9]{1,32}_){0,6}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|(?<!PUBLIC_|PRIMARY_|FOREIGN_)(?:API|ACCESS|SECRET|PRIVATE)?KEY)` +
        "(?:_[A-Z0-9]{1,16})?[\"']?=[\"']?(?!\\$[A-Z{(])[^\\s\"'&;,<>(){}]{8,512}",
      "g",
    ),
  },
];

export interface SecretMatch {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Every secret of a known format in the text, in UTF-16 offsets. Linear. */
export function findSecrets(text: string): readonly SecretMatch[] {
  return SECRET_FORMATS.flatMap(({ name, pattern }) =>
    Array.from(text.matchAll(pattern), (match) => ({ name, start: match.index, end: match.index + match[0].length })),
  );
}
