// Numbers for people.

const PREFIX = { 9: 'G', 6: 'M', 3: 'k', 0: '', '-3': 'm', '-6': 'µ', '-9': 'n', '-12': 'p' };
const MINUS = '\u2212', RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A factor and a unit in which numbers up to `most` are easy to read. */
export function scaleOf(unit, most) {
  if (!/^(N|N m|J|Pa|m|W|m\/s|s|V|A)$/.test(unit) || !(most > 0)) return [1, unit];
  let e = 3 * Math.floor(Math.log10(most) / 3 + 1e-9);
  e = Math.max(-12, Math.min(9, e));
  if (unit === 'm' || unit === 'm/s') e = e > 0 ? 0 : Math.max(e, -6);
  return [10 ** -e, PREFIX[e] + unit];
}

/** 1.3·10⁻⁵ */
export const power = (x, digits = 1) => {
  if (x === 0) return '0';
  if (!isFinite(x)) return '–';
  const [mantissa, exponent] = x.toExponential(digits).split('e');
  const raised = exponent.replace('+', '').replace(/\d/g, d => RAISED[d]).replace('-', '⁻');
  return `${mantissa}·10${raised}`.replace(/^-/, MINUS);
};

export const show = (x, digits = 4) => {
  if (x === null || x === undefined || !isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size === 0) return '0';
  if (size >= 1e5 || size < 1e-3) return power(x, digits - 2);
  return (size >= 10 ** digits ? x.toFixed(0) : x.toPrecision(digits)).replace(/^-/, MINUS);
};

export const seconds = h => {
  if (!(h > 0)) return '–';
  if (h >= .1) return `${show(h, 2)} s`;
  if (h >= 1e-4) return `${show(h * 1e3, 2)} ms`;
  if (h >= 1e-7) return `${show(h * 1e6, 2)} µs`;
  if (h >= 1e-10) return `${show(h * 1e9, 2)} ns`;
  return `${power(h, 0)} s`;
};

/** Writes times of a run with as many decimals as its rows have; those of very short runs with a power of ten. */
export const clockOf = run => {
  if (run.span > 0 && run.span < 1e-6) return t => t.toExponential(3);
  let least = run.span || 1;
  for (let i = 1; i < run.t.length; i++) if (run.t[i] > run.t[i - 1]) least = Math.min(least, run.t[i] - run.t[i - 1]);
  const decimals = Math.ceil(-Math.log10(least) - 1e-9), usual = 3 - Math.floor(Math.log10(run.span || 1));
  return t => t.toFixed(Math.max(0, usual, Math.min(decimals, usual + 4, 9)));
};

/** 1, 2 or 5 times a power of ten, not above x. */
export const nice = x => {
  const e = 10 ** Math.floor(Math.log10(x)), m = x / e;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * e;
};

export const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;
export const escaped = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
