import { type Catalog, isCatalog } from "./catalog.js";
import { type BuiltPostings, Postings } from "./postings.js";

/**
 * What answers queries, in one file that is read whole: a line of JSON with the lengths of the parts, the catalog as
 * JSON, the terms as lines, the counts and the ends of their postings as native 32-bit integers, the postings.
 */
interface Header {
  readonly catalog: number;
  readonly terms: number;
  readonly termCount: number;
  readonly postings: number;
}

export function encodeSearchFile({ packages, documents, sections }: Catalog, built: BuiltPostings): Buffer {
  const catalog = Buffer.from(JSON.stringify({ packages, documents, sections }));
  const terms = Buffer.from(built.terms.join("\n"));
  const header: Header = {
    catalog: catalog.length,
    terms: terms.length,
    termCount: built.terms.length,
    postings: built.bytes.length,
  };
  const head = Buffer.from(`${JSON.stringify(header)}\n`);
  return Buffer.concat([head, catalog, terms, bytesOf(built.counts), bytesOf(built.ends), built.bytes]);
}

function bytesOf(integers: Uint32Array): Uint8Array {
  return new Uint8Array(integers.buffer, integers.byteOffset, integers.byteLength);
}

/** Throws whatever a damaged file makes it throw; the checksum was compared before. */
export function decodeSearchFile(data: Buffer): { readonly catalog: Catalog; readonly postings: Postings } {
  let at = data.indexOf("\n") + 1;
  const header = JSON.parse(data.toString("utf8", 0, at)) as Header;
  const part = (bytes: number): Buffer => {
    at += bytes;
    return data.subarray(at - bytes, at);
  };
  // A copy begins where 32-bit integers may begin.
  const integers = (): Uint32Array => new Uint32Array(Uint8Array.from(part(4 * header.termCount)).buffer);
  const catalog: unknown = JSON.parse(part(header.catalog).toString("utf8"));
  const terms = header.termCount === 0 ? [] : part(header.terms).toString("utf8").split("\n");
  const postings = new Postings({ terms, counts: integers(), ends: integers(), bytes: part(header.postings) });
  if (!isCatalog(catalog) || terms.length !== header.termCount || at !== data.length)
    throw new RangeError("wrong shape");
  return { catalog, postings };
}
