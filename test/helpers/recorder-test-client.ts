import { channel } from "node:diagnostics_channel";

const testClient = channel("postern:test:client");

/**
 * Says to the recorder that `work` connects and resolves on behalf of the test itself. Needed where no stack shows it: a
 * `fetch`, or a name that is resolved first. A socket that test code opens directly to an address needs nothing.
 */
export function asTestClient<T>(work: () => T): T {
  return testClient.runStores({}, work);
}
