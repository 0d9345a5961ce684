// A hydraulic cylinder: barrel, piston and rod; chambers are shaded by their pressure.
import { mix } from '../colours.js';

export const kinds = ['cylinder'];
export const layer = 'front';

export function planar(pen, item) {
  const [a, b] = pen.ends(item), l = pen.along(a, b), { c, th, bar, run, t } = pen, s = pen.scale;
  item.drawn ??= l / s * .7;
  const [shortest] = item.numbers?.stroke ?? [item.drawn], supply = item.numbers?.supply?.[0] || 2e7;
  const barrel = s * shortest * .88, reach = s * shortest * .86, piston = Math.max(6, l - reach), w = Math.max(5, bar * .95);
  const [front, back] = (item.states ?? []).map(column => run.value(column, t) / supply), ink = mix(th.ink, th.panel, .2);
  const heat = p => mix(th.panel, th.palette[1], Math.max(.04, Math.min(.95, p ?? 0)));
  const at = Math.min(piston, barrel - 3);
  c.strokeStyle = ink;
  c.lineWidth = 1.4;
  c.beginPath();
  c.roundRect(piston, -w * .38, Math.max(0, l - piston), w * .76, 2);
  c.fillStyle = mix(th.panel, th.ink, .18);
  c.fill();
  c.stroke();
  c.fillStyle = heat(front);
  c.fillRect(bar, -w, at - bar, 2 * w);
  c.fillStyle = heat(back);
  c.fillRect(at, -w, barrel - at, 2 * w);
  c.beginPath();
  c.roundRect(bar, -w, Math.max(1, barrel - bar), 2 * w, 3);
  c.stroke();
  c.fillStyle = ink;
  c.fillRect(at - 2.5, -w, 5, 2 * w);
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(bar, 0);
  c.lineWidth = w * .8;
  c.stroke();
  c.restore();
  pen.rings(a, b);
}

export const spatial = kit => kit.cylinder();
