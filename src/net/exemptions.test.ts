import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../errors.js";
import { type Exemption, exactOrigin, indexExemptions } from "./exemptions.js";
import { ipRange } from "./ip-range.js";

const GENERAL_HINT = ERROR_CODES.invalid_configuration.hint;
const configError = (message: string, hint: string) =>
  expect.objectContaining({ name: "ConfigError", code: "invalid_configuration", message, hint });

describe("indexExemptions", () => {
  it("keeps origins by their text and networks with their block", () => {
    const plain = { origin: "http://127.0.0.1:3000", name: "dev" };
    const secure = { origin: "https://wiki.lan", name: "wiki" };
    const network = { network: "fc00::/18", name: "local proxy" };
    const { origins, networks } = indexExemptions([plain, network, secure]);
    expect([...origins]).toEqual([
      [plain.origin, plain],
      [secure.origin, secure],
    ]);
    expect(networks).toEqual([{ range: expect.objectContaining(ipRange("fc00::/18")), exemption: network }]);
  });

  it.each<[what: string, exemption: Exemption, message: string, hint: string]>([
    [
      "a network of real hosts",
      { network: "10.0.0.0/8", name: "x" },
      'The exemption "x" names a network that may hold real hosts.',
      "Write it as 198.18.0.0/15 or fc00::/18.",
    ],
    [
      "a port of another protocol",
      { origin: "http://127.0.0.1:22", name: "x" },
      'The exemption "x" names port 22, which is never opened.',
      GENERAL_HINT,
    ],
    [
      "a metadata service",
      { origin: "http://169.254.169.254", name: "x" },
      'The exemption "x" names an address that no exemption may reach.',
      GENERAL_HINT,
    ],
    [
      "another scheme",
      { origin: "ftp://127.0.0.1", name: "x" },
      'The exemption "x" has no origin with http: or https:.',
      "Write it like http://127.0.0.1:3000.",
    ],
    [
      "no URL",
      { origin: "127.0.0.1:3000", name: "x" },
      'The exemption "x" has no origin with http: or https:.',
      "Write it like http://127.0.0.1:3000.",
    ],
    [
      "a page",
      { origin: "http://127.0.0.1:3000/page", name: "x" },
      'The exemption "x" is not an exact origin.',
      "Write it as http://127.0.0.1:3000.",
    ],
    [
      "no name",
      { origin: "http://127.0.0.1:3000", name: "" },
      "The name of each exemption must be 1 to 64 printable characters.",
      GENERAL_HINT,
    ],
    [
      "a name that is no text",
      { origin: "http://127.0.0.1:3000", name: 42 as unknown as string },
      "The name of each exemption must be 1 to 64 printable characters.",
      GENERAL_HINT,
    ],
  ])("says what is wrong with %s, and what to write", (_what, exemption, message, hint) => {
    expect(() => indexExemptions([exemption])).toThrow(configError(message, hint));
  });
});

describe("exactOrigin", () => {
  it("says which schemes its subject may have, and shows the first", () => {
    expect(exactOrigin("It", "https://wiki.lan", ["https:"]).host).toBe("wiki.lan");
    expect(() => exactOrigin("It", "http://wiki.lan", ["https:"])).toThrow(
      configError("It has no origin with https:.", "Write it like https://127.0.0.1:3000."),
    );
  });
});
