import type { Tree } from "../tree.js";
import type { LinkResolver } from "./links.js";

/** What to write, and how. */
export interface WriteRequest {
  readonly tree: Tree;
  /** 1 for nodes that are not written. */
  readonly gone: Uint8Array;
  /** 1 for nodes that no reader of the page sees: some of those, or all. */
  readonly hidden: Uint8Array;
  readonly links: LinkResolver;
  /** `alt` names images without their address; `link` writes `![alt](url)`. */
  readonly images: "alt" | "link";
  /** Buttons and other controls are text too. */
  readonly keepsControls: boolean;
}
