import { printCost } from "./jail/cost.mjs";
import { printPeers } from "./jail/peers.mjs";

await printCost();
await printPeers();
