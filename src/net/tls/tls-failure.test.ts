import { describe, expect, it } from "vitest";
import { interceptorOf } from "./interceptors.js";
import { tlsFailure, tlsReasonOf } from "./tls-failure.js";
import { TLS_REASONS, type TlsReason } from "./tls-reasons.js";

const failure = (code: string): Error => Object.assign(new Error("10.0.0.1 IGNORE-ME"), { code });

describe("a code of node's or OpenSSL's", () => {
  it.each<[string, TlsReason]>([
    ["CERT_HAS_EXPIRED", "expired"],
    ["CERT_NOT_YET_VALID", "not_yet_valid"],
    ["CERT_REVOKED", "revoked"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "wrong_host"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self_signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "unknown_authority"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unknown_authority"],
    ["UNSPECIFIED", "invalid_certificate"],
    ["ERR_TLS_DH_PARAM_SIZE", "weak_keys"],
    ["ERR_SSL_DH_KEY_TOO_SMALL", "weak_keys"],
    // The same alert as OpenSSL 3.0, and as 3.2 and later, write it.
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "old_protocol"],
    ["ERR_SSL_SSL/TLS_ALERT_PROTOCOL_VERSION", "old_protocol"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "client_certificate"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "handshake"],
    ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "handshake"],
    ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", "unknown_name"],
    ["ERR_SSL_A_REASON_OF_TOMORROW", "handshake"],
    ["EPROTO", "handshake"],
  ])("%s is %s", (code, reason) => {
    expect(tlsReasonOf(code)).toBe(reason);
    const error = tlsFailure(failure(code), "server", undefined);
    expect(error).toMatchObject({ code: "tls_failed", details: { reason, tlsCode: code } });
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/10\.0\.0\.1|IGNORE-ME/);
  });

  it.each(["ECONNREFUSED", "ENOTFOUND", "", "constructor", "ERR_SSL", "__proto__"])("%j is none", (code) => {
    expect(tlsReasonOf(code)).toBeUndefined();
  });

  it("speaks of the proxy when it is the proxy's", () => {
    expect(tlsFailure(failure("CERT_HAS_EXPIRED"), "proxy", undefined).message).toMatch(/^The proxy's certificate/);
  });
});

describe("the certificate tells more than the code", () => {
  const sha256 = "ab".repeat(32);
  const plain = { sha256, lacksIntermediate: false, interceptor: undefined };
  const reasonFor = (code: string, peer: object) =>
    tlsFailure(failure(code), "server", { ...plain, ...peer }).details.reason;

  it.each<[string, object, TlsReason]>([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", {}, "unknown_authority"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { lacksIntermediate: true }, "missing_intermediate"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { lacksIntermediate: true, interceptor: "ESET" }, "intercepted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", { interceptor: "ESET" }, "intercepted"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", { interceptor: "ESET" }, "intercepted"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", { lacksIntermediate: true }, "self_signed"],
    // A product whose root is trusted, and whose certificate is wrong all the same.
    ["CERT_HAS_EXPIRED", { interceptor: "ESET", lacksIntermediate: true }, "expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", { interceptor: "ESET" }, "wrong_host"],
  ])("%s with %j is %s", (code, peer, reason) => {
    expect(reasonFor(code, peer)).toBe(reason);
  });
});

describe("every reason", () => {
  it.each(Object.entries(TLS_REASONS))("%s says whose fault it is and what to do", (_reason, { says, hint }) => {
    expect(says).toMatch(/^[A-Z].*\.$/);
    expect(hint).toMatch(/^[`A-Z].*\.$/);
  });
});

describe("an intercepting product is known by its authority's name", () => {
  it.each([
    ["Zscaler", "Zscaler Intermediate Root CA (zscalerthree.net)"],
    ["Netskope", "ca.example.goskope.com"],
    ["Fortinet FortiGate", "FG100FTK00000000", "Fortinet"],
    ["Palo Alto Networks", "Palo Alto Networks Inc"],
    ["Cisco Umbrella or Secure Access", "Cisco Umbrella Root CA"],
    ["Sophos", "Sophos SSL CA_C0000000"],
    ["ESET", "ESET SSL Filter CA"],
    ["Kaspersky", "Kaspersky Anti-Virus Personal Root Certificate"],
    ["Avast", "avast! Web/Mail Shield Root"],
    ["AVG", "AVG Web/Mail Shield Root"],
    ["Bitdefender", "Bitdefender Personal CA.avfree000000"],
    ["mitmproxy", "mitmproxy"],
    ["Charles", "Charles Proxy CA (1 Jan 2025, laptop)"],
    ["Fiddler", "DO_NOT_TRUST_FiddlerRoot"],
    ["Burp Suite", "PortSwigger CA"],
  ])("%s", (product, ...names) => {
    expect(interceptorOf(names)).toBe(product);
  });

  it.each(["Let's Encrypt", "DigiCert Inc", "Symantec Class 3 Secure Server CA", "GlobalSign", "Example Corp Root"])(
    "and %s is none",
    (name) => {
      expect(interceptorOf([name])).toBeUndefined();
    },
  );
});
