// A spring: a zigzag in the plane, a coil in space.
import { mix } from '../colours.js';

export const kinds = ['spring'];
export const layer = 'front';

export function planar(pen, item) {
  const [a, b] = pen.ends(item), length = pen.along(a, b), { c, th, bar } = pen;
  const turns = 15, lead = Math.min(22, .16 * length), width = bar * 1.25;
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(lead, 0);
  for (let i = 0; i < turns; i++) c.lineTo(lead + (length - 2 * lead) * (i + .5) / turns, i % 2 ? -width : width);
  c.lineTo(length - lead, 0);
  c.lineTo(length, 0);
  pen.wire(mix(th.ink, th.accent, .45));
  c.restore();
  pen.knobs(a, b);
}

export const spatial = kit => kit.coil();
