// Gradient-boosted trees on histograms, leaf by leaf (after Ke et al. 2017, "LightGBM"), for shares in 0..1 under
// logistic loss. Same data and seed, same trees.

/** mulberry32: a small seeded generator. */
export function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Thresholds between equal shares of a sample's values, at most `bins - 1`. */
export function cutPoints(values, bins) {
  const sorted = Float32Array.from(values).sort();
  const cuts = [];
  for (let bin = 1; bin < bins; bin += 1) {
    const value = sorted[Math.floor((bin * sorted.length) / bins)];
    if (value > (cuts.at(-1) ?? sorted[0] ?? 0) || (cuts.length === 0 && value > sorted[0])) cuts.push(value);
  }
  return Float32Array.from(cuts);
}

/** Bin of a value: how many cut points are at most the value. */
export function binOf(cuts, value) {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * @param {{ rows: Float32Array, width: number, targets: Float32Array, weights: Float32Array }} data row-major features
 * @returns {{ base: number, trees: object[] }} each tree: arrays feature, threshold, left, right, value
 */
export function train(data, options) {
  const { trees: count, leaves, rate, bins = 64, featureShare, rowShare, minWeight, lambda, seed } = options;
  const { rows, width, targets, weights } = data;
  const n = targets.length;
  const next = random(seed);
  const columns = [];
  const cuts = [];
  for (let feature = 0; feature < width; feature += 1) {
    const step = Math.max(1, Math.floor(n / 20_000));
    const sample = [];
    for (let row = 0; row < n; row += step) sample.push(rows[row * width + feature]);
    cuts.push(cutPoints(sample, bins));
    const column = new Uint8Array(n);
    for (let row = 0; row < n; row += 1) column[row] = binOf(cuts[feature], rows[row * width + feature]);
    columns.push(column);
  }
  let sum = 0;
  let total = 0;
  for (let row = 0; row < n; row += 1) {
    sum += targets[row] * weights[row];
    total += weights[row];
  }
  const mean = Math.min(Math.max(sum / total, 1e-3), 1 - 1e-3);
  const base = Math.log(mean / (1 - mean));
  const scores = new Float64Array(n).fill(base);
  const gradients = new Float64Array(n);
  const hessians = new Float64Array(n);
  const trees = [];
  const gains = new Float64Array(width);
  for (let round = 0; round < count; round += 1) {
    for (let row = 0; row < n; row += 1) {
      const p = sigmoid(scores[row]);
      gradients[row] = (p - targets[row]) * weights[row];
      hessians[row] = Math.max(p * (1 - p), 1e-4) * weights[row];
    }
    const chosen = [];
    for (let row = 0; row < n; row += 1) if (next() < rowShare) chosen.push(row);
    const features = [];
    for (let feature = 0; feature < width; feature += 1)
      if (cuts[feature].length > 0 && next() < featureShare) features.push(feature);
    const tree = grow({ columns, cuts, gradients, hessians, bins }, Int32Array.from(chosen), features, {
      leaves,
      minWeight: minWeight * (total / n),
      lambda,
      rate,
      gains,
    });
    trees.push(tree);
    for (let row = 0; row < n; row += 1) scores[row] += evaluateBinned(tree, columns, row);
  }
  return { base, trees, gains };
}

function grow(data, rows, features, limits) {
  const tree = { feature: [], bin: [], threshold: [], left: [], right: [], value: [] };
  const addNode = () => {
    for (const name of Object.keys(tree)) tree[name].push(name === "feature" ? -1 : 0);
    return tree.feature.length - 1;
  };
  const root = { node: addNode(), rows, histogram: histogram(data, rows, features) };
  root.best = bestSplit(data, root, features, limits);
  const open = [root];
  let leaves = 1;
  while (leaves < limits.leaves) {
    let pick;
    for (const leaf of open) if (leaf.best && (!pick || leaf.best.gain > pick.best.gain)) pick = leaf;
    if (!pick) break;
    open.splice(open.indexOf(pick), 1);
    const { feature, bin } = pick.best;
    limits.gains[feature] += pick.best.gain;
    const column = data.columns[feature];
    const left = pick.rows.filter((row) => column[row] <= bin);
    const right = pick.rows.filter((row) => column[row] > bin);
    tree.feature[pick.node] = feature;
    tree.bin[pick.node] = bin;
    tree.threshold[pick.node] = data.cuts[feature][bin];
    const small = left.length <= right.length ? left : right;
    const smallHistogram = histogram(data, small, features);
    const other = pick.histogram;
    for (let at = 0; at < other.length; at += 1) other[at] -= smallHistogram[at];
    for (const side of [left, right]) {
      const leaf = { node: addNode(), rows: side, histogram: side === small ? smallHistogram : other };
      leaf.best = bestSplit(data, leaf, features, limits);
      open.push(leaf);
      tree[side === left ? "left" : "right"][pick.node] = leaf.node;
    }
    leaves += 1;
  }
  for (const leaf of open) {
    let g = 0;
    let h = 0;
    for (const row of leaf.rows) {
      g += data.gradients[row];
      h += data.hessians[row];
    }
    tree.value[leaf.node] = (-g / (h + limits.lambda)) * limits.rate;
  }
  return tree;
}

function histogram({ columns, gradients, hessians, bins }, rows, features) {
  const sums = new Float64Array(features.length * bins * 2);
  for (let slot = 0; slot < features.length; slot += 1) {
    const column = columns[features[slot]];
    const offset = slot * bins * 2;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at];
      const place = offset + column[row] * 2;
      sums[place] += gradients[row];
      sums[place + 1] += hessians[row];
    }
  }
  return sums;
}

function bestSplit({ cuts, bins }, { histogram: sums }, features, { minWeight, lambda }) {
  let best;
  for (let slot = 0; slot < features.length; slot += 1) {
    const offset = slot * bins * 2;
    let g = 0;
    let h = 0;
    for (let bin = 0; bin < bins; bin += 1) {
      g += sums[offset + bin * 2];
      h += sums[offset + bin * 2 + 1];
    }
    const whole = (g * g) / (h + lambda);
    let gl = 0;
    let hl = 0;
    for (let bin = 0; bin < cuts[features[slot]].length; bin += 1) {
      gl += sums[offset + bin * 2];
      hl += sums[offset + bin * 2 + 1];
      const hr = h - hl;
      if (hl < minWeight || hr < minWeight) continue;
      const gr = g - gl;
      const gain = (gl * gl) / (hl + lambda) + (gr * gr) / (hr + lambda) - whole;
      if (gain > 1e-9 && (!best || gain > best.gain)) best = { gain, feature: features[slot], bin };
    }
  }
  return best;
}

function evaluateBinned(tree, columns, row) {
  let node = 0;
  while (tree.feature[node] >= 0)
    node = columns[tree.feature[node]][row] <= tree.bin[node] ? tree.left[node] : tree.right[node];
  return tree.value[node];
}

/** The share that the trees expect for one row of features. */
export function predict({ base, trees }, rows, offset = 0) {
  let score = base;
  for (const tree of trees) {
    let node = 0;
    while (tree.feature[node] >= 0)
      node = rows[offset + tree.feature[node]] < tree.threshold[node] ? tree.left[node] : tree.right[node];
    score += tree.value[node];
  }
  return sigmoid(score);
}
