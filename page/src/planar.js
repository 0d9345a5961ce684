// The mechanism in the plane, on a canvas, drawn like an engineer's sketch: pale bodies, saturated forces.
import { theme, mix, alpha } from './colours.js';
import { nice } from './numbers.js';
import { hull, slides } from './scene.js';
import { Pen } from './pen.js';
import { sketchParts } from './sketch_parts.js';
import { names, furniture } from './annotations.js';
import glyphs from 'glyphs';

const area = h => Math.abs(h.reduce((sum, p, i) => sum + p[0] * h[(i + 1) % h.length][1] - p[1] * h[(i + 1) % h.length][0], 0));
/** Of elements that nobody knows how to draw: a line between their ends. */
const plain = { layer: 'front', planar(pen, item) { if (Object.keys(item.ends ?? {}).length > 1) { pen.trace(pen.ends(item)); pen.wire(pen.th.muted); } } };

export class PlanarView {
  constructor(box, S, state) {
    Object.assign(this, { box, S, run: S.run, state, zoom: 1, pan: [0, 0] });
    this.canvas = box.appendChild(document.createElement('canvas'));
    this.c = this.canvas.getContext('2d');
    this.pen = new Pen(this);
    for (const body of this.run.bodies) body.hull = hull(body.points);
    this.order = [...this.run.bodies].sort((a, b) => area(b.hull) - area(a.hull));
    const items = [...this.run.joints, ...this.run.drives, ...this.run.forces];
    this.items = items.map(item => [glyphs.find(g => g.kinds.includes(item.kind)) ?? plain, item]);
    this.recolour();
    this.resize();
    this.listen();
  }
  recolour() { this.th = theme(); }
  resize() {
    const box = this.box.getBoundingClientRect(), k = this.k = Math.min(3, devicePixelRatio || 1);
    this.w = box.width;
    this.h = box.height;
    this.canvas.width = Math.round(box.width * k);
    this.canvas.height = Math.round(box.height * k);
    const { lo, hi, size } = this.S, margin = Math.max(34, .1 * Math.min(this.w, this.h)), top = 44, bottom = 40;
    const wide = Math.max(hi[0] - lo[0], .05 * size), high = Math.max(hi[1] - lo[1], .05 * size);
    this.fit = Math.min((this.w - 2 * margin) / wide, (this.h - top - bottom - margin) / high);
    this.mid = [(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2];
    this.centre = [this.w / 2, (this.h + top - bottom) / 2];
    const links = this.run.bodies.length + this.run.parts.length, crowd = links > 40 ? .45 : links > 16 ? .65 : links > 8 ? .8 : 1;
    this.bar = Math.max(3, crowd * Math.max(4.5, Math.min(11, .015 * Math.min(this.w, this.h))));
  }
  px(p) {
    const s = this.fit * this.zoom;
    return [this.centre[0] + this.pan[0] + s * (p[0] - this.mid[0]), this.centre[1] + this.pan[1] - s * (p[1] - this.mid[1])];
  }
  /** Where a body was drawn last. */
  shown(body) { return this.poses[body]; }
  home() {
    this.zoom = 1;
    this.pan = [0, 0];
    this.state.dirty();
  }
  zoomBy(f, x = this.centre[0], y = this.centre[1]) {
    const z = Math.max(.2, Math.min(60, this.zoom * f)), g = z / this.zoom;
    this.pan = [x - this.centre[0] - g * (x - this.centre[0] - this.pan[0]), y - this.centre[1] - g * (y - this.centre[1] - this.pan[1])];
    this.zoom = z;
    this.state.dirty();
  }
  listen() {
    const el = this.canvas, touches = new Map();
    const at = e => { const r = el.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    let drag = null, pinch = 0;
    el.addEventListener('wheel', e => { e.preventDefault(); this.zoomBy(Math.exp(-e.deltaY / 500), ...at(e)); }, { passive: false });
    el.addEventListener('pointerdown', e => {
      touches.set(e.pointerId, at(e));
      el.setPointerCapture(e.pointerId);
      drag = { from: [e.clientX, e.clientY], pan: this.pan, moved: 0 };
      pinch = 0;
    });
    el.addEventListener('pointermove', e => {
      if (touches.has(e.pointerId)) touches.set(e.pointerId, at(e));
      if (touches.size === 2) {
        const [a, b] = [...touches.values()], d = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (pinch) this.zoomBy(d / pinch, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
        pinch = d;
        drag = null;
      } else if (drag && e.buttons) {
        this.pan = [drag.pan[0] + e.clientX - drag.from[0], drag.pan[1] + e.clientY - drag.from[1]];
        drag.moved++;
        this.state.dirty();
      } else this.state.hoverOver(this.hit(...at(e)), e.clientX, e.clientY);
    });
    const up = e => {
      if (drag && drag.moved < 3) this.state.choose(this.hit(...at(e)));
      touches.delete(e.pointerId);
      drag = null;
    };
    el.addEventListener('pointerup', up);
    el.addEventListener('pointercancel', e => touches.delete(e.pointerId));
    el.addEventListener('pointerleave', () => this.state.hoverOver(null));
    el.addEventListener('dblclick', () => this.home());
  }
  /** The pin there, otherwise the body. */
  hit(x, y) {
    let best = null, d = 16;
    for (const pin of this.S.pins) if (pin.s) {
      const e = Math.hypot(pin.s[0] - x, pin.s[1] - y);
      if (e < d) { d = e; best = { pin }; }
    }
    if (best || !this.poses) return best;
    d = this.bar + 4;
    for (const body of this.run.bodies) {
      const h = body.hull.map(p => this.px(this.run.place(this.poses[body.id], p))), e = outside(h, x, y);
      if (e < d) { d = e; best = { body }; }
    }
    return best;
  }
  /** One picture. */
  draw(t) {
    const { c, run, S, state } = this, poses = this.poses = run.bodies.map(body => run.pose(body.id, t)), pen = this.pen.at(t, poses);
    c.setTransform(this.k, 0, 0, this.k, 0, 0);
    c.clearRect(0, 0, this.w, this.h);
    c.lineJoin = c.lineCap = 'round';
    this.grid();
    for (const pin of S.pins) pin.s = pen.place(pin.body, pin.at);
    if (state.on.paths) for (const path of S.paths) if (path.moves) this.path(path, t);
    if (state.on.strobe) this.strobe();
    for (const ghost of state.ghosts) if (!ghost.off) this.ghost(ghost, t);
    this.supports(pen);
    this.layer('behind', pen);
    sketchParts(this, pen);
    const hot = state.hotJoints(), lit = state.hotBody();
    for (const body of this.order) this.link(body, poses[body.id], lit);
    this.layer('front', pen);
    for (const pin of S.pins) this.pin(pin, hot);
    this.layer('over', pen);
    this.watched(t);
    if (state.on.forces && S.fmax > 0) this.forces(t, hot);
    if (state.on.names) names(this, poses);
    furniture(this);
  }
  layer(which, pen) { for (const [glyph, item] of this.items) if (glyph.layer === which) glyph.planar(pen, item); }
  supports(pen) {
    const { S, run } = this;
    for (const pin of S.pins) if (pin.ground && !slides(pin.kind)) pen.support(pin.s);
    for (const element of run.forces) for (const end of Object.values(element.ends ?? {})) {
      if (end.body >= 0) continue;
      const q = pen.place(-1, end.at);
      if (!S.pins.some(p => p.ground && Math.hypot(p.s[0] - q[0], p.s[1] - q[1]) < 3)) pen.support(q, .8);
    }
    for (const joint of run.joints) if (joint.kind === 'distance' && joint.a < 0) pen.support(pen.place(-1, joint.on_a), .8);
  }
  grid() {
    const { c, th } = this, s = this.fit * this.zoom, step = nice(60 / s) * s, o = this.px([0, 0]);
    c.fillStyle = mix(th.line, th.muted, .25);
    for (let x = ((o[0] % step) + step) % step; x < this.w; x += step)
      for (let y = ((o[1] % step) + step) % step; y < this.h; y += step) c.fillRect(x - .75, y - .75, 1.5, 1.5);
  }
  fill(body) { return mix(this.th.panel, this.th.palette[body.id % 8], this.th.dark ? .34 : .2); }
  link(body, pose, lit) {
    const { c, run, bar, pen } = this, h = body.hull.map(p => this.px(run.place(pose, p))), edge = pen.ink(body), fill = this.fill(body);
    const glow = lit === body ? 2.4 : 1;
    if (body.shape && body.shape.kind !== 'bar') return this.shape(body, pose, edge, fill, glow);
    if (body.block) {
      this.block(body, pose, edge, fill);
      if (h.length < 2 || (h.length === 2 && Math.hypot(h[0][0] - h[1][0], h[0][1] - h[1][1]) < 5 * bar)) return;
    }
    if (h.length === 1) {
      c.beginPath();
      c.arc(h[0][0], h[0][1], bar * 1.3, 0, 7);
      c.fillStyle = fill;
      c.fill();
      c.strokeStyle = edge;
      c.lineWidth = 1.6 * glow;
      c.stroke();
      return;
    }
    pen.trace(h);
    c.strokeStyle = edge;
    c.lineWidth = 2 * bar + 1.6 * glow;
    c.stroke();
    c.strokeStyle = fill;
    c.lineWidth = 2 * bar - 1.6;
    c.stroke();
    if (h.length > 2) {
      c.fillStyle = fill;
      c.fill();
    } else if (!body.block && bar > 4) {
      c.strokeStyle = alpha(edge, .35);
      c.lineWidth = 1;
      c.setLineDash([10, 3, 2, 3]);
      c.stroke();
      c.setLineDash([]);
    }
  }
  /** Of a body that says what it looks like. */
  shape(body, pose, edge, fill, glow) {
    const { c, shape } = { c: this.c, shape: body.shape }, s = this.fit * this.zoom, size = k => shape[k]?.[0] ?? 0;
    const [x, y] = this.px(pose), r = size('radius') * s, size2 = shape.size ?? [size('length'), size('width') || size('height')];
    c.save();
    c.translate(x, y);
    c.rotate(-pose[2]);
    c.beginPath();
    if (r > 0) c.arc(0, 0, r, 0, 7);
    else c.roundRect(-size2[0] * s / 2, -(size2[1] || .2 * size2[0]) * s / 2, size2[0] * s, (size2[1] || .2 * size2[0]) * s, 3);
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = edge;
    c.lineWidth = 1.6 * glow;
    c.stroke();
    if (r > 0) { c.beginPath(); c.moveTo(0, 0); c.lineTo(.92 * r, 0); c.lineWidth = 1.2; c.stroke(); }
    c.restore();
  }
  block(body, pose, edge, fill) {
    const { c, run } = this, joint = body.block, p = this.px(run.place(pose, joint.on_b)), w = this.bar * 2.1, d = run.turn(pose, joint.axis_b);
    c.save();
    c.translate(p[0], p[1]);
    c.rotate(Math.atan2(-d[1], d[0]));
    c.beginPath();
    c.roundRect(-w * 1.5, -w, 3 * w, 2 * w, 4);
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = edge;
    c.lineWidth = 1.6;
    c.stroke();
    c.restore();
  }
  pin(pin, hot) {
    const { c, th, bar } = this, r = bar * .62, lit = pin.joints.find(j => hot.has(j.id)), colour = th.palette[(lit ?? pin.joints[0]).hue % 8];
    if (slides(pin.kind) && pin.kind === 'prismatic' && !lit) return;
    const [x, y] = pin.s;
    if (lit) {
      c.beginPath();
      c.arc(x, y, bar * 2.1, 0, 7);
      c.fillStyle = alpha(colour, .28);
      c.fill();
      c.lineWidth = 1.5;
      c.strokeStyle = colour;
      c.stroke();
    }
    if (pin.kind === 'fixed') return this.weld(x, y, lit ? colour : th.ink);
    c.beginPath();
    c.arc(x, y, r, 0, 7);
    c.fillStyle = th.panel;
    c.fill();
    c.strokeStyle = lit ? colour : th.ink;
    c.lineWidth = Math.min(1.8, bar / 3);
    c.stroke();
    if (pin.joints.length > 1) { c.beginPath(); c.arc(x, y, r + 3, 0, 7); c.lineWidth = 1; c.stroke(); }
    if (pin.ground) { c.beginPath(); c.arc(x, y, r * .38, 0, 7); c.fillStyle = th.ink; c.fill(); }
  }
  weld(x, y, colour) {
    const { c, bar } = this, r = bar * .7;
    c.beginPath();
    c.moveTo(x - r, y - r);
    c.lineTo(x + r, y + r);
    c.moveTo(x + r, y - r);
    c.lineTo(x - r, y + r);
    c.strokeStyle = colour;
    c.lineWidth = 2.4;
    c.stroke();
  }
  watched(t) {
    const { c, th } = this;
    for (const path of this.S.paths) {
      if (!path.watch) continue;
      const [x, y] = this.px(path.where(t)), colour = th.palette[path.colour % 8];
      c.beginPath();
      c.arc(x, y, 4, 0, 7);
      c.fillStyle = colour;
      c.fill();
      c.strokeStyle = th.panel;
      c.lineWidth = 1.5;
      c.stroke();
      this.pen.label(path.name, x + 9, y - 8, colour, 600);
    }
  }
  /** The whole path of a point thin, the last part of it strong. */
  path(path, t) {
    const { c, run, th } = this, colour = th.palette[path.colour % 8];
    c.beginPath();
    for (let k = 0; k < path.n; k++) {
      const q = this.px([path.xyz[2 * k], path.xyz[2 * k + 1]]);
      if (k) c.lineTo(q[0], q[1]); else c.moveTo(q[0], q[1]);
    }
    c.strokeStyle = alpha(colour, .3);
    c.lineWidth = 1.1;
    c.stroke();
    const tail = .22 * run.span, parts = 120;
    let last = null;
    c.lineCap = 'butt';   // round ends of translucent strokes would make beads
    for (let i = 0; i <= parts; i++) {
      const u = t - tail * (1 - i / parts);
      if (u < run.t0) continue;
      const q = this.px(path.where(u));
      if (last) {
        c.beginPath();
        c.moveTo(last[0], last[1]);
        c.lineTo(q[0], q[1]);
        c.strokeStyle = alpha(colour, .08 + .92 * (i / parts) ** 1.6);
        c.lineWidth = .8 + 2.6 * i / parts;
        c.stroke();
      }
      last = q;
    }
    c.lineCap = 'round';
  }
  strobe() {
    const { c, run, pen } = this, moments = 16;
    c.lineWidth = 1.4;
    for (let i = 0; i <= moments; i++) for (const body of run.bodies) {
      const pose = run.pose(body.id, run.t0 + run.span * i / moments);
      pen.trace(body.hull.map(p => this.px(run.place(pose, p))));
      c.strokeStyle = alpha(pen.ink(body), .22);
      c.stroke();
    }
  }
  /** Another run, as an outline; its parameters may make other bodies. */
  ghost({ run, colour }, t) {
    const { c, pen, th } = this;
    c.setLineDash([5, 4]);
    for (const body of run.bodies) {
      const pose = run.pose(body.id, Math.min(t, run.t1));
      body.hull ??= hull(body.points);
      pen.trace(body.hull.map(p => this.px(run.place(pose, p))));
      c.strokeStyle = alpha(th.palette[colour % 8], .75);
      c.lineWidth = 2;
      c.stroke();
    }
    for (const part of run.parts) if (/link|rope|spring/.test(part.kind)) {
      pen.trace(part.points.map(i => this.px(run.sketchPoint(i, Math.min(t, run.t1)))));
      c.strokeStyle = alpha(th.palette[colour % 8], .75);
      c.stroke();
    }
    c.setLineDash([]);
  }
  forces(t, hot) {
    const { S, run, th, pen } = this, k = this.perNewton = .2 * Math.min(this.w, this.h) / S.fmax, most = .34 * Math.min(this.w, this.h);
    for (const joint of run.joints) {
      if (!joint.arrow) continue;
      const f = run.force(joint, t), lit = hot.has(joint.id), l = Math.hypot(...f) * k, cut = l > most ? most / l : 1;
      const colour = th.palette[joint.hue % 8];
      pen.arrow(joint.pin.s, f[0] * k * cut, -f[1] * k * cut, hot.size && !lit ? alpha(colour, .3) : colour, lit ? 3.6 : 2.4);
    }
  }
}

/** How far a point is outside of a hull; 0 inside. */
function outside(h, x, y) {
  let inside = h.length > 2, best = Infinity;
  h.forEach((p, i) => {
    const q = h[(i + 1) % h.length], d = [q[0] - p[0], q[1] - p[1]], l2 = d[0] ** 2 + d[1] ** 2;
    const s = l2 ? Math.max(0, Math.min(1, ((x - p[0]) * d[0] + (y - p[1]) * d[1]) / l2)) : 0;
    best = Math.min(best, Math.hypot(p[0] + s * d[0] - x, p[1] + s * d[1] - y));
  });
  for (let i = 0, turn = 0; inside && i < h.length; i++) {
    const p = h[i], q = h[(i + 1) % h.length], side = Math.sign((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]));
    if (turn && side && side !== turn) inside = false;
    turn ||= side;
  }
  return inside ? 0 : best;
}
