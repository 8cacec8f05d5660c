// Pages that are slow to read for whoever recurses, scans from the start again, or tries every rule on every element.

const page = (body, head = "") =>
  `<!doctype html><html lang="en"><head><title>Tide tables</title>${head}</head><body><main><h1>Tide tables</h1>${body}</main></body></html>`;

const repeated = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join("");

const PROSE = "The harbour keeps a table of the tides, and the pilot reads it aloud before the boats go out.";
const RULE_BYTES = 50;
const ROW_BYTES = 100;
const MEGABYTE = 1e6;

export const WORST_CASES = [
  {
    name: "3,000 nested elements",
    count: 3_000,
    make: (count) => page(`${"<div><span>".repeat(count / 2)}<p>${PROSE}</p>${"</span></div>".repeat(count / 2)}`),
  },
  {
    name: "1 MB of inline CSS",
    count: MEGABYTE / RULE_BYTES,
    make: (count) =>
      page(
        repeated(1_000, (i) => `<section class="a${i} b${i % 7}"><p class="c${i % 40}">${PROSE}</p></section>`),
        `<style>${repeated(count, (i) => `.a${i} > .c${i % 90}, .b${i % 9} .d${i} { color: #${100 + (i % 900)} }\n`)}</style>`,
      ),
  },
  {
    name: "a table of 5 MB",
    count: (5 * MEGABYTE) / ROW_BYTES,
    make: (count) =>
      page(
        `<table><tr><th>day</th><th>high</th><th>low</th><th>berth</th></tr>${repeated(
          count,
          (i) =>
            `<tr><td>day ${i} of the year</td><td>${i % 24}:10 m</td><td>${i % 12}:40 m</td><td>berth ${i % 90} east</td></tr>\n`,
        )}</table>`,
      ),
  },
  {
    name: "100,000 links",
    count: 100_000,
    make: (count) =>
      page(`<p>${PROSE}</p><ul>${repeated(count, (i) => `<li><a href="/boats/${i}">boat ${i}</a></li>`)}</ul>`),
  },
];
