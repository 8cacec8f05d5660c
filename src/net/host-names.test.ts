import { describe, expect, it } from "vitest";
import { isMetadataName, LOCAL_TLDS, METADATA_NAMES, refusedName } from "./host-names.js";

describe("refusedName", () => {
  it.each([...LOCAL_TLDS.keys()])("refuses names under %s", (tld) => {
    expect(refusedName(tld)).toBe("host_name");
    expect(refusedName(`printer.${tld}`)).toBe("host_name");
    expect(refusedName(`${tld}.example.org`)).toBeUndefined();
  });

  it.each([
    "kubernetes.default.svc",
    "api.default.svc.cluster.local",
    "host.docker.internal",
    "gateway.docker.internal",
    "host.containers.internal",
    "ip-10-0-0-1.eu-west-1.compute.internal",
    "router.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "wiki.corp",
    "intranet",
    "localhost",
    "printer",
  ])("refuses %s without a look-up", (name) => expect(refusedName(name)).toBe("host_name"));

  it.each([
    ["an empty label", "a..org"],
    ["an empty name", ""],
    ["a leading dot", ".example.org"],
    ["a number at the end", "example.1e3"],
    ["a digit in the last label", "example.c0m"],
    ["a digit before the last label's letters", "example.0com"],
    ["a last label of one letter", "example.c"],
    ["another character", "exa~mple.org"],
    ["a label of 64 characters", `${"a".repeat(64)}.org`],
    ["an empty A-label at the end", "example.xn--"],
  ])("refuses %s", (_what, name) => expect(refusedName(name)).toBe("host_name"));

  it("takes 253 characters and not one more", () => {
    const name = `${"a".repeat(49)}.`.repeat(5).slice(0, 249);
    expect(refusedName(`${name}.org`)).toBeUndefined();
    expect(refusedName(`${name}b.org`)).toBe("host_name");
  });

  it.each([
    "example.org",
    "internal-tools.io",
    "localhost.example.com",
    "_dmarc.example.org",
    "a-.example.org",
    "1.2.3.example.org",
    "xn--bcher-kva.example",
    "bcher.xn--p1ai",
    "10.0.0.1.nip.io",
    "127-0-0-1.sslip.io",
    "localtest.me",
    "fritz.box",
  ])("leaves %s to its answers", (name) => expect(refusedName(name)).toBeUndefined());
});

describe("isMetadataName", () => {
  it.each([...METADATA_NAMES.keys()])("knows %s and what is below it", (name) => {
    for (const own of [name, `x.${name}`, `y.x.${name}`]) {
      expect(isMetadataName(own), own).toBe(true);
      expect(refusedName(own), own).toBe("metadata");
    }
    expect(isMetadataName(`x${name}`)).toBe(false);
    expect(isMetadataName(`${name}.example.org`)).toBe(false);
  });

  it("takes time in proportion to the name's labels", () => {
    const startedAt = performance.now();
    expect(isMetadataName("a.".repeat(2_000))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

it("every row says where it comes from", () => {
  for (const [tld, source] of LOCAL_TLDS) expect(source, tld).toMatch(/RFC \d+|ICANN|Kubernetes/);
  for (const [name, cloud] of METADATA_NAMES) expect(cloud, name).toMatch(/Cloud|Azure|AWS|Equinix|Rancher/);
});
