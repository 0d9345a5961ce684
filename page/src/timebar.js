// Time bar: step sizes above, the track below, marks of events, singular positions and rejected steps between; drag to move in time.
import { theme, alpha } from './colours.js';
import { show, seconds, escaped, plural } from './numbers.js';

/** What happened when: { t, kind, text }, ascending. */
export function marksOf(run) {
  const s = run.summary, marks = [];
  for (const p of s.passages) {
    const hop = +(/step of ([\d.e+-]+) s/.exec(p.how)?.[1] ?? 0);
    marks.push({ t: p.t, hop, kind: 'singular position', text: p.how, rows: p.rows });
  }
  for (const e of s.events) marks.push({ t: e.t, kind: 'event', text: e.name });
  for (const c of s.changes) marks.push({ t: c.t, kind: 'change of method', text: `${c.formulation} with ${c.method}: ${c.why}` });
  if (!s.good) marks.push({ t: s.t, kind: 'end', text: s.message || s.meaning });
  return marks.sort((a, b) => a.t - b.t);
}

export class TimeBar {
  constructor(canvas, run, state) {
    Object.assign(this, { canvas, run, state, c: canvas.getContext('2d'), drag: false });
    const sizes = [...run.steps.shortest, ...run.steps.longest].filter(h => h > 0);
    this.lo = sizes.length ? sizes.reduce((a, b) => Math.min(a, b)) : 1;
    this.hi = sizes.length ? sizes.reduce((a, b) => Math.max(a, b)) : 1;
    const at = e => { const r = canvas.getBoundingClientRect(); return e.clientX - r.left; };
    canvas.addEventListener('pointerdown', e => { canvas.setPointerCapture(e.pointerId); this.drag = true; state.seek(this.time(at(e))); });
    canvas.addEventListener('pointermove', e => { if (this.drag) state.seek(this.time(at(e))); this.tip(at(e), e); });
    canvas.addEventListener('pointerup', () => { this.drag = false; });
    canvas.addEventListener('pointerleave', () => state.tip(null));
    canvas.setAttribute('role', 'slider');
    canvas.setAttribute('aria-label', 'Time');
    canvas.setAttribute('aria-valuemin', run.t0);
    canvas.setAttribute('aria-valuemax', run.t1);
    canvas.tabIndex = 0;
    this.recolour();
    this.resize();
  }
  recolour() {
    this.th = theme();
    this.still = null;
  }
  resize() {
    const r = this.canvas.getBoundingClientRect(), k = this.k = Math.min(3, devicePixelRatio || 1);
    this.w = r.width;
    this.h = r.height;
    this.canvas.width = Math.round(r.width * k);
    this.canvas.height = Math.round(r.height * k);
    this.still = null;
  }
  get gutter() { return this.w > 520 ? 58 : 8; }
  x(t) { return this.gutter + (this.w - 8 - this.gutter) * (this.run.span > 0 ? (t - this.run.t0) / this.run.span : 0); }
  time(x) { return this.run.t0 + this.run.span * Math.max(0, Math.min(1, (x - this.gutter) / (this.w - 8 - this.gutter))); }
  group(t) {
    const T = this.run.steps.t;
    let a = 0, b = T.length;
    while (b - a > 1) { const c = (a + b) >> 1; if (T[c] <= t) a = c; else b = c; }
    return a;
  }
  tip(x, e) {
    const near = this.state.marks.filter(m => Math.abs(this.x(m.t) - x) < 7), t = this.time(x), s = this.run.steps, k = this.group(t);
    let text = near.slice(0, 3).map(m => `<b>${m.kind}</b> at t = ${show(m.t, 5)} s<br>${escaped(m.text)}`
      + (m.rows ? `<br><span class="m">${plural(m.rows.length, 'row depends', 'rows depend')} on each other there</span>` : '')).join('<br>');
    if (!near.length) {
      const order = s.order[k] > 0 ? `, error like h<sup>${Math.round(s.order[k])}</sup>` : '';
      text = `t = ${show(t, 4)} s` + (s.t.length ? `<br><span class="m">step ${seconds(s.longest[k])}${order}</span>` : '');
      if (s.rejected[k] > 0) text += `<br><span class="m">${plural(s.rejected[k], 'try was', 'tries were')} thrown away here</span>`;
    }
    this.state.tip(text, e.clientX, e.clientY, true);
  }
  /** What does not move is drawn once. */
  base() {
    const o = this.still = document.createElement('canvas'), { th, run } = this;
    o.width = this.canvas.width;
    o.height = this.canvas.height;
    const c = o.getContext('2d'), top = 17, bottom = this.h - 30, track = this.yt = bottom + 7;
    c.setTransform(this.k, 0, 0, this.k, 0, 0);
    c.font = '11px system-ui,sans-serif';
    c.textBaseline = 'middle';
    this.stepSizes(c, top, bottom);
    c.strokeStyle = th.line;
    c.lineWidth = 5;
    c.lineCap = 'round';
    c.beginPath();
    c.moveTo(this.gutter, track);
    c.lineTo(this.w - 8, track);
    c.stroke();
    this.ticks(c, track);
    for (const mark of this.state.marks) this.mark(c, mark, top, track);
    if (!run.steps.t.length) return;
    c.fillStyle = alpha(th.warn, .75);   // tries that were thrown away: short strokes below the strip
    run.steps.rejected.forEach((n, i) => { if (n > 0) c.fillRect(this.x(run.steps.t[i]) - .5, bottom - 1, 1, 4); });
  }
  stepSizes(c, top, bottom) {
    const { th, run } = this, s = run.steps;
    if (!s.t.length) return;
    const decades = Math.max(Math.log10(this.hi / this.lo), .3), Y = h => bottom - 3 - (bottom - top - 6) * Math.log10(h / this.lo) / decades;
    const line = () => {
      let begun = false;
      s.t.forEach((t, i) => {
        if (!(s.longest[i] > 0)) return;
        const x = this.x(t), end = this.x(i + 1 < s.t.length ? s.t[i + 1] : run.t1), y = Y(s.longest[i]);
        if (begun) c.lineTo(x, y); else c.moveTo(x, y);
        c.lineTo(Math.max(x, end), y);
        begun = true;
      });
    };
    c.beginPath();
    line();
    c.lineTo(this.x(run.t1), bottom);
    c.lineTo(this.x(run.t0), bottom);
    c.closePath();
    c.fillStyle = alpha(th.accent, .16);
    c.fill();
    c.beginPath();
    line();
    c.strokeStyle = alpha(th.accent, .75);
    c.lineWidth = 1.2;
    c.stroke();
    if (this.gutter <= 8) return;
    c.fillStyle = th.muted;
    c.textAlign = 'right';
    c.fillText('step', this.gutter - 7, 7);
    c.fillText(seconds(this.hi), this.gutter - 7, Y(this.hi) + 4, this.gutter - 8);
    if (Y(this.lo) - Y(this.hi) > 17) c.fillText(seconds(this.lo), this.gutter - 7, Y(this.lo) - 2, this.gutter - 8);
    c.textAlign = 'left';
  }
  ticks(c, track) {
    const { th, run } = this;
    if (!(run.span > 0)) return;
    const rough = run.span / (this.w / 90), e = 10 ** Math.floor(Math.log10(rough)), m = rough / e, step = (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * e;
    c.fillStyle = c.strokeStyle = th.muted;
    c.lineWidth = 1;
    for (let i = Math.ceil(run.t0 / step - 1e-9); i * step <= run.t1 + 1e-9 * run.span; i++) {
      const X = this.x(i * step);
      c.beginPath();
      c.moveTo(X, track + 5);
      c.lineTo(X, track + 8);
      c.stroke();
      c.textAlign = X > this.w - 24 ? 'right' : X < 20 + this.gutter ? 'left' : 'center';
      c.fillText(String(+(i * step).toPrecision(6)) + (i === 0 ? ' s' : ''), X, track + 15);
    }
    c.textAlign = 'left';
  }
  mark(c, mark, top, track) {
    const { th } = this, X = this.x(mark.t);
    c.strokeStyle = c.fillStyle = mark.kind === 'event' ? th.accent : mark.kind === 'end' ? '#b00020' : mark.kind === 'change of method' ? th.ink : th.warn;
    c.lineWidth = 1;
    if (mark.hop) {
      c.globalAlpha = .18;
      c.fillRect(this.x(mark.t - mark.hop / 2), top - 2, Math.max(1, this.x(mark.t + mark.hop / 2) - this.x(mark.t - mark.hop / 2)), track - top);
      c.globalAlpha = 1;
    }
    c.beginPath();
    c.moveTo(X, 10);
    c.lineTo(X, track);
    c.stroke();
    c.beginPath();   // shapes differ, not only colours
    if (mark.kind === 'event') c.arc(X, 8, 4, 0, 7);
    else if (mark.kind === 'change of method') c.rect(X - 4, 4, 8, 8);
    else if (mark.kind === 'end') { c.moveTo(X - 5, 3); c.lineTo(X + 5, 13); c.moveTo(X + 5, 3); c.lineTo(X - 5, 13); c.lineWidth = 2.5; c.stroke(); return; }
    else { c.moveTo(X, 13); c.lineTo(X - 5.5, 3); c.lineTo(X + 5.5, 3); }
    c.closePath();
    c.fill();
    c.strokeStyle = th.panel;
    c.stroke();
  }
  draw(t) {
    if (!this.still) this.base();
    const { c, th } = this, X = this.x(t);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.drawImage(this.still, 0, 0);
    c.setTransform(this.k, 0, 0, this.k, 0, 0);
    c.strokeStyle = th.accent;
    c.lineWidth = 5;
    c.lineCap = 'round';
    c.beginPath();
    c.moveTo(this.gutter, this.yt);
    c.lineTo(X, this.yt);
    c.stroke();
    c.lineWidth = 1.5;
    c.strokeStyle = th.ink;
    c.beginPath();
    c.moveTo(X, 2);
    c.lineTo(X, this.yt);
    c.stroke();
    c.beginPath();
    c.arc(X, this.yt, 7, 0, 7);
    c.fillStyle = th.panel;
    c.fill();
    c.strokeStyle = th.accent;
    c.lineWidth = 3;
    c.stroke();
  }
}
