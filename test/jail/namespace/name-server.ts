import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import type { DnsReply, Zone } from "./plays.js";

/** A name server of a few lines (RFC 1035), over UDP and TCP, that remembers every question. */
export interface NameServer {
  zone: Zone;
  readonly queries: readonly string[];
  readonly udpQueries: number;
  readonly udpReplies: number;
  readonly tcpConnections: number;
  /** Forgets the questions and how often a name was asked for. */
  reset(): void;
}

const TYPES: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" };
const CNAME = 5;
const NXDOMAIN = 3;

export async function openNameServer(address: string): Promise<NameServer> {
  const queries: string[] = [];
  const turns = new Map<string, number>();
  let udpQueries = 0;
  let udpReplies = 0;
  let tcpConnections = 0;

  const answer = (message: Buffer, isTcp: boolean): Buffer | undefined => {
    const { name, type, end } = readQuestion(message);
    const query = `${TYPES[type] ?? type} ${name}`;
    queries.push(query);
    const replies = Object.hasOwn(server.zone, name) ? (server.zone[name] ?? []) : [{ code: NXDOMAIN }];
    const turn = turns.get(query) ?? 0;
    const reply = replies[Math.min(turn, replies.length - 1)] ?? {};
    const isCut = reply.isCut === true && !isTcp;
    // Asking again over TCP is the same look-up.
    if (!isCut) turns.set(query, turn + 1);
    if (reply.isSilent === true) return undefined;
    return writeReply(message, end, type, isCut ? { isCut } : reply);
  };

  const server = {
    zone: {} as Zone,
    queries,
    get udpQueries() {
      return udpQueries;
    },
    get udpReplies() {
      return udpReplies;
    },
    get tcpConnections() {
      return tcpConnections;
    },
    reset() {
      queries.length = 0;
      turns.clear();
    },
  };

  const udp = createSocket(address.includes(":") ? "udp6" : "udp4");
  udp.on("message", (message, peer) => {
    udpQueries += 1;
    const reply = answer(message, false);
    if (reply === undefined) return;
    udpReplies += 1;
    udp.send(reply, peer.port, peer.address);
  });
  const tcp = createServer((socket) => {
    tcpConnections += 1;
    let pending = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const length = pending.readUInt16BE(0);
        const reply = answer(pending.subarray(2, 2 + length), true);
        pending = pending.subarray(2 + length);
        if (reply !== undefined) socket.write(Buffer.concat([uint16(reply.length), reply]));
      }
    });
  });
  await new Promise<void>((resolve) => udp.bind(53, address, resolve));
  await new Promise<void>((resolve) => tcp.listen(53, address, resolve));
  return server;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function writeReply(message: Buffer, end: number, type: number, reply: DnsReply): Buffer {
  const { aliases = [], addresses = [], code = 0, isCut = false } = reply;
  // The question's own name, RFC 1035 4.1.4.
  let owner: Buffer = uint16(0xc00c);
  const records: Buffer[] = [];
  const add = (recordType: number, data: Buffer): void => {
    records.push(owner, uint16(recordType), uint16(1), Buffer.alloc(4), uint16(data.length), data);
  };
  for (const alias of aliases) {
    add(CNAME, writeName(alias));
    owner = writeName(alias);
  }
  const wanted = addresses.map(addressBytes).filter((bytes) => bytes.length === (type === 1 ? 4 : 16));
  for (const bytes of wanted) add(type, bytes);
  const flags = 0x8180 | (isCut ? 0x0200 : 0) | code;
  const counts = [1, aliases.length + wanted.length, 0, 0].map(uint16);
  return Buffer.concat([message.subarray(0, 2), uint16(flags), ...counts, message.subarray(12, end), ...records]);
}

function writeName(name: string): Buffer {
  const labels = name.split(".").flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]);
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

/** By the URL parser, so that what goes over the wire does not depend on the code under test. */
function addressBytes(text: string): Buffer {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number));
  const [head = "", tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const hextets = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const before = hextets(head);
  const after = hextets(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.concat([...before, ...zeros, ...after].map((hextet) => uint16(Number.parseInt(hextet, 16))));
}
