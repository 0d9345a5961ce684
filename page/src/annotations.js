// What is written beside a mechanism in the plane: names, scale bars, the direction of gravity.
import { scaleOf, nice } from './numbers.js';

const centroid = h => h.reduce((s, p) => [s[0] + p[0] / h.length, s[1] + p[1] / h.length], [0, 0]);

/** Bodies first, then pins on whichever side is free; left out where none is. */
export function names(view, poses) {
  const { c, run, th, bar, pen } = view, { pins } = view.S, used = pins.map(p => [p.s[0] - bar * .6, p.s[1] - bar * .6, bar * 1.2, bar * 1.2]);
  const free = r => used.every(u => r[0] + r[2] < u[0] || u[0] + u[2] < r[0] || r[1] + r[3] < u[1] || u[1] + u[3] < r[1]);
  const put = (text, spots, colour, weight) => {
    c.font = `${weight} 12px system-ui,sans-serif`;
    const w = c.measureText(text).width;
    for (const [x, y, align] of spots) {
      const r = [align === 'center' ? x - w / 2 : align === 'right' ? x - w : x, y - 7, w, 14];
      if (!free(r)) continue;
      used.push(r);
      return pen.label(text, x, y, colour, weight, align);
    }
  };
  for (const body of run.bodies) {
    const at = view.px(run.place(poses[body.id], centroid(body.hull))), h = body.hull.map(p => view.px(run.place(poses[body.id], p)));
    const spots = h.length === 2 ? [[.5, .5], [.7, .3], [.3, .7]].map(([u, v]) => [u * h[0][0] + v * h[1][0], u * h[0][1] + v * h[1][1], 'center'])
      : [[...at, 'center'], [at[0], at[1] + 18, 'center'], [at[0], at[1] - 18, 'center']];
    put(body.name, spots, pen.ink(body), 650);
  }
  const d = bar + 5;
  for (const pin of pins) {
    const [x, y] = pin.s;
    put(pin.joints.map(j => j.name).join(', '), [[x + d, y + d, 'left'], [x + d, y - d, 'left'], [x - d, y - d, 'right'],
      [x - d, y + d, 'right'], [x, y - 2 * d, 'center'], [x, y + 2 * d, 'center']], th.muted, 400);
  }
  for (let i = 0; i < run.points.length; i++) {
    const [x, y] = view.px(run.sketchPoint(i, pen.t));
    put(run.points[i].name, [[x + d, y + d, 'left'], [x - d, y - d, 'right']], th.muted, 400);
  }
}

/** Scale bars and the direction of gravity. */
export function furniture(view) {
  const { c, th, S, run, pen } = view, s = view.fit * view.zoom, y = view.h - 18, len = nice(130 / s), px = len * s;
  const [k, unit] = len >= 1 ? [1, 'm'] : len >= .001 ? [1e3, 'mm'] : [1e6, 'µm'];
  let x = 18;
  c.font = '12px system-ui,sans-serif';
  c.textBaseline = 'middle';
  c.strokeStyle = c.fillStyle = th.muted;
  c.lineWidth = 1.5;
  c.beginPath();
  for (const [x0, y0, x1, y1] of [[x, y - 4, x, y + 4], [x, y, x + px, y], [x + px, y - 4, x + px, y + 4]]) { c.moveTo(x0, y0); c.lineTo(x1, y1); }
  c.stroke();
  const say = text => { c.fillStyle = th.muted; c.fillText(text, x, y); x += c.measureText(text).width + 24; };
  x += px + 8;
  say(`${+(len * k).toPrecision(3)} ${unit}`);
  if (view.state.on.forces && S.fmax > 0) {
    const f = nice(60 / view.perNewton), [q, fu] = scaleOf('N', f);
    pen.arrow([x, y], f * view.perNewton, 0, th.muted, 2);
    x += f * view.perNewton + 8;
    say(`${+(f * q).toPrecision(3)} ${fu}`);
  }
  const g = run.gravity, G = Math.hypot(...g);
  if (!G) return;
  const at = [view.w - 24, view.h - 52];
  pen.arrow(at, 24 * g[0] / G, -24 * g[1] / G, th.muted, 1.8);
  c.fillStyle = th.muted;
  c.textAlign = 'center';
  c.font = 'italic 13px Georgia,serif';
  c.fillText('g', at[0] - 12, at[1] + 10);
  c.textAlign = 'left';
}
