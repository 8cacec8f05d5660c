import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJail, type TransportOptions } from "../../src/net/index.js";
import { readSystemStore } from "../../src/net/tls/system-store.js";
import { readTrust, trustedCertificates } from "../../src/net/tls/trust.js";
import { createPostern } from "../../src/postern.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve } from "../helpers/jail-bench.js";
import { answer } from "../helpers/raw-server.js";
import { serveWith, TLS_HOST, type TlsSite, tlsFixture, tlsFixturePath, transportTo } from "../helpers/tls-site.js";

let folder: string;
const savedEnv = { ...process.env };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-trust-"));
});

afterEach(async () => {
  process.env = { ...savedEnv };
  await rm(folder, { recursive: true, force: true });
});

async function statusOf(server: TlsSite, options: Partial<TransportOptions>): Promise<unknown> {
  const transport = closeAfter(transportTo(server.port, options));
  return transport.request({ url: `https://${TLS_HOST}:${server.port}/` }).then(
    ({ status }) => status,
    (error) => error.details.reason,
  );
}

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const ca = tlsFixture("ca.pem");
const caFile = tlsFixturePath("ca.pem");
/** A line is missing. */
const damaged = ca
  .split("\n")
  .filter((_line, index) => index !== 2)
  .join("\n");

describe("an authority is trusted that is named by", () => {
  it.each<[string, () => Promise<Partial<TransportOptions>> | Partial<TransportOptions>]>([
    ["a PEM text of the caller's", () => ({ ca: [ca] })],
    ["a text with others around it", () => ({ ca: [`words\n${tlsFixture("other-ca.pem")}\n# more\n${ca}`] })],
    ["SSL_CERT_FILE", () => ({ env: { SSL_CERT_FILE: caFile } })],
    ["NODE_EXTRA_CA_CERTS", () => ({ env: { NODE_EXTRA_CA_CERTS: caFile } })],
    ["both, beside the caller's own", () => ({ ca: [tlsFixture("other-ca.pem")], env: { SSL_CERT_FILE: caFile } })],
    [
      "SSL_CERT_DIR, in any of its folders",
      async () => {
        await mkdir(join(folder, "deep"));
        await symlink(caFile, join(folder, "deep", "0a1b2c3d.0"));
        return { env: { SSL_CERT_DIR: ["/nowhere", join(folder, "deep")].join(delimiter) } };
      },
    ],
    [
      "a file that begins with a damaged one",
      async () => ({ env: { SSL_CERT_FILE: await write("mixed.pem", `${damaged}\n${ca}`) } }),
    ],
    [
      "a file with other line ends",
      async () => ({ env: { SSL_CERT_FILE: await write("dos.pem", ca.replaceAll("\n", "\r\n")) } }),
    ],
  ])("%s", async (_how, options) => {
    const server = await serveWith("good");
    expect(await statusOf(server, {})).toBe("unknown_authority");
    expect(await statusOf(server, await options())).toBe(200);
  });

  it("the process's own environment, unless the caller gives another", async () => {
    const server = await serveWith("good");
    process.env.SSL_CERT_FILE = caFile;
    expect(await statusOf(server, { env: undefined })).toBe(200);
    expect(await statusOf(server, { env: {} })).toBe("unknown_authority");
  });
});

