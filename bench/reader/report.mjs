/**
 * One row a figure, one column a reader.
 * @param {{ id: string, name: string }[]} columns
 * @param {{ name: string, values: Map<string, string | number>, bar?: string, ok?: boolean }[]} rows
 */
export function printComparison(columns, rows) {
  const line = (cells) => console.log(`| ${cells.join(" | ")} |`);
  line(["figure", ...columns.map(({ name }) => name), "bar", ""]);
  line(["---", ...columns.map(() => "--:"), "---", "---"]);
  for (const { name, values, bar = "", ok } of rows) {
    const verdict = ok === undefined ? "" : ok ? "ok" : "SHORT";
    line([name, ...columns.map(({ id }) => values.get(id) ?? ""), bar, verdict]);
  }
}

/** The pages that we read worst, with how much was kept and how much was wanted; `isByKind` takes as many of each kind. */
export function printWorstPages({ scores, markdown, data: { pages, scorer }, count, isByKind }) {
  const pagesById = new Map(pages.map((page) => [page.id, page]));
  const scored = Object.values(scores.text)
    .flatMap(({ rows }) => rows)
    .map((row) => ({ ...pagesById.get(row.id), ...row, f1: row.f ?? harmonicMean(row.p, row.r) }))
    .sort((a, b) => a.f1 - b.f1);
  for (const kind of isByKind ? new Set(scored.map(({ type }) => type)) : ["all kinds"]) {
    console.log(`\n### The worst ${count} pages: ${kind}\n`);
    console.log(
      "| page | kind | F1 | P | R | chars kept | chars wanted | address |\n|---|---|--:|--:|--:|--:|--:|---|",
    );
    const rows = isByKind ? scored.filter(({ type }) => type === kind) : scored;
    for (const { id, set, type, f1, p, r, text, url } of rows.slice(0, count)) {
      const shares = [f1, p, r].map((share) => (share ?? 0).toFixed(3));
      const kept = scorer.mdToText(markdown[id]).trim().length;
      console.log(`| ${[`${set} ${id.slice(0, 8)}`, type, ...shares, kept, text.length, url].join(" | ")} |`);
    }
  }
}

function harmonicMean(a, b) {
  return a && b ? (2 * a * b) / (a + b) : 0;
}
