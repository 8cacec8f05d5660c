// One way of printing for all benches: rows of figures and the bar each is held against.

/** @param {string} title @param {{name: string, value: string, bar?: string, ok?: boolean}[]} rows */
export function printTable(title, rows) {
  console.log(`\n## ${title}\n`);
  console.log("| figure | value | bar | |\n|---|---|---|---|");
  for (const { name, value, bar = "", ok } of rows) {
    console.log(`| ${name} | ${value} | ${bar} | ${ok === undefined ? "" : ok ? "ok" : "SHORT"} |`);
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
