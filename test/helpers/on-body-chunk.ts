import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { closeAfter } from "./close-after.js";

const RECEIVED = "undici:request:bodyChunkReceived";

/** Calls `listener` whenever a client of this process receives a part of a body, until the test that runs is over. */
export function onBodyChunk(listener: () => void): void {
  subscribe(RECEIVED, listener);
  closeAfter({ close: () => void unsubscribe(RECEIVED, listener) });
}
