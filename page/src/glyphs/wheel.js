// Discs that roll on a line, and racks: a wheel with a spoke, so that one sees it turn.
import { mix } from '../colours.js';

export const kinds = ['rolling', 'rack', 'rolling-disc'];
export const layer = 'behind';

/** Of the file, or the distance from the centre to the line. */
export function radiusOf(joint) {
  if (joint.numbers.radius) return joint.numbers.radius[0];
  const { at, along } = joint.numbers;
  if (!at || !along || joint.a >= 0) return 0;
  const d = joint.on_a.map((x, i) => x - at[i]), l = Math.hypot(...along) || 1;
  return Math.abs(along[0] * d[1] - along[1] * d[0]) / l;
}

export function planar(pen, joint) {
  const { c, th, run, t } = pen, r = radiusOf(joint), body = run.bodies[joint.b];
  if (joint.a < 0 && joint.numbers.along) ground(pen, joint, r);
  if (!body || !(r > 0)) return;
  const pose = run.pose(joint.b, t), at = pen.px(run.place(pose, joint.on_b)), edge = pen.ink(body);
  c.beginPath();
  c.arc(...at, r * pen.scale, 0, 7);
  c.fillStyle = mix(th.panel, th.palette[body.id % 8], th.dark ? .34 : .2);
  c.fill();
  c.strokeStyle = edge;
  c.lineWidth = 1.8;
  c.setLineDash(joint.kind === 'rack' ? [5, 3] : []);
  c.stroke();
  c.setLineDash([]);
  c.beginPath();
  c.moveTo(...at);
  c.lineTo(at[0] + .92 * r * pen.scale * Math.cos(pose[2]), at[1] - .92 * r * pen.scale * Math.sin(pose[2]));
  c.lineWidth = 1.2;
  c.stroke();
}

function ground(pen, joint, r) {
  const { S } = pen, { along } = joint.numbers, l = Math.hypot(...along), u = [along[0] / l, along[1] / l];
  const d = [joint.on_a[0] - joint.numbers.at[0], joint.on_a[1] - joint.numbers.at[1]], side = Math.sign(u[0] * d[1] - u[1] * d[0]) || 1;
  const foot = [joint.on_a[0] + side * r * u[1], joint.on_a[1] - side * r * u[0]], reach = S.size;
  const a = pen.px([foot[0] - reach * u[0], foot[1] - reach * u[1]]), b = pen.px([foot[0] + reach * u[0], foot[1] + reach * u[1]]);
  const length = pen.along(a, b);
  pen.hatched(0, length, 1, side);
  pen.c.restore();
}
