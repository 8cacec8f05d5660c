// Which words of a page stand in its reference text: a longest common subsequence of the two, after Myers 1986
// ("An O(ND) Difference Algorithm and Its Variations", linear space), then the reference's left-over passages.

const WORD = /[\p{L}\p{N}_]+/gu;
/** Matches shorter than this count only where they cover a whole block. */
const MIN_RUN = 3;
const SHINGLE = 4;

export const words = (text) => text.toLowerCase().match(WORD) ?? [];

/**
 * The share of each block's words that the reference holds, 0..1.
 * @param {readonly string[][]} blocks words of each block, in page order
 * @param {readonly string[]} reference
 */
export function alignBlocks(blocks, reference) {
  const ids = new Map();
  const idOf = (word) => {
    if (!ids.has(word)) ids.set(word, ids.size);
    return ids.get(word);
  };
  const page = Int32Array.from(blocks.flat(), idOf);
  const wanted = Int32Array.from(reference, idOf);
  const pageHit = new Uint8Array(page.length);
  const wantedHit = new Uint8Array(wanted.length);
  match(page, wanted, pageHit, wantedHit);
  dropStrayMatches(blocks, pageHit);
  takeLeftOvers(blocks, page, wanted, pageHit, wantedHit);
  let at = 0;
  return blocks.map((block) => {
    let hits = 0;
    for (const end = at + block.length; at < end; at += 1) hits += pageHit[at];
    return block.length === 0 ? 0 : hits / block.length;
  });
}

/** Words that the other side lacks cannot match: without them the difference is short. */
function match(page, wanted, pageHit, wantedHit) {
  const inPage = new Set(page);
  const inWanted = new Set(wanted);
  const a = page.map((_, index) => index).filter((index) => inWanted.has(page[index]));
  const b = wanted.map((_, index) => index).filter((index) => inPage.has(wanted[index]));
  const size = 2 * (a.length + b.length) + 4;
  const forward = new Int32Array(size);
  const backward = new Int32Array(size);
  const work = [[0, a.length, 0, b.length]];
  const equal = (x, y) => page[a[x]] === wanted[b[y]];
  const hit = (x, y) => {
    pageHit[a[x]] = 1;
    wantedHit[b[y]] = 1;
  };
  while (work.length > 0) {
    let [aStart, aEnd, bStart, bEnd] = work.pop();
    while (aStart < aEnd && bStart < bEnd && equal(aStart, bStart)) hit(aStart++, bStart++);
    while (aStart < aEnd && bStart < bEnd && equal(aEnd - 1, bEnd - 1)) hit(--aEnd, --bEnd);
    if (aStart === aEnd || bStart === bEnd) continue;
    const { x, y } = middle(aStart, aEnd, bStart, bEnd, equal, forward, backward);
    if ((x === aStart && y === bStart) || (x === aEnd && y === bEnd)) continue;
    work.push([x, aEnd, y, bEnd], [aStart, x, bStart, y]);
  }
}

/** A point on a shortest edit path, where the searches from both ends meet. */
function middle(aStart, aEnd, bStart, bEnd, equal, forward, backward) {
  const n = aEnd - aStart;
  const m = bEnd - bStart;
  const delta = n - m;
  const isOdd = (delta & 1) !== 0;
  const max = Math.ceil((n + m) / 2);
  const offset = max + 1;
  forward[offset + 1] = 0;
  backward[offset + 1] = 0;
  for (let d = 0; d <= max; d += 1) {
    for (let k = -d; k <= d; k += 2) {
      if (k > n || -k > m) continue;
      let x =
        k === -d || (k !== d && forward[offset + k - 1] < forward[offset + k + 1])
          ? forward[offset + k + 1]
          : forward[offset + k - 1] + 1;
      if (x > n || x - k > m) x = Math.min(n, m + k);
      let y = x - k;
      while (x < n && y < m && equal(aStart + x, bStart + y)) {
        x += 1;
        y += 1;
      }
      forward[offset + k] = x;
      const back = delta - k;
      if (isOdd && back >= -(d - 1) && back <= d - 1 && x + backward[offset + back] >= n)
        return { x: aStart + x, y: bStart + y };
    }
    for (let k = -d; k <= d; k += 2) {
      if (k > n || -k > m) continue;
      let x =
        k === -d || (k !== d && backward[offset + k - 1] < backward[offset + k + 1])
          ? backward[offset + k + 1]
          : backward[offset + k - 1] + 1;
      if (x > n || x - k > m) x = Math.min(n, m + k);
      let y = x - k;
      while (x < n && y < m && equal(aEnd - 1 - x, bEnd - 1 - y)) {
        x += 1;
        y += 1;
      }
      backward[offset + k] = x;
      const front = delta - k;
      if (!isOdd && front >= -d && front <= d && x + forward[offset + front] >= n) return { x: aEnd - x, y: bEnd - y };
    }
  }
  return { x: aStart, y: bStart };
}

/** "the" in a menu matches "the" in the text: single words prove nothing. */
function dropStrayMatches(blocks, hits) {
  let start = 0;
  for (const block of blocks) {
    const end = start + block.length;
    for (let at = start; at < end; ) {
      let to = at;
      while (to < end && hits[to] === hits[at]) to += 1;
      if (hits[at] === 1 && to - at < Math.min(MIN_RUN, block.length)) hits.fill(0, at, to);
      at = to;
    }
    start = end;
  }
}

/** Passages that the reference holds in another order than the page. */
function takeLeftOvers(blocks, page, wanted, pageHit, wantedHit) {
  const places = new Map();
  const keyAt = (list, at) => list.slice(at, at + SHINGLE).join(" ");
  for (let at = 0; at + SHINGLE <= wanted.length; at += 1) {
    if (wantedHit.subarray(at, at + SHINGLE).includes(1)) continue;
    const key = keyAt(wanted, at);
    places.set(key, [...(places.get(key) ?? []), at]);
  }
  if (places.size === 0) return;
  let start = 0;
  for (const block of blocks) {
    const end = start + block.length;
    for (let at = start; at + SHINGLE <= end; at += 1) {
      if (pageHit.subarray(at, at + SHINGLE).includes(1)) continue;
      const place = places.get(keyAt(page, at))?.find((from) => !wantedHit.subarray(from, from + SHINGLE).includes(1));
      if (place === undefined) continue;
      let length = 0;
      while (at + length < end && place + length < wanted.length && page[at + length] === wanted[place + length]) {
        pageHit[at + length] = 1;
        wantedHit[place + length] = 1;
        length += 1;
      }
    }
    start = end;
  }
}
