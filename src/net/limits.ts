/**
 * The caps of a request, and of what is kept between requests. A server, a page or a caller can reach each of them; none
 * can move it past its maximum here. Those of one reader alone (a certificate's chain, the user's proxies and files, a
 * line of the log) stand beside it.
 */

/** Of a URL and of a `Location`. RFC 9110 4.1 asks servers for 8,000 octets; no page that is read needs half of them. */
export const MAX_URL_CHARS = 4096;

/** Of a host name without its trailing dot (RFC 1035 2.3.4: 255 octets with the length octets). */
export const MAX_NAME_CHARS = 253;

/** Of an answer's status line and header fields together. */
export const MAX_HEADER_BYTES: number = 32 * 1024;

/** Of all that comes before the first byte of a body: the header, interim answers before it, a chunk's size. */
export const MAX_FRAMING_BYTES: number = 256 * 1024;

/** As many more for each byte of the body: one that comes in chunks of a byte each takes six. */
export const RECEIVED_BYTES_PER_BODY_BYTE = 8;

/** Of a body on the wire, and of what it decodes to, each, unless the request says otherwise. */
export const DEFAULT_MAX_BYTES = 2_000_000;

/** Decoded bytes for each encoded one. Text comes to about 10; 102 bytes of Brotli can come to 64 MiB. */
export const MAX_EXPANSION_RATIO = 100;

/** Decoded bytes from which on the ratio counts: small pages that repeat themselves are no bombs. */
export const EXPANSION_FLOOR_BYTES = 1_000_000;

/** Of a request's own header names and values together; servers refuse them from about 8 KiB on. */
export const MAX_REQUEST_HEADER_CHARS: number = 64 * 1024;

/** Of a request's own body, when it comes as a stream. */
export const MAX_STREAM_BYTES = 10_000_000;

/** Redirects followed, unless the request says otherwise. */
export const DEFAULT_MAX_REDIRECTS = 5;

/** Redirects that a request may ask for: what browsers follow (Fetch standard, "HTTP-redirect fetch"). */
export const REDIRECTS_CEILING = 20;

/** Cookies kept in one redirect chain, and looked at in one answer. */
export const MAX_COOKIES = 20;

/** Of one cookie with its attributes (RFC 6265 6.1). */
export const MAX_COOKIE_CHARS = 4096;

/** For a whole request with its look-ups, hops, retries and bodies, unless it says otherwise. */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** The longest deadline that a request may ask for. */
export const MAX_TIMEOUT_MS = 3_600_000;

/** For opening one connection, its proxy and TLS handshakes included. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The longest wait that a server is believed to ask for: a day. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** How long an idle connection stays open, unless the transport says otherwise. */
export const DEFAULT_KEEP_ALIVE_MS = 10_000;

/** The longest that a transport may keep an idle connection open. */
export const MAX_KEEP_ALIVE_MS = 3_600_000;

/** Connections to one origin at the same time, unless the transport says otherwise. */
export const DEFAULT_CONNECTIONS_PER_ORIGIN = 8;

/** Connections kept open between requests, over all origins. */
export const MAX_IDLE_CONNECTIONS = 64;
