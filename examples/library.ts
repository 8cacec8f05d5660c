// Search, read the best hit, say what it cost: `npx tsx examples/library.ts "worker threads transfer list"`.
import { createPostern, isPosternError } from "postern";

const query = process.argv.slice(2).join(" ") || "how do I send requests through a proxy";
const postern = createPostern();
try {
  const found = await postern.search({ query, count: 3 });
  for (const { rank, title, url } of found.results) console.log(`${rank}. ${title}\n   ${url}`);
  const best = found.results[0];
  if (best !== undefined) {
    const page = await postern.fetch({ url: best.url, maxBytes: 2_000 });
    console.log(`\n${page.text}\n\n${page.outcome}, ${page.totalChars} characters, ${page.hops.length} hops`);
  }
  console.log(postern.ledger.totals());
} catch (error) {
  if (!isPosternError(error)) throw error;
  console.error(`${error.code}: ${error.message} ${error.hint}`);
  process.exitCode = 1;
} finally {
  await postern.close();
}
