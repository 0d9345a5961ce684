// A blade that slides along its edge and not across it.
export const kinds = ['knife-edge'];
export const layer = 'over';

export function planar(pen, joint) {
  const { c, th, run, bar, t } = pen, body = joint.b < 0 ? joint.a : joint.b, at = joint.b < 0 ? joint.on_a : joint.on_b;
  const axis = joint.b < 0 ? joint.axis_a : joint.axis_b, pose = run.pose(body, t), p = pen.px(run.place(pose, at)), d = run.turn(pose, axis);
  c.save();
  c.translate(...p);
  c.rotate(Math.atan2(-d[1], d[0]));
  c.beginPath();
  c.ellipse(0, 0, bar * 2.6, bar * .55, 0, 0, 7);
  c.fillStyle = th.ink;
  c.fill();
  c.restore();
}
