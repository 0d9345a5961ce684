// Space without WebGL: the same surface on a plain canvas, in parallel projection, what is behind drawn first. Drag turns it.
import { theme, mix } from './colours.js';
import { show } from './numbers.js';
import { slides } from './scene.js';
import { Pen } from './pen.js';

const HOME = { az: -.62, el: .36, zoom: 1 };

export class SketchView {
  constructor(box, S, state) {
    Object.assign(this, { box, S, run: S.run, state, ...HOME, fit: 1 });
    this.canvas = box.appendChild(document.createElement('canvas'));
    this.c = this.canvas.getContext('2d');
    this.pen = new Pen(this);
    this.bar = 5;
    const note = box.parentElement.appendChild(document.createElement('div'));
    note.className = 'note';
    note.textContent = 'There is no WebGL here: drawn as a sketch' + (S.fmax ? ` · longest arrow ${show(S.fmax, 3)} N` : '');
    this.recolour();
    this.resize();
    this.listen();
  }
  listen() {
    const el = this.canvas, { state } = this, at = e => { const r = el.getBoundingClientRect(); return this.hit(e.clientX - r.left, e.clientY - r.top); };
    let drag = null;
    el.addEventListener('pointerdown', e => { drag = [e.clientX, e.clientY, this.az, this.el, 0]; });
    el.addEventListener('pointermove', e => {
      if (!drag || !e.buttons) return state.hoverOver(at(e), e.clientX, e.clientY);
      this.az = drag[2] - (e.clientX - drag[0]) / 150;
      this.el = Math.max(-1.5, Math.min(1.5, drag[3] + (e.clientY - drag[1]) / 150));
      drag[4]++;
      state.dirty();
    });
    el.addEventListener('pointerup', e => { if (drag && drag[4] < 3) state.choose(at(e)); drag = null; });
    el.addEventListener('pointerleave', () => state.hoverOver(null));
    el.addEventListener('dblclick', () => this.home());
    el.addEventListener('wheel', e => { e.preventDefault(); this.zoom *= Math.exp(-e.deltaY / 500); state.dirty(); }, { passive: false });
  }
  home() {
    Object.assign(this, HOME);
    this.state.dirty();
  }
  shown(body) { return this.poses[body]; }
  recolour() { this.th = theme(); }
  resize() {
    const r = this.box.getBoundingClientRect(), k = this.k = Math.min(3, devicePixelRatio || 1);
    this.w = r.width;
    this.h = r.height;
    this.canvas.width = r.width * k;
    this.canvas.height = r.height * k;
    this.s0 = .92 * Math.min(this.w, this.h) / this.S.size;
    this.mid = this.S.lo.map((x, i) => (x + this.S.hi[i]) / 2);
  }
  hit(x, y) {
    let best = null, d = 16;
    for (const pin of this.S.pins) if (pin.s) {
      const e = Math.hypot(pin.s[0] - x, pin.s[1] - y);
      if (e < d) { d = e; best = { pin }; }
    }
    return best;
  }
  /** On the canvas, with its depth. */
  px(p) {
    const [x, y, z] = p.map((v, i) => v - this.mid[i]), ca = Math.cos(this.az), sa = Math.sin(this.az), u = ca * x - sa * y, v = sa * x + ca * y, s = this.s0 * this.zoom;
    return [this.w / 2 + s * u, this.h / 2 - s * (z * Math.cos(this.el) + v * Math.sin(this.el)) + 10, -v * Math.cos(this.el) + z * Math.sin(this.el)];
  }
  draw(t) {
    const { c, run, S, th, state } = this, poses = this.poses = run.bodies.map(b => run.pose(b.id, t)), hot = state.hotJoints(), R = .012 * S.size * this.s0 * this.zoom;
    this.pen.at(t, poses);
    c.setTransform(this.k, 0, 0, this.k, 0, 0);
    c.clearRect(0, 0, this.w, this.h);
    c.lineCap = c.lineJoin = 'round';
    this.floor();
    const parts = [];
    for (const body of run.bodies) {
      const q = body.points.map(p => this.px(run.place(poses[body.id], p))), depth = q.reduce((s, p) => s + p[2], 0) / q.length;
      parts.push([depth, () => this.outline(q, th.palette[body.id % 8], 2 * R * (body.barrel ? 1.45 : body.rod ? .72 : 1))]);
    }
    run.parts.forEach((part, i) => {
      const q = part.points.map(k => this.px(run.sketchPoint(k, t)));
      parts.push([q.reduce((s, p) => s + p[2], 0) / q.length, () => this.outline(q, th.palette[i % 8], 2 * R)]);
    });
    for (const pin of S.pins) {
      const s = pin.s = this.px(pin.body < 0 ? pin.at : run.place(poses[pin.body], pin.at)), lit = pin.joints.find(j => hot.has(j.id));
      if (!slides(pin.kind)) parts.push([s[2] + 1e-3 * S.size, () => this.knob(s, R * (lit ? 1.9 : 1.1), lit ? th.palette[lit.hue % 8] : th.panel)]);
    }
    parts.sort((a, b) => a[0] - b[0]).forEach(p => p[1]());
    if (state.on.forces && S.fmax) this.forces(t, hot);
  }
  floor() {
    const { c, S, th } = this, f = Math.min(...S.pins.map(p => p.a[2]), S.lo[2]), cell = 10 ** Math.round(Math.log10(S.size / 12)), n = Math.ceil(.7 * S.size / cell);
    c.strokeStyle = th.line;
    c.lineWidth = 1;
    c.beginPath();
    for (let i = -n; i <= n; i++) for (const ends of [[[i * cell, -n * cell, f], [i * cell, n * cell, f]], [[-n * cell, i * cell, f], [n * cell, i * cell, f]]]) {
      const [a, b] = ends.map(p => this.px(p));
      c.moveTo(a[0], a[1]);
      c.lineTo(b[0], b[1]);
    }
    c.stroke();
  }
  outline(q, colour, width) {
    const { c, th } = this;
    if (q.length > 2) {
      const m = q.reduce((s, p) => [s[0] + p[0] / q.length, s[1] + p[1] / q.length], [0, 0]), angle = p => Math.atan2(p[1] - m[1], p[0] - m[0]);
      q.sort((a, b) => angle(a) - angle(b));
    }
    if (q.length === 1) return this.knob(q[0], width, mix(th.panel, colour, .4));
    this.pen.trace(q);
    c.strokeStyle = mix(colour, th.ink, .35);
    c.lineWidth = width + 1.6;
    c.stroke();
    c.strokeStyle = c.fillStyle = mix(th.panel, colour, th.dark ? .4 : .3);
    c.lineWidth = Math.max(1, width - 1.6);
    c.stroke();
    if (q.length > 2) c.fill();
  }
  knob([x, y], r, fill) {
    const { c, th } = this;
    c.beginPath();
    c.arc(x, y, r, 0, 7);
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = th.ink;
    c.lineWidth = 1.5;
    c.stroke();
  }
  forces(t, hot) {
    const { run, S, th } = this, k = .3 * S.size / S.fmax;
    for (const joint of run.joints) {
      if (!joint.arrow || !joint.pin?.s || (hot.size && !hot.has(joint.id))) continue;
      const a = run.point(joint.pin.body, joint.pin.at, t), f = run.force(joint, t), A = this.px(a), B = this.px(a.map((x, i) => x + k * f[i]));
      this.pen.arrow(A, B[0] - A[0], B[1] - A[1], th.palette[joint.hue % 8]);
    }
  }
}
