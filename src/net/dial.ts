import { channel } from "node:diagnostics_channel";
import { connect, type LookupFunction, type Socket } from "node:net";
import { FetchError } from "../errors.js";
import { addressKey, parseIpAddress } from "./ip-address.js";
import type { Route } from "./jail.js";
import { refusal } from "./rules.js";

/**
 * How long an address may stay silent before node ends that attempt and tries the next one; the last has no such limit.
 * RFC 8305 5 lets attempts run on beside each other: since these do not, a slow address gets twice the 250 ms it advises.
 */
const ATTEMPT_TIMEOUT_MS = 500;

/**
 * Public: every TCP connection this package opens is announced here before its first attempt, as
 * `{ addresses: readonly string[], port: number }`. Addresses are for the process's own operator, which alone can
 * subscribe; events, which may reach a model, carry none.
 */
const dialChannel = channel("postern:net:dial");

/**
 * Opens a TCP connection to one of the route's addresses and to nothing else, the next one when the first does not
 * answer. It knows no host name: there is nothing left to resolve. Nothing was written to the socket yet.
 *
 * @param track gets the socket at once: to give up, destroy it
 * @throws BlockedError when the peer is not on the route, FetchError when the connection closes, else the system's own
 */
export function dial(route: Route, port: number, track: (socket: Socket) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const [first] = route.addresses;
    if (first === undefined) throw new FetchError("connect_failed", "The server has no address.");
    if (dialChannel.hasSubscribers) {
      dialChannel.publish({ addresses: route.addresses.map(({ text }) => text), port });
    }
    const socket = connect({
      // A literal is dialled as it is; any other word makes node ask the lookup below, which knows the route only.
      host: route.addresses.length === 1 ? first.text : "route",
      port,
      lookup: lookupIn(route),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    track(socket);
    // It stays on: an error that comes late, when nobody waits for the socket any more, must not end the process.
    socket.on("error", reject);
    socket.once("close", () => reject(new FetchError("connect_failed", "The server closed the connection.")));
    socket.once("connect", () => {
      if (isOnRoute(route, socket.remoteAddress)) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusal("remote_address"));
    });
  });
}

function isOnRoute(route: Route, remoteAddress: string | undefined): boolean {
  const remote = parseIpAddress(remoteAddress ?? "");
  if (remote === undefined) return false;
  const key = addressKey(remote);
  return route.addresses.some((address) => addressKey(address) === key);
}

function lookupIn(route: Route): LookupFunction {
  return (_host, _options, callback) => {
    callback(
      null,
      route.addresses.map(({ text, family }) => ({ address: text, family })),
    );
  };
}
