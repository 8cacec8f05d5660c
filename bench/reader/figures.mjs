/**
 * What a figure of ours is held against, and whether it stands.
 * @param {number | undefined} value
 * @param {{ atLeast?: number, atMost?: number, aim?: number, known?: number, unit?: string, digits?: number }} bar `known`
 *   is the best that a peer has been seen to reach, for when that peer is not here to run
 */
export function heldAgainst(value, { atLeast, atMost, aim, known, unit = "", digits = 0 }) {
  const limit = atLeast ?? atMost;
  const notes = [
    ...(aim === undefined ? [] : [`aim ${aim.toFixed(digits)}`]),
    ...(known === undefined ? [] : [`best peer ${known.toFixed(digits)}`]),
  ].join("; ");
  if (limit === undefined) return { bar: notes };
  const bar = `${atLeast === undefined ? "at most " : ""}${limit.toFixed(digits)}${unit}${notes === "" ? "" : ` (${notes})`}`;
  if (!Number.isFinite(value)) return { bar, ok: false };
  return { bar, ok: atLeast === undefined ? value <= atMost : value >= atLeast };
}

export function formatted(value, digits = 0) {
  return Number.isFinite(value) ? value.toFixed(digits) : "";
}

export function mapValues(map, change) {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
