import { type IpAddress, parseIpAddress } from "./ip-address.js";

/** A block of addresses. */
export interface IpRange extends IpAddress {
  /** As the tables and settings write it: `10.0.0.0/8`. */
  readonly cidr: string;
  /** How many leading bits every address of the block shares with `bytes`, its first address. */
  readonly bits: number;
}

const CIDR = /^[0-9a-f.:]{2,39}\/(?:0|[1-9]\d{0,2})$/;

/** The block that `address/length` lies in, whatever its other bits say; `undefined` when it is malformed. */
export function parseBlockOf(cidr: string): IpRange | undefined {
  if (!CIDR.test(cidr)) return undefined;
  const slash = cidr.indexOf("/");
  const address = parseIpAddress(cidr.slice(0, slash));
  const bits = Number(cidr.slice(slash + 1));
  return address === undefined || bits > address.bytes.length * 8 ? undefined : { ...address, cidr, bits };
}

/** The same, or one address for itself. */
export function parseAddressOrBlock(text: string): IpRange | undefined {
  const address = parseIpAddress(text);
  return parseBlockOf(address === undefined ? text : `${text}/${address.bytes.length * 8}`);
}

/** Reads `address/length` (RFC 4632 3.1, RFC 4291 2.3); `undefined` when it is malformed or bits below the length are set. */
export function parseIpRange(cidr: string): IpRange | undefined {
  const block = parseBlockOf(cidr);
  const isFirst = block?.bytes.every((octet, index) => (octet & ~maskOctet(block.bits, index) & 0xff) === 0);
  return isFirst === true ? block : undefined;
}

/** A block that is written in the source: a mistake in it must end the program. */
export function ipRange(cidr: string): IpRange {
  const range = parseIpRange(cidr);
  if (range === undefined) throw new TypeError(`${cidr} is not a block of addresses`);
  return range;
}

export function isInRange({ family, bytes }: IpAddress, range: IpRange): boolean {
  if (family !== range.family) return false;
  return range.bytes.every((first, index) => (((bytes[index] ?? 0) ^ first) & maskOctet(range.bits, index)) === 0);
}

export function isInAnyRange(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}

/** The bits of octet `index` that a prefix of `bits` covers. */
function maskOctet(bits: number, index: number): number {
  const covered = Math.min(8, Math.max(0, bits - index * 8));
  return 0xff & ~(0xff >> covered);
}
