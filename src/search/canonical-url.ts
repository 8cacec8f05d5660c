import { parseUrl } from "../parse-url.js";
import { unwrapRedirect } from "./redirect-wrapper.js";

const TRACKING = /^(?:utm_[^=]*|gclid|fbclid|msclkid|mc_cid|mc_eid|ref_src|rut)$/i;
const MAX_LAYERS = 3;

/**
 * A key under which two addresses of the same page meet. Never an address to fetch or to show: it drops the scheme,
 * `www.`, the default port, tracking parameters, a plain fragment and one trailing slash. Order and escapes of what
 * remains are kept, and so are `#/` and `#!`, where single-page applications keep their path.
 */
export function canonicalUrl(address: string): string {
  const parsed = parseUrl(address);
  if (parsed === undefined) return address;
  const url = unwrapped(parsed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return address;
  const host = url.hostname.replace(/^www\.(?=.)/, "").replace(/\.$/, "");
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !TRACKING.test(part.split("=", 1)[0] ?? ""));
  const search = parameters.length > 0 ? `?${parameters.join("&")}` : "";
  const fragment = /^#[!/]/.test(url.hash) ? url.hash : "";
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${host}${port}${url.pathname.replace(/\/$/, "")}${search}${fragment}`;
}

function unwrapped(url: URL): URL {
  let inner = url;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const target = unwrapRedirect(inner);
    if (target === undefined) return inner;
    inner = new URL(target);
  }
  return inner;
}
