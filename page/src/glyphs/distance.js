// A massless rod that keeps two points apart.
import { mix } from '../colours.js';

export const kinds = ['distance'];
export const layer = 'front';

export function planar(pen, item) {
  const [a, b] = pen.ends(item), { c, th } = pen;
  c.beginPath();
  c.moveTo(...a);
  c.lineTo(...b);
  pen.wire(mix(th.ink, th.panel, .25), 2.2);
  pen.rings(a, b);
}

export const spatial = kit => kit.rod(.45);
