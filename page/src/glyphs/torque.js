// What drives a joint: a motor, a torque, a drive. An arrow around the pin, or along what slides.
import { slides } from '../scene.js';

export const kinds = ['torque', 'motor', 'drive', 'torsion-spring'];
export const layer = 'over';

export function planar(pen, item) {
  const at = pen.anchor(item);
  if (!at) return;
  const joint = pen.run.joints.find(j => j.name === (item.of ?? item.joints?.[0]));
  if (joint && slides(joint.kind)) return along(pen, joint, at);
  const { c, th, bar } = pen, r = bar * 2.5, from = -Math.PI * .95, to = from + Math.PI * .85;
  c.strokeStyle = c.fillStyle = th.accent;
  c.lineWidth = 2.2;
  c.beginPath();
  c.arc(...at, r, from, to);
  c.stroke();
  c.save();
  c.translate(at[0] + r * Math.cos(from), at[1] + r * Math.sin(from));
  c.rotate(from - Math.PI / 2 + .18);
  c.beginPath();
  c.moveTo(8, 0);
  c.lineTo(-3, 5);
  c.lineTo(-3, -5);
  c.closePath();
  c.fill();
  c.restore();
}

function along(pen, joint, at) {
  const { run, th, bar, t } = pen, d = run.turn(run.pose(joint.a, t), joint.axis_a), l = bar * 6 / (Math.hypot(...d) || 1);
  pen.arrow([at[0], at[1] - bar * 3], l * d[0], -l * d[1], th.accent);
}
