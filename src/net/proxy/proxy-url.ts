import { ConfigError } from "../../errors.js";
import { parseUrl } from "../../parse-url.js";
import { authorityOf, dialHostOf } from "../url-parts.js";

/** How one speaks to a proxy. */
export type ProxyProtocol = "http" | "https" | "socks5";

export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/** A proxy's URL, read once. */
export interface ProxyAddress {
  readonly protocol: ProxyProtocol;
  /** Without brackets and trailing dot. */
  readonly host: string;
  readonly port: number;
  readonly credentials: ProxyCredentials | undefined;
  /** `socks5h:`: the proxy resolves names, whatever the setting says. */
  readonly resolvesNames: boolean;
  /** As it may be printed: without credentials. */
  readonly label: string;
}

interface Scheme {
  readonly protocol: ProxyProtocol;
  readonly defaultPort: number;
  readonly resolvesNames?: true;
}

/** The schemes curl knows, without those of SOCKS 4, which has neither IPv6 nor passwords. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  "http:": { protocol: "http", defaultPort: 80 },
  "https:": { protocol: "https", defaultPort: 443 },
  "socks5:": { protocol: "socks5", defaultPort: 1080 },
  "socks5h:": { protocol: "socks5", defaultPort: 1080, resolvesNames: true },
  // What ALL_PROXY holds on many desktops.
  "socks:": { protocol: "socks5", defaultPort: 1080 },
};

const MAX_PROXY_URL_CHARS = 2_000;
/** RFC 1929 2: a name and a password have one octet for their length. */
const MAX_CREDENTIAL_BYTES = 255;

/**
 * Reads a proxy's URL; one without a scheme is an HTTP proxy's, as everywhere.
 * @throws ConfigError that says what is wrong and never quotes the URL, which may hold a password
 */
export function parseProxyUrl(text: string): ProxyAddress {
  if (text.length > MAX_PROXY_URL_CHARS) throw invalid("is too long");
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  // A bare word is a slip, such as `off`; a host is told by its port or its dots.
  if (!hasScheme && /^[^.:]*$/.test(text)) throw invalid("is a single word: write `none` for no proxy, or a whole URL");
  const withScheme = hasScheme ? text : `http://${text}`;
  const [schemeText = ""] = withScheme.split("//");
  const scheme = Object.hasOwn(SCHEMES, schemeText.toLowerCase()) ? SCHEMES[schemeText.toLowerCase()] : undefined;
  if (scheme === undefined) throw invalid("has none of the schemes http, https, socks5 and socks5h");

  // The host is read as an HTTP URL's: other schemes' hosts keep their spelling, and `0x7f.1` is an address too.
  const rest = withScheme.slice(schemeText.length);
  const url = parseUrl(`http:${rest}`);
  if (url === undefined || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw invalid("is not of the form scheme://host:port");
  }
  // The parser drops the port when it is HTTP's own.
  const port = url.port === "" && !/:0*80\/?$/.test(rest) ? scheme.defaultPort : Number(url.port || 80);
  if (port === 0) throw invalid("names port 0");
  const host = dialHostOf(url);
  return {
    protocol: scheme.protocol,
    host,
    port,
    credentials: credentialsOf(url, scheme.protocol),
    resolvesNames: scheme.resolvesNames === true,
    label: `${schemeText}//${authorityOf(host, port)}`,
  };
}

function credentialsOf(url: URL, protocol: ProxyProtocol): ProxyCredentials | undefined {
  if (url.username === "" && url.password === "") return undefined;
  let credentials: ProxyCredentials;
  try {
    credentials = { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw invalid("has a user name or password with a wrong % sequence");
  }
  const { username, password } = credentials;
  // RFC 1929 2 gives each at least one octet.
  if (protocol === "socks5" && (username === "" || password === "")) {
    throw invalid("of a SOCKS proxy has a user name without a password, or the other way round");
  }
  // RFC 7617 2: a colon would end the name early, and control characters are not allowed.
  if (username.includes(":") || /\p{Cc}/u.test(username + password)) {
    throw invalid("has a user name or password with a character that cannot be sent");
  }
  if (Math.max(Buffer.byteLength(username), Buffer.byteLength(password)) > MAX_CREDENTIAL_BYTES) {
    throw invalid(`has a user name or password of more than ${MAX_CREDENTIAL_BYTES} bytes`);
  }
  return credentials;
}

function invalid(what: string): ConfigError {
  return new ConfigError("invalid_configuration", `A proxy's URL ${what}.`, {
    hint: "Write it like http://proxy.example:3128, https://…, socks5://… (names resolved here) or socks5h://… (by the proxy); special characters of a password as %XX.",
  });
}
