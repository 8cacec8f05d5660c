import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkOptions } from "./plays.js";

/** The network of the namespace this process was started in. */
export interface Network {
  /** Where the name server must listen. */
  readonly nameServer: string;
  readonly directory: string;
  /** Writes the files that the system's resolver reads, seen by this namespace alone. */
  setResolver(resolver: readonly string[], hosts: readonly string[]): void;
  remove(): void;
}

const HOSTS = ["127.0.0.1 localhost", "::1 localhost ip6-localhost ip6-loopback"];

/** Makes every address local, so that whoever is dialled, it is a server of ours that answers. */
export function layOutNetwork({ families = [4, 6], deadRoutes = [] }: NetworkOptions): Network {
  ip("link set lo up");
  if (families.includes(4)) ip("route add local 0.0.0.0/0 dev lo");
  if (families.includes(6)) ip("-6 route add local ::/0 dev lo");
  if (deadRoutes.some(({ kind }) => kind === "silent")) {
    // A cable whose other end listens to nobody.
    ip("link add hole type veth peer name hole-end");
    ip("link set hole-end arp off up");
    ip("link set hole arp off up");
    // With an address from the outside, so that getaddrinfo takes the way for a good one (RFC 6724 5).
    ip("-6 address add 2a01:4f8::1/128 dev hole nodad");
  }
  for (const { prefix, kind } of deadRoutes) {
    const family = prefix.includes(":") ? "-6 " : "";
    ip(`${family}route add ${kind === "silent" ? `${prefix} dev hole` : `${kind} ${prefix}`} table local`);
  }

  const directory = mkdtempSync(join(tmpdir(), "postern-namespace-"));
  const nameServer = families.includes(4) ? "127.0.0.1" : "::1";
  const shadow = (path: string): string => {
    const file = join(directory, path.slice(path.lastIndexOf("/") + 1));
    writeFileSync(file, "");
    execFileSync("mount", ["--bind", file, path]);
    return file;
  };
  const hostsFile = shadow("/etc/hosts");
  const resolverFile = shadow("/etc/resolv.conf");
  if (existsSync("/etc/nsswitch.conf")) writeFileSync(shadow("/etc/nsswitch.conf"), "hosts: files dns\n");
  // A name service cache would ask the machine's own resolver, outside of the namespace.
  if (existsSync("/var/run/nscd")) execFileSync("mount", ["-t", "tmpfs", "none", "/var/run/nscd"]);

  return {
    nameServer,
    directory,
    setResolver(resolver, hosts) {
      writeFileSync(resolverFile, `${[`nameserver ${nameServer}`, ...resolver].join("\n")}\n`);
      writeFileSync(hostsFile, `${[...HOSTS, ...hosts].join("\n")}\n`);
    },
    remove() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function ip(command: string): void {
  execFileSync("ip", command.split(" "), { stdio: ["ignore", "ignore", "inherit"] });
}
