import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home, runCommand } from "../helpers/command.js";
import { fingerprintOf, openTlsSite, type TlsSite, tlsFixturePath } from "../helpers/tls-site.js";

let home: Home;
let server: TlsSite;

beforeEach(async () => {
  home = await createHome();
  server = await openTlsSite("good");
});
afterEach(async () => {
  await server.close();
  await home.remove();
});

const caFile = tlsFixturePath("ca.pem");

async function configure(jail: object): Promise<void> {
  const folder = join(home.directory, ".config", "postern");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.json"), JSON.stringify({ jail }));
}

async function fetchWith(env: Readonly<Record<string, string>>): Promise<readonly [number | null, string]> {
  const origin = `https://127.0.0.1:${server.port}`;
  const { exitCode, stdout } = await runCommand(["fetch", origin, "--allow-origin", origin, "--json"], home, { env });
  const { text, error } = JSON.parse(stdout);
  return [exitCode, text ?? `${error.details.reason}: ${error.hint}`];
}

describe("the command", () => {
  it.each(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])("trusts the authority that %s names", async (variable) => {
    expect(await fetchWith({})).toEqual([1, expect.stringMatching(/^unknown_authority: .*jail\.caFiles/)]);
    expect(await fetchWith({ [variable]: caFile })).toEqual([0, expect.stringContaining("secure")]);
  });

  it("takes an exception from the user's file", async () => {
    await server.close();
    server = await openTlsSite("self-signed");
    const origin = `https://127.0.0.1:${server.port}`;
    await configure({ tlsExceptions: [{ origin, name: "NAS", sha256: fingerprintOf("self-signed") }] });
    expect(await fetchWith({})).toEqual([0, expect.stringContaining("secure")]);
    const { stderr } = await runCommand(
      ["fetch", `https://localhost:${server.port}`, "--allow-origin", `https://localhost:${server.port}`],
      home,
    );
    expect(stderr).toContain(
      `The certificate's SHA-256 is ${fingerprintOf("self-signed").replaceAll(":", "").toLowerCase()}.`,
    );
    server.present("self-signed-renewed");
    expect(await fetchWith({})).toEqual([1, expect.stringMatching(/^pin_mismatch: /)]);
  });
});

describe("options of node that allow TLS 1.1", () => {
  const ciphers = "DEFAULT@SECLEVEL=0";
  const env = { NODE_OPTIONS: `--tls-min-v1.0 --tls-cipher-list=${ciphers}` };

  /** What a client that allows it speaks with the server. */
  async function protocolOf({ port }: TlsSite): Promise<string | null> {
    const socket = connect({ host: "127.0.0.1", port, minVersion: "TLSv1", ciphers, rejectUnauthorized: false });
    try {
      await once(socket, "secureConnect");
      return socket.getProtocol();
    } catch {
      return null;
    } finally {
      socket.destroy();
    }
  }

  it("do not allow it here", async ({ skip }) => {
    await server.close();
    server = await openTlsSite("good", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers });
    if ((await protocolOf(server)) !== "TLSv1.1") skip("this OpenSSL speaks no TLS 1.1, whatever it is told");
    const script = `console.log(require("node:tls").DEFAULT_MIN_VERSION)`;
    const node = await promisify(execFile)(process.execPath, ["-e", script], { env: { ...home.env, ...env } });
    expect(node.stdout.trim()).toBe("TLSv1");
    expect(await fetchWith({ ...env, SSL_CERT_FILE: caFile })).toEqual([1, expect.stringMatching(/^old_protocol: /)]);
    expect(server.received).toEqual([]);
  });
});

describe("postern doctor", () => {
  const doctor = async (env: Readonly<Record<string, string>>) => {
    const { exitCode, stdout } = await runCommand(["doctor", "--json"], home, { env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
    const found = checks.filter(({ name }) => /^(certificates| {2}(SSL|NODE|jail|exceptions))/.test(name));
    return { exitCode, checks: found.map(({ name, status, detail }) => `${status} ${name.trim()}: ${detail}`) };
  };

  it("says what is trusted, from where, and how many certificates that is", async () => {
    await configure({
      caFiles: [tlsFixturePath("other-ca.pem")],
      tlsExceptions: [{ origin: "https://nas.example.org", name: "NAS", sha256: fingerprintOf("self-signed") }],
    });
    const { exitCode, checks } = await doctor({ SSL_CERT_FILE: caFile });
    expect(checks).toEqual([
      expect.stringMatching(
        /^ok certificates: Node\.js \(\d+\), .*SSL_CERT_FILE \S+ca\.pem \(1\), jail\.caFiles \S+ \(1\)$/,
      ),
      "ok exceptions: NAS (https://nas.example.org)",
    ]);
    expect(exitCode).toBe(0);
  });

  it("says which file is wrong", async () => {
    await configure({ caFiles: [tlsFixturePath("good.key")] });
    const { exitCode, checks } = await doctor({ SSL_CERT_FILE: "/nowhere/ca.pem" });
    expect(checks.slice(1)).toEqual([
      "wrong SSL_CERT_FILE: /nowhere/ca.pem cannot be read: ENOENT",
      expect.stringMatching(/^wrong jail\.caFiles: .*good\.key holds no PEM certificate/),
    ]);
    expect(exitCode).toBe(2);
  });
});
