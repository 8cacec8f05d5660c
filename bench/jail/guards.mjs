/**
 * The guards of the table, each used as its own documentation says, with every redirect followed where that is the
 * default of the client it is used with. `packages` are imported and handed to `open`, which returns what asks for a URL
 * and resolves to the status of the last answer. `judge` is the part that can be asked without a request.
 */
export const GUARDS = [
  {
    name: "Postern",
    packages: ["../../dist/net/index.js"],
    use: "`createTransport().request`",
    open: ({ createJail, createTransport }) => {
      const transport = createTransport({ jail: createJail() });
      return async (url, signal) => (await transport.request({ url, signal })).status;
    },
  },
  {
    name: "@atproto-labs/fetch-node",
    packages: ["@atproto-labs/fetch-node"],
    use: "`safeFetchWrap`; `http:`, redirects and the rows' example domains allowed",
    open: ({ safeFetchWrap }) => {
      const safeFetch = safeFetchWrap({ allowHttp: true, allowImplicitRedirect: true, forbiddenDomainNames: [] });
      return async (url, signal) => statusOf(await safeFetch(url, { signal }));
    },
  },
  {
    name: "dssrf",
    packages: ["dssrf"],
    use: "`is_url_safe`, then `fetch` without redirects, as it advises",
    judge: ({ is_url_safe: isUrlSafe }) => isUrlSafe,
    open: ({ is_url_safe: isUrlSafe }) => checkedFetch(isUrlSafe, "manual"),
  },
  {
    name: "request-filtering-agent",
    packages: ["request-filtering-agent", "node-fetch"],
    use: "`node-fetch`, whose crashes these are, with `useAgent` for each hop",
    open: ({ useAgent }, { default: nodeFetch }) => agentFetch(nodeFetch, useAgent),
  },
  {
    name: "got-ssrf",
    packages: ["got-ssrf"],
    use: "`gotSsrf`, without retries",
    open: ({ gotSsrf }) => {
      const options = { retry: { limit: 0 }, throwHttpErrors: false };
      return async (url, signal) => (await gotSsrf(url, { ...options, signal })).statusCode;
    },
  },
  {
    name: "ssrf-req-filter",
    packages: ["ssrf-req-filter", "node-fetch"],
    use: "`node-fetch`, whose crashes these are, with its agent for each hop",
    open: ({ default: ssrfFilter }, { default: nodeFetch }) => agentFetch(nodeFetch, ssrfFilter),
  },
  {
    name: "url-sheriff",
    packages: ["url-sheriff"],
    use: "`isSafeURL`, then `fetch`",
    judge: ({ default: URLSheriff }) => sheriffJudge(new URLSheriff()),
    open: ({ default: URLSheriff }) => checkedFetch(sheriffJudge(new URLSheriff()), "follow"),
  },
  {
    name: "private-ip",
    packages: ["private-ip", "node:dns/promises"],
    use: "asked for every address of the host, then `fetch`",
    open: ({ default: isIpPrivate }, { lookup }) => {
      const isPublic = async (url) => {
        const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
        const addresses = await lookup(host, { all: true });
        return addresses.every(({ address }) => isIpPrivate(address) === false);
      };
      return checkedFetch(isPublic, "follow");
    },
  },
  {
    name: "ssrfcheck",
    packages: ["ssrfcheck"],
    use: "`isSSRFSafeURL`, then `fetch`",
    judge: ({ isSSRFSafeURL }) => isSSRFSafeURL,
    open: ({ isSSRFSafeURL }) => checkedFetch(isSSRFSafeURL, "follow"),
  },
  {
    name: "plain `fetch`",
    packages: [],
    use: "node's own",
    open: () => checkedFetch(() => true, "follow"),
  },
];

export function loadGuard({ packages }) {
  return Promise.all(packages.map((name) => import(name)));
}

function checkedFetch(isSafe, redirect) {
  return async (url, signal) => {
    if (!(await isSafe(url))) throw new Error("refused");
    return statusOf(await fetch(url, { redirect, signal }));
  };
}

function agentFetch(nodeFetch, agentFor) {
  return async (url, signal) => statusOf(await nodeFetch(url, { agent: ({ href }) => agentFor(href), signal }));
}

function sheriffJudge(sheriff) {
  return async (url) => {
    try {
      return await sheriff.isSafeURL(url);
    } catch {
      return false;
    }
  };
}

async function statusOf(response) {
  await response.arrayBuffer();
  return response.status;
}