describe("a variable that names nothing good", () => {
  it.each<[string, (folder: string) => Promise<string> | string]>([
    ["a file that is not there", () => "/nowhere/ca.pem"],
    ["a folder", () => folder],
    ["a file without a certificate", () => write("words.pem", "no certificate")],
    ["a key", () => tlsFixturePath("good.key")],
    ["a damaged certificate", () => write("damaged.pem", damaged)],
  ])("%s: takes no other trust away", async (_what, path) => {
    const server = await serveWith("good");
    const env = { SSL_CERT_FILE: await path(folder), NODE_EXTRA_CA_CERTS: await path(folder) };
    expect(await statusOf(server, { env, ca: [ca] })).toBe(200);
    expect(await statusOf(server, { env })).toBe("unknown_authority");
  });

  it("is said by name and path", async () => {
    const env = { SSL_CERT_FILE: "/nowhere/ca.pem", SSL_CERT_DIR: folder, NODE_EXTRA_CA_CERTS: folder };
    const problems = readTrust({ env }).flatMap(({ name, path, problem }) =>
      path === undefined || problem === undefined ? [] : [`${name} ${path} ${problem}`],
    );
    expect(problems).toEqual([
      `NODE_EXTRA_CA_CERTS ${folder} is not a file`,
      "SSL_CERT_FILE /nowhere/ca.pem cannot be read: ENOENT",
      `SSL_CERT_DIR ${folder} holds no PEM certificate`,
    ]);
  });

  it("is not even looked at for http:, nor before the first https: connection", async () => {
    const plain = await serve((socket) => socket.write(answer("200 OK", {}, "plain")));
    const server = await serveWith("good");
    const file = join(folder, "later.pem");
    const origins = [plain.origin, `https://127.0.0.1:${server.port}`];
    const jail = createJail({ exemptions: origins.map((origin) => ({ origin, name: "test" })) });
    const transport = closeAfter(transportTo(server.port, { jail, env: { SSL_CERT_FILE: file } }));
    expect((await transport.request({ url: plain.origin })).status).toBe(200);
    await writeFile(file, ca);
    expect((await transport.request({ url: `https://127.0.0.1:${server.port}/` })).status).toBe(200);
    // Once is enough: the context is made for all connections.
    await rm(file);
    server.present("good-renewed");
    expect((await transport.request({ url: `https://127.0.0.1:${server.port}/` })).status).toBe(200);
  });
});

describe("what is trusted", () => {
  it("holds Node's own authorities, the system's and the user's, each once", () => {
    const env = { SSL_CERT_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile };
    const sources = readTrust({ env, ca: [ca] });
    expect(sources.map(({ name }) => name)).toEqual([
      "Node.js",
      "system",
      "NODE_EXTRA_CA_CERTS",
      "SSL_CERT_FILE",
      "options",
    ]);
    const body = (pem: string): string => pem.replace(/\s/g, "");
    const trusted = trustedCertificates(sources).map(body);
    expect(new Set(trusted).size).toBe(trusted.length);
    expect(trusted).toEqual(expect.arrayContaining([...rootCertificates, ca].map(body)));
  });

  it("takes the system's from the first of its files that holds any", async () => {
    const empty = await write("empty.pem", "");
    const files = ["/nowhere/bundle.pem", empty, caFile, tlsFixturePath("other-ca.pem")];
    const store = readSystemStore("linux", files);
    expect(store).toMatchObject({ path: caFile, certificates: [expect.stringContaining("BEGIN CERTIFICATE")] });
  });

  it("says on Windows and macOS when this Node.js cannot read their stores", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const canRead = major > 22 || (major === 22 && minor >= 15);
    expect(readSystemStore("darwin").problem === undefined).toBe(canRead);
    expect(readSystemStore("win32").problem === undefined).toBe(canRead);
  });
});

describe("jail.caFiles", () => {
  it("is trusted for pages", async () => {
    const server = await serveWith("good");
    const origin = `https://127.0.0.1:${server.port}`;
    const open = (caFiles: readonly string[]) => {
      const jail = { caFiles, exemptions: [{ origin, name: "test" }] };
      return closeAfter(createPostern({ env: {}, jail })).fetch({ url: origin });
    };
    await expect(open([])).rejects.toMatchObject({ details: { reason: "unknown_authority" } });
    expect((await open([caFile])).status).toBe(200);
  });

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ["a file that is not there", () => "/nowhere/ca.pem", /ca\.pem cannot be read: ENOENT/],
    ["a folder", () => folder, /is not a file/],
    ["a key", () => tlsFixturePath("good.key"), /good\.key holds no PEM certificate/],
    ["a damaged certificate beside a good one", () => write("damaged.pem", ca + damaged), /damaged/],
    ["a file that is far too large", () => write("large.pem", " ".repeat(8_000_001)), /is larger than/],
  ])("refuses %s at once, by name", async (_what, path, words) => {
    const caFiles = [await path()];
    expect(() => createPostern({ env: {}, jail: { caFiles } })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", message: expect.stringMatching(words) }),
    );
    expect(() => createPostern({ env: {}, jail: { caFiles } })).toThrow("`jail.caFiles`: ");
  });

  it("and a caller's text without a certificate", () => {
    expect(() => transportTo(8443, { ca: ["/etc/ssl/ca.pem"] })).toThrow(/no PEM certificate/);
  });
});
