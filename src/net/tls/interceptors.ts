/** A product that ends TLS connections on their way and makes certificates of its own. */
interface Interceptor {
  readonly product: string;
  /** What its authorities' names hold, in lower case, however a customer adds to them. */
  readonly names: readonly string[];
}

/**
 * Known by the names of the authorities that they come with; one that a company renamed reads as an unknown authority.
 * It is asked only about certificates that were refused, so that a public authority of the same vendor is never meant.
 */
const INTERCEPTORS: readonly Interceptor[] = [
  // In a company's or a school's network.
  { product: "Zscaler", names: ["zscaler"] },
  { product: "Netskope", names: ["netskope", "goskope"] },
  { product: "Fortinet FortiGate", names: ["fortinet", "fortigate", "fortisase"] },
  { product: "Palo Alto Networks", names: ["palo alto networks", "paloaltonetworks", "prisma access"] },
  { product: "Symantec (Blue Coat) proxy", names: ["blue coat", "bluecoat", "proxysg", "web security service"] },
  { product: "Cisco Umbrella or Secure Access", names: ["cisco umbrella", "opendns", "cisco secure access"] },
  { product: "Cisco Secure Web Appliance", names: ["ironport", "cisco wsa", "cisco web security"] },
  { product: "Cisco Meraki", names: ["meraki"] },
  { product: "Sophos", names: ["sophos", "astaro"] },
  { product: "Check Point", names: ["check point", "checkpoint"] },
  { product: "Skyhigh (McAfee) Web Gateway", names: ["mcafee", "skyhigh", "trellix"] },
  { product: "Forcepoint", names: ["forcepoint", "websense"] },
  { product: "Cloudflare Gateway", names: ["gateway ca - cloudflare", "cloudflare for teams", "cloudflare managed"] },
  { product: "Cato Networks", names: ["cato networks"] },
  { product: "iboss", names: ["iboss"] },
  { product: "Menlo Security", names: ["menlo security"] },
  { product: "Barracuda", names: ["barracuda"] },
  { product: "SonicWall", names: ["sonicwall"] },
  { product: "WatchGuard", names: ["watchguard", "fireware"] },
  { product: "Trend Micro", names: ["trend micro", "trendmicro", "interscan"] },
  { product: "Smoothwall", names: ["smoothwall"] },
  { product: "Lightspeed", names: ["lightspeed systems", "lightspeed relay"] },
  { product: "Securly", names: ["securly"] },
  { product: "Untangle", names: ["untangle"] },
  { product: "Squid", names: ["squid", "ssl bump", "sslbump"] },
  // On the machine itself.
  { product: "ESET", names: ["eset ssl filter", "eset, spol"] },
  { product: "Kaspersky", names: ["kaspersky"] },
  { product: "Avast", names: ["avast"] },
  { product: "AVG", names: ["avg web/mail shield", "avg technologies"] },
  { product: "Norton", names: ["norton web/mail shield", "nortonlifelock"] },
  { product: "Bitdefender", names: ["bitdefender"] },
  { product: "AdGuard", names: ["adguard"] },
  { product: "Superfish", names: ["superfish"] },
  { product: "mitmproxy", names: ["mitmproxy"] },
  { product: "Charles", names: ["charles proxy", "xk72"] },
  { product: "Fiddler", names: ["fiddler"] },
  { product: "Burp Suite", names: ["portswigger"] },
  { product: "ZAP", names: ["owasp zed attack proxy", "zap by checkmarx", "zed attack proxy"] },
  { product: "Proxyman", names: ["proxyman"] },
  { product: "HTTP Toolkit", names: ["http toolkit"] },
];

/** The product whose authority has one of these names, as our table writes it. */
export function interceptorOf(issuerNames: readonly string[]): string | undefined {
  const text = issuerNames.join("\n").toLowerCase();
  return INTERCEPTORS.find(({ names }) => names.some((name) => text.includes(name)))?.product;
}
