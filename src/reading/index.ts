export { outlineOf } from "./outline.js";
export type { PageText } from "./slice.js";
export { type View, type ViewPiece, type ViewRequest, viewPage } from "./view.js";
