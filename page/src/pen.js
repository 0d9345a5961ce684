// What glyphs of the plane draw with: a canvas, colours, and where bodies are at this moment.
import { alpha, mix } from './colours.js';

export class Pen {
  constructor(view) {
    this.view = view;
    this.run = view.run;
    this.S = view.S;
    this.c = view.c;
  }
  /** Before each picture. */
  at(t, poses) {
    const { view } = this;
    Object.assign(this, { t, poses, th: view.th, bar: view.bar, scale: view.fit * view.zoom });
    this.px ??= p => view.px(p);
    return this;
  }
  place(body, at) { return this.px(body < 0 ? at : this.run.place(this.poses[body], at)); }
  /** Both ends of an element or joint. */
  ends(item) {
    if (item.ends) return Object.values(item.ends).slice(0, 2).map(e => this.place(e.body, e.at));
    return [this.place(item.a, item.on_a), this.place(item.b, item.on_b)];
  }
  /** Where something acts that has one place: on its joint, its point, or the body's pin on the ground. */
  anchor(item) {
    const name = item.of ?? item.joints?.[0], joint = name && this.run.joints.find(j => j.name === name);
    if (joint) return joint.pin?.s;
    const end = Object.values(item.ends ?? {})[0];
    if (end) return this.place(end.body, end.at);
    if (item.numbers?.at && item.bodies?.length) return this.place(item.bodies[0], this.local(item.bodies[0], item.numbers.at));
    const body = item.bodies?.find(b => b >= 0);
    if (body === undefined) return null;
    const pin = this.S.pins.find(p => p.ground && p.joints.some(j => j.a === body || j.b === body));
    return pin ? pin.s : this.place(body, [0, 0]);
  }
  /** A point of the ground at the start, as the body sees it. */
  local(body, p) {
    if (body < 0) return p;
    const [x, y, angle] = this.run.pose(body, this.run.t0), c = Math.cos(angle), s = Math.sin(angle), d = [p[0] - x, p[1] - y];
    return [c * d[0] + s * d[1], -s * d[0] + c * d[1]];
  }
  ink(body) { return mix(this.th.palette[body.id % 8], this.th.ink, this.th.dark ? .15 : .35); }
  /** From here on x runs from a to b, until restore(). Returns how far that is. */
  along(a, b) {
    const { c } = this;
    c.save();
    c.translate(a[0], a[1]);
    c.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
    return Math.hypot(b[0] - a[0], b[1] - a[1]);
  }
  /** The path so far as a wire that stands off from what is behind it. */
  wire(colour, width = 1.8) {
    const { c, th } = this;
    c.lineJoin = 'round';
    c.strokeStyle = th.panel;
    c.lineWidth = width + 3;
    c.stroke();
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }
  knobs(...points) { this.dots(points, 3, this.th.ink); }
  dots(points, r, colour) {
    const { c } = this;
    for (const [x, y] of points) {
      c.beginPath();
      c.arc(x, y, r, 0, 7);
      c.fillStyle = colour;
      c.fill();
    }
  }
  rings(...points) {
    const { c, th, bar } = this;
    for (const [x, y] of points) {
      c.beginPath();
      c.arc(x, y, bar * .5, 0, 7);
      c.fillStyle = th.panel;
      c.fill();
      c.lineWidth = 1.5;
      c.strokeStyle = mix(th.ink, th.panel, .2);
      c.stroke();
    }
  }
  /** The ground, along x from one place to another. */
  hatched(from, to, y, side) {
    const { c, th } = this;
    c.strokeStyle = th.muted;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(from, y);
    c.lineTo(to, y);
    c.stroke();
    c.lineWidth = 1;
    c.beginPath();
    for (let x = from + 4; x < to; x += 8) {
      c.moveTo(x, y);
      c.lineTo(x - 6, y + 7 * side);
    }
    c.stroke();
  }
  support([x, y], size = 1) {
    const { c, th } = this, w = this.bar * 1.75 * size, foot = y + 2.3 * w;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x + 1.25 * w, foot);
    c.lineTo(x - 1.25 * w, foot);
    c.closePath();
    c.fillStyle = mix(th.panel, th.ink, .1);
    c.fill();
    c.strokeStyle = mix(th.ink, th.panel, .25);
    c.lineWidth = 1.5;
    c.stroke();
    c.save();
    c.translate(x, foot);
    this.hatched(-2 * w, 2 * w, 0, 1);
    c.restore();
  }
  label(text, x, y, colour, weight = 400, align = 'left') {
    const { c, th } = this;
    c.font = `${weight} 12px system-ui,sans-serif`;
    c.textAlign = align;
    c.textBaseline = 'middle';
    c.lineWidth = 3.5;
    c.strokeStyle = alpha(th.panel, .85);
    c.strokeText(text, x, y);
    c.fillStyle = colour;
    c.fillText(text, x, y);
    c.textAlign = 'left';
  }
  trace(points) {
    this.c.beginPath();
    points.forEach((p, i) => i ? this.c.lineTo(p[0], p[1]) : this.c.moveTo(p[0], p[1]));
    if (points.length > 2) this.c.closePath();
  }
  arrow(p, dx, dy, colour, width = 2.4) {
    const { c, th } = this, l = Math.hypot(dx, dy);
    if (!(l >= 3)) return;
    const ux = dx / l, uy = dy / l, head = Math.min(11, .55 * l + 2), x = p[0] + dx, y = p[1] + dy;
    for (const [style, w] of [[alpha(th.panel, .8), width + 3], [colour, width]]) {
      c.beginPath();
      c.moveTo(p[0], p[1]);
      c.lineTo(x - .8 * head * ux, y - .8 * head * uy);
      c.strokeStyle = style;
      c.lineWidth = w;
      c.stroke();
    }
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - head * ux + head * .42 * uy, y - head * uy - head * .42 * ux);
    c.lineTo(x - head * ux - head * .42 * uy, y - head * uy + head * .42 * ux);
    c.closePath();
    c.fillStyle = colour;
    c.fill();
  }
}
