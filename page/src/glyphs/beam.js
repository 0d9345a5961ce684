// An elastic beam between two bodies, and a bushing: drawn as what bends.
import { mix } from '../colours.js';

export const kinds = ['beam', 'bushing'];
export const layer = 'front';

export function planar(pen, item) {
  const ends = Object.values(item.ends ?? {});
  if (ends.length < 2) return cushion(pen, item);
  const [a, b] = pen.ends(item), { c, th, run, t, px } = pen;
  // A cubic that leaves each body in the direction in which the straight beam left it.
  const start = ends.map(e => run.point(e.body, e.at, run.t0)), d = [start[1][0] - start[0][0], start[1][1] - start[0][1]];
  const tangents = ends.map(e => {
    const turn = (e.body < 0 ? 0 : run.pose(e.body, t)[2] - run.pose(e.body, run.t0)[2]), cos = Math.cos(turn), sin = Math.sin(turn);
    return [cos * d[0] - sin * d[1], sin * d[0] + cos * d[1]];
  });
  const p = ends.map(e => run.point(e.body, e.at, t));
  const c1 = px([p[0][0] + tangents[0][0] / 3, p[0][1] + tangents[0][1] / 3]), c2 = px([p[1][0] - tangents[1][0] / 3, p[1][1] - tangents[1][1] / 3]);
  c.beginPath();
  c.moveTo(...a);
  c.bezierCurveTo(...c1, ...c2, ...b);
  c.strokeStyle = mix(th.ink, th.panel, .15);
  c.lineWidth = 6;
  c.stroke();
  c.strokeStyle = mix(th.panel, th.accent, .45);
  c.lineWidth = 3.4;
  c.stroke();
}

/** Soft everywhere: a ring around the point, and how far the body is off it. */
function cushion(pen, item) {
  const { c, th, bar } = pen, [a, b] = item.bodies ?? [], { at, at_b: other } = item.numbers ?? {};
  if (!at || b === undefined) return;
  const p = pen.place(a, pen.local(a, at)), q = pen.place(b, pen.local(b, other ?? at));
  c.beginPath();
  c.arc(...p, bar * 1.9, 0, 7);
  c.moveTo(...p);
  c.lineTo(...q);
  c.strokeStyle = mix(th.ink, th.accent, .5);
  c.lineWidth = 2.4;
  c.setLineDash([4, 4]);
  c.stroke();
  c.setLineDash([]);
  pen.knobs(p, q);
}

export const spatial = kit => kit.rod(.7);
