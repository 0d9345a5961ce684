// Gears: pitch circles between the hinges of the two wheels, with teeth to see them turn.
import { alpha, mix } from '../colours.js';

export const kinds = ['gear'];
export const layer = 'behind';

/** The wheels' radii from the distance of their hinges and their ratio; found once. */
export function radii(run, joint) {
  if (joint.radii !== undefined) return joint.radii;
  const { teeth, ratio } = joint.numbers, i = teeth ? -teeth[0] / teeth[1] : ratio?.[0];
  const hinges = [joint.a, joint.b].map(body => run.joints.find(j => j.kind === 'revolute' && (j.a === body || j.b === body)));
  if (!i || hinges.some(h => !h)) return joint.radii = null;
  const centres = hinges.map((h, k) => h.b === [joint.a, joint.b][k] ? [h.b, h.on_b] : [h.a, h.on_a]);
  const [p, q] = centres.map(([body, at]) => run.point(body, at, run.t0)), d = Math.hypot(p[0] - q[0], p[1] - q[1]);
  if (!(d > 0)) return joint.radii = null;
  const r = i < 0 ? [d * -i / (1 - i), d / (1 - i)] : [d * i / Math.abs(1 - i), d / Math.abs(1 - i)];
  return joint.radii = { r, centres, count: teeth?.map(Math.abs) ?? [24, Math.round(24 / Math.abs(i))] };
}

export function planar(pen, joint) {
  const { c, th, run, t } = pen, found = radii(run, joint);
  if (!found) return;
  found.centres.forEach(([body, at], k) => {
    if (body < 0) return;
    const pose = run.pose(body, t), [x, y] = pen.px(run.place(pose, at)), r = found.r[k] * pen.scale, n = Math.max(6, Math.min(120, found.count[k]));
    const depth = Math.min(.12 * r, Math.PI * r / n), colour = th.palette[body % 8];
    c.beginPath();
    for (let i = 0; i < n; i++) for (const [share, rise] of [[-.3, -.5], [-.18, .5], [.18, .5], [.3, -.5]]) {
      const angle = -pose[2] + 2 * Math.PI * (i + share) / n, rho = r + rise * depth;
      c.lineTo(x + rho * Math.cos(angle), y + rho * Math.sin(angle));
    }
    c.closePath();
    c.fillStyle = alpha(colour, .16);
    c.fill();
    c.strokeStyle = mix(colour, th.ink, .3);
    c.lineWidth = 1.2;
    c.stroke();
  });
}
