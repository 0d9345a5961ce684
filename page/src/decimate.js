// Fewer points where there are more than the eye can see: of each bucket the smallest and the largest value, in their order.

/** Times and curves between rows `from` and `to`, at most about 2 `buckets` points. Returns [times, ...curves], NaN as null. */
export function decimated(t, curves, from, to, buckets) {
  const n = to - from + 1;
  if (n <= 2 * buckets) {
    const cut = v => Array.from(v.subarray ? v.subarray(from, to + 1) : v.slice(from, to + 1), x => x === x ? x : null);
    return [cut(t), ...curves.map(cut)];
  }
  const times = [], out = curves.map(() => []);
  for (let b = 0; b < buckets; b++) {
    const i0 = from + Math.floor(b * n / buckets), i1 = from + Math.floor((b + 1) * n / buckets);
    if (i1 <= i0) continue;
    times.push(t[i0], t[i0 + ((i1 - i0) >> 1)]);
    curves.forEach((v, c) => {
      let low = i0, high = i0;
      for (let i = i0; i < i1; i++) {
        if (!(v[low] <= v[i])) low = v[i] === v[i] ? i : low;
        if (!(v[high] >= v[i])) high = v[i] === v[i] ? i : high;
      }
      const [first, second] = low < high ? [v[low], v[high]] : [v[high], v[low]];
      out[c].push(first === first ? first : null, second === second ? second : null);
    });
  }
  times.push(t[to]);
  curves.forEach((v, c) => out[c].push(v[to] === v[to] ? v[to] : null));
  return [times, ...out];
}

/** The last row not after t. */
export function rowBefore(t, time) {
  let a = 0, b = t.length - 1;
  while (b - a > 1) {
    const c = (a + b) >> 1;
    if (t[c] <= time) a = c; else b = c;
  }
  return a;
}
