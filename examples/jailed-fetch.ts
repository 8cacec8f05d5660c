// A fetch that cannot reach private addresses, for any library that takes one: `npx tsx examples/jailed-fetch.ts URL`.
import { createJailedFetch } from "postern/net";

const fetch = createJailedFetch({ timeoutMs: 5_000, maxBytes: 500_000 });
try {
  const response = await fetch(process.argv[2] ?? "http://169.254.169.254/");
  console.log(response.status, (await response.text()).length);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await fetch.close();
}
