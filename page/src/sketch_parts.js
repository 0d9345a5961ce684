// Parts of problems that say how they look: drawn between points that move.
import { mix } from './colours.js';
import { planar as spring } from './glyphs/spring.js';

const DRAW = {
  link(view, pen, part, points, i) {
    const { c, th, bar } = pen, colour = th.palette[i % 8], edge = mix(colour, th.ink, th.dark ? .15 : .35), fill = mix(th.panel, colour, th.dark ? .34 : .2);
    pen.trace(points);
    c.strokeStyle = edge;
    c.lineWidth = 2 * bar + 1.6;
    c.stroke();
    c.strokeStyle = c.fillStyle = fill;
    c.lineWidth = 2 * bar - 1.6;
    c.stroke();
    if (points.length > 2) c.fill();
    pen.rings(...points);
  },
  ball(view, pen, part, points, i) {
    const { c, th, bar } = pen;
    for (const [x, y] of points) {
      c.beginPath();
      c.arc(x, y, bar * 1.5, 0, 7);
      c.fillStyle = mix(th.panel, th.palette[i % 8], .5);
      c.fill();
      c.strokeStyle = mix(th.palette[i % 8], th.ink, .35);
      c.lineWidth = 1.6;
      c.stroke();
    }
  },
  disc(view, pen, part, [a, b], i) {
    const { c, th } = pen;
    c.beginPath();
    c.arc(...a, Math.hypot(b[0] - a[0], b[1] - a[1]), 0, 7);
    c.fillStyle = mix(th.panel, th.palette[i % 8], th.dark ? .34 : .2);
    c.fill();
    c.strokeStyle = mix(th.palette[i % 8], th.ink, .35);
    c.lineWidth = 1.6;
    c.stroke();
    c.beginPath();
    c.moveTo(...a);
    c.lineTo(...b);
    c.stroke();
  },
  spring(view, pen, part, points) { spring({ __proto__: pen, ends: () => points }, part); },
  rope(view, pen, part, points) {
    pen.c.beginPath();
    points.forEach((p, i) => i ? pen.c.lineTo(...p) : pen.c.moveTo(...p));
    pen.wire(mix(pen.th.ink, pen.th.panel, .25), 1.6);
  },
  support(view, pen, part, points) { points.forEach(p => pen.support(p)); },
  rail(view, pen, part, [a, b]) {
    const length = pen.along(a, b);
    pen.hatched(-20, length + 20, pen.bar * 1.6, 1);
    pen.c.restore();
  },
};

export function sketchParts(view, pen) {
  const { run } = view, first = ['support', 'rail'];
  const draw = part => DRAW[part.kind](view, pen, part, part.points.map(i => view.px(run.sketchPoint(i, pen.t))), run.parts.indexOf(part));
  for (const part of run.parts) if (first.includes(part.kind)) draw(part);
  for (const part of run.parts) if (!first.includes(part.kind)) draw(part);
}
