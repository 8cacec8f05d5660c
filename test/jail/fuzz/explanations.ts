import {
  ipaddrOpinion,
  isWithin,
  type ModelAddress,
  parseBlock,
  parseModelAddress,
  registryOpinion,
  tailOf,
  type Verdict,
} from "./opinions.js";

export type Opinion = "registry" | "ipaddr.js";

/** Where the jail and an opinion differ on purpose; docs/decisions/0007 says the same in words. */
export interface Explanation {
  readonly opinions: readonly Opinion[];
  /** The jail's verdict, and not the opinion's. */
  readonly jail: Verdict;
  readonly why: string;
  readonly holds: (address: ModelAddress | undefined) => boolean;
}

const SERVICE_BLOCKS = [
  "192.0.0.9/32",
  "192.0.0.10/32",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.175.48.0/24",
  "2001:1::1/128",
  "2001:1::2/128",
  "2001:1::3/128",
  "2001:3::/32",
  "2001:4:112::/48",
  "2001:20::/28",
  "2001:30::/28",
  "2620:4f:8000::/48",
];

const within = (...cidrs: readonly string[]): ((address: ModelAddress | undefined) => boolean) => {
  const blocks = cidrs.map(parseBlock);
  return (address) => address !== undefined && blocks.some((block) => isWithin(address, block));
};
const isMapped = within("::ffff:0:0/96");
const isNat64 = within("64:ff9b::/96");
const isGlobal = within("2000::/3");
const isIsatap = ({ family, value }: ModelAddress): boolean =>
  family === 6 && ((value >> 32n) & 0xfdffffffn) === 0x5efen;
const carriesPublic = (address: ModelAddress): boolean => modelVerdict("registry", tailOf(address)) === "allow";

export const EXPLANATIONS: readonly Explanation[] = [
  {
    opinions: ["registry"],
    jail: "deny",
    why: "anycast services and protocol assignments: reachable, and never a web host",
    holds: within(...SERVICE_BLOCKS),
  },
  {
    opinions: ["registry", "ipaddr.js"],
    jail: "deny",
    why: "Azure's wire server answers on a global address",
    holds: within("168.63.129.16/32"),
  },
  {
    opinions: ["registry"],
    jail: "deny",
    why: "a NAT64 gateway reaches the IPv4 host that the address carries, here a refused one",
    holds: (address) => isNat64(address) && address !== undefined && !carriesPublic(address),
  },
  {
    opinions: ["ipaddr.js"],
    jail: "allow",
    why: "a NAT64 gateway reaches the IPv4 host that the address carries, here a public one (DNS64 networks)",
    holds: (address) => isNat64(address) && address !== undefined && carriesPublic(address),
  },
  {
    opinions: ["registry", "ipaddr.js"],
    jail: "allow",
    why: "a mapped address is the IPv4 host itself, here a public one",
    holds: (address) => isMapped(address) && address !== undefined && carriesPublic(address),
  },
  {
    opinions: ["registry", "ipaddr.js"],
    jail: "deny",
    why: "an ISATAP interface id carries an IPv4 host, here a refused one",
    holds: (address) => isGlobal(address) && address !== undefined && isIsatap(address) && !carriesPublic(address),
  },
  {
    opinions: ["ipaddr.js"],
    jail: "deny",
    why: "IANA has allocated global unicast in 2000::/3 alone; the IPv4-compatible addresses are among the rest",
    holds: (address) => address?.family === 6 && !isGlobal(address),
  },
  {
    opinions: ["ipaddr.js"],
    jail: "deny",
    why: "a resolver's answer is read strictly: no octal, hexadecimal or short IPv4, no zone id",
    holds: (address) => address === undefined,
  },
];

/** How often each explanation was needed. */
export type Uses = Map<Explanation, number>;

/** The verdict an opinion gives, and the jail's own where an explanation says that it differs. */
export function modelVerdict(opinion: Opinion, answer: string | ModelAddress, uses?: Uses): Verdict {
  const address = typeof answer === "string" ? parseModelAddress(answer) : answer;
  const said = opinion === "registry" ? registryVerdict(address) : ipaddrOpinion(String(answer));
  const reason = EXPLANATIONS.find(
    ({ opinions, jail, holds }) => jail !== said && opinions.includes(opinion) && holds(address),
  );
  if (reason === undefined) return said;
  uses?.set(reason, (uses.get(reason) ?? 0) + 1);
  return reason.jail;
}

function registryVerdict(address: ModelAddress | undefined): Verdict {
  return address === undefined ? "deny" : registryOpinion(address);
}
