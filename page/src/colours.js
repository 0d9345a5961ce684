// Colours: those of Okabe and Ito, in an order that keeps neighbours apart and darkened where white would swallow them.

export const LIGHT = ['#0072B2', '#D55E00', '#00876A', '#CC79A7', '#C98A00', '#3BA0DB', '#3D3F7D', '#6B4A2B'];
export const DARK = ['#56B4E9', '#FF8A3D', '#1FB488', '#F2B3D6', '#F0D24A', '#A9DCFF', '#8E92F0', '#C79A6B'];
/** From the fifth curve on colour alone does not tell curves apart. */
export const dash = i => i < 4 ? [] : i < 8 ? [9, 3] : i < 12 ? [3, 3] : [9, 3, 2, 3];

export function theme() {
  const style = getComputedStyle(document.documentElement), get = key => style.getPropertyValue('--' + key).trim();
  const dark = get('dark') === '1', all = { dark, palette: dark ? DARK : LIGHT };
  for (const key of ['ink', 'muted', 'line', 'panel', 'bg', 'soft', 'accent', 'warn']) all[key] = get(key);
  return all;
}

const parts = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
/** s of b in a. */
export const mix = (a, b, s) => {
  const x = parts(a), y = parts(b);
  return '#' + x.map((v, i) => Math.round(v + s * (y[i] - v)).toString(16).padStart(2, '0')).join('');
};
export const alpha = (hex, s) => `rgba(${parts(hex).join(',')},${s})`;

/** Names that differ only by a number belong together. */
export const family = name => name.replace(/[\d]+$/, '');
