import type { PositionTest } from "./selector.js";

/** What a positional pseudo-class asks (Selectors 4, 14); nothing for other names and for `of` lists. */
export function positionTests(name: string, argument: string): readonly PositionTest[] {
  const ofType = name.endsWith("-of-type");
  const fixed = (offset: number, fromEnd: boolean): PositionTest => ({ step: 0, offset, fromEnd, ofType });
  if (name === "first-child" || name === "first-of-type") return [fixed(1, false)];
  if (name === "last-child" || name === "last-of-type") return [fixed(1, true)];
  if (name === "only-child" || name === "only-of-type") return [fixed(1, false), fixed(1, true)];
  if (!/^nth-(?:last-)?(?:child|of-type)$/.test(name)) return [];
  const fromEnd = name.includes("last");
  if (argument === "odd") return [{ step: 2, offset: 1, fromEnd, ofType }];
  if (argument === "even") return [{ step: 2, offset: 0, fromEnd, ofType }];
  const linear = /^([+-]?\d*)n\s*(?:([+-])\s*(\d+))?$/.exec(argument);
  if (linear !== null) {
    const step = linear[1] === "" || linear[1] === "+" ? 1 : linear[1] === "-" ? -1 : Number(linear[1]);
    const offset = linear[3] === undefined ? 0 : Number(`${linear[2]}${linear[3]}`);
    return [{ step, offset, fromEnd, ofType }];
  }
  return /^[+-]?\d+$/.test(argument) ? [fixed(Number(argument), fromEnd)] : [];
}
