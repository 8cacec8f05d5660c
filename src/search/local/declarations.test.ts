import { describe, expect, it } from "vitest";
import { splitDeclarations } from "./declarations.js";

describe("splitDeclarations", () => {
  it("cuts at declarations, each with the JSDoc before it", () => {
    const text = `import { A } from "./a.js";

/** Opens the gate. */
export declare function open(width: number): void;
export declare function open(width: string): void;

/**
 * A gate { with a brace.
 */
export interface Gate {
    /** "type Inner = 1" is text. */
    width: number;
    type: string;
}
export type Width = "a{" | 'b';
declare namespace Gate {
    /** How it closes. */
    interface Options { slowly?: boolean }
    const version: string;
}
export {};
`;
    const sections = splitDeclarations(text);
    expect(sections.map(({ slug }) => slug)).toEqual([
      "",
      "open",
      "Gate",
      "Width",
      "Gate-1",
      "Gate.Options",
      "Gate.version",
    ]);
    const open = sections[1];
    expect(text.slice(open?.start, open?.end)).toMatch(/^\/\*\* Opens[\s\S]*number[\s\S]*string/u);
    expect(sections[5]?.ancestors).toEqual(["Gate"]);
    expect(text.slice(sections[4]?.start, sections[4]?.treeEnd)).toContain("version");
  });

  it("looks into ambient modules", () => {
    expect(
      splitDeclarations('declare module "gate:fs" {\n  function bolt(): void;\n}\n').map(({ slug }) => slug),
    ).toEqual(["gate:fs", "bolt"]);
  });

  it.each(["/*", '"\\', "'", "`\\", "{", "}", "export ", "class A{\n", "//", "/**/", "const "])(
    "takes linear time over repeated %j",
    (unit) => {
      const time = (count: number): number => {
        const started = performance.now();
        splitDeclarations(unit.repeat(count));
        return performance.now() - started;
      };
      time(10_000);
      expect(time(160_000)).toBeLessThan(32 * time(10_000) + 400);
    },
  );
});
