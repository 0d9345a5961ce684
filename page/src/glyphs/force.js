// A load on a body: a mark where it acts.
export const kinds = ['force', 'load'];
export const layer = 'over';

export function planar(pen, item) {
  const at = pen.anchor(item);
  if (!at) return;
  const { c, th, bar } = pen, r = bar * 1.1;
  c.beginPath();
  for (const [x, y] of [[0, -r], [r, 0], [0, r], [-r, 0]]) c.lineTo(at[0] + x, at[1] + y);
  c.closePath();
  c.fillStyle = th.panel;
  c.fill();
  c.strokeStyle = th.accent;
  c.lineWidth = 2;
  c.stroke();
}
