export type { CharsetSource } from "./charset.js";
export type { ContentKind } from "./classify.js";
export { type Feed, type FeedOptions, readFeed } from "./feed.js";
export { type Content, type ContentInput, readContent } from "./read-content.js";
