// A damper: a piston in a cup.
import { mix } from '../colours.js';

export const kinds = ['damper'];
export const layer = 'front';

export function planar(pen, item) {
  const [a, b] = pen.ends(item), l = pen.along(a, b), { c, th, bar } = pen, w = bar * 1.25;
  c.beginPath();
  for (const [x0, y0, x1, y1] of [[0, 0, .45, 0], [.45, -.8, .45, .8], [.3, -1, .7, -1], [.3, 1, .7, 1], [.7, -1, .7, 1], [.7, 0, 1, 0]]) {
    c.moveTo(x0 * l, y0 * w);
    c.lineTo(x1 * l, y1 * w);
  }
  pen.wire(mix(th.ink, th.accent, .45));
  c.restore();
  pen.knobs(a, b);
}

export const spatial = kit => kit.cylinder();
