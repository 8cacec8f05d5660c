import kreuzberg from "@kreuzberg/html-to-markdown-node";
import { describePackages } from "../manifest.mjs";

const preprocessing = { enabled: true, preset: kreuzberg.PreprocessingPreset.Aggressive };

export const name = "kreuzberg";
export const version = `${describePackages("@kreuzberg/html-to-markdown-node")}, preset aggressive, Rust`;
export const read = (html) => kreuzberg.convert(html, { preprocessing }).content;
