// What slides along a line: rails where the line is the ground's, a groove where it is that of a body.
import { alpha } from '../colours.js';

export const kinds = ['prismatic', 'slot', 'point-on-line', 'cylindrical'];
export const layer = 'behind';

/** How far along its line a joint goes in the whole run; found once. */
export function range(run, joint) {
  if (joint.range) return joint.range;
  const l = Math.hypot(...joint.axis_a) || 1, u = joint.axis_a.map(x => x / l), stride = Math.max(1, Math.floor(run.n / 500));
  let lo = Infinity, hi = -Infinity;
  for (let k = 0; k < run.n; k += stride) {
    const t = run.t[k], a = run.pose(joint.a, t), o = run.place(a, joint.on_a), d = run.turn(a, u), p = run.point(joint.b, joint.on_b, t);
    const s = d.reduce((sum, x, i) => sum + x * (p[i] - o[i]), 0);
    lo = Math.min(lo, s);
    hi = Math.max(hi, s);
  }
  return joint.range = { lo, hi, u };
}

export function planar(pen, joint) {
  const { c, th, run, bar, t } = pen, { lo, hi, u } = range(run, joint), pose = run.pose(joint.a, t);
  const on = s => pen.px(run.place(pose, joint.on_a.map((x, i) => x + s * u[i]))), a = on(lo), b = on(hi);
  const slot = joint.kind !== 'prismatic', w = bar * (slot ? .95 : 2.1), over = slot ? bar * 1.6 : w * 2.2;
  let l = pen.along(a, b);
  if (l < 1e-6) {   // it does not move: the direction is that of the line
    c.restore();
    l = 0;
    c.save();
    c.translate(...a);
    const d = run.turn(pose, u);
    c.rotate(Math.atan2(-d[1], d[0]));
  }
  if (joint.a >= 0 || slot) {
    c.beginPath();
    c.roundRect(-over, -w, l + 2 * over, 2 * w, w);
    c.fillStyle = alpha(th.muted, .12);
    c.fill();
    c.strokeStyle = th.muted;
    c.lineWidth = 1.3;
    c.stroke();
  }
  if (joint.a < 0) for (const side of slot ? [1] : [-1, 1]) pen.hatched(-over, l + over, side * (w + 2), side);
  c.restore();
}
