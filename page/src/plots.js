// Plots beside the view: a line that follows the time, curves tied to joints and bodies, zoom by dragging, logarithmic axes.
import uPlot from 'uplot';
import { theme, dash, alpha, mix, family } from './colours.js';
import { show, scaleOf, escaped } from './numbers.js';
import { panels, largest, TITLES } from './panels.js';
import { decimated, rowBefore } from './decimate.js';

const POINTS = 1500;   // of a curve: more than a plot has pixels

/** At most six powers of ten. */
function decades(a, b) {
  const from = Math.ceil(Math.log10(a) - 1e-9), to = Math.floor(Math.log10(b) + 1e-9), step = Math.max(1, Math.ceil((to - from) / 5)), all = [];
  for (let e = from; e <= to; e += step) all.push(10 ** e);
  return all;
}

export class Plots {
  constructor(box, run, state, others = []) {
    Object.assign(this, { box, run, state, others, live: [], window: null });
    this.all = panels(run);
    this.groups = [...new Set(this.all.map(p => p.group))];
    this.on = this.firstChoice();
    this.chips();
    this.build();
  }
  firstChoice() {
    const { state } = this, count = g => this.all.filter(p => p.group === g).length, on = new Set();
    if (state.hash.plots) return new Set(state.hash.plots.split(','));
    const add = g => {
      const sum = [...on].reduce((n, h) => n + count(h), 0);
      if (this.groups.includes(g) && (sum === 0 || sum + count(g) <= 5)) on.add(g);
    };
    ['watch', 'reaction', 's'].forEach(add);
    if (!on.has('watch') && [...on].reduce((n, g) => n + count(g), 0) < 3) ['q', 'v', 'lambda', 'y', 'z'].forEach(add);
    if (!on.size) this.groups.filter(g => g !== 'trust').slice(0, 1).forEach(g => on.add(g));
    return on;
  }
  chips() {
    const bar = document.getElementById('groups');
    bar.replaceChildren();
    for (const g of this.groups) {
      const chip = document.createElement('button'), count = this.all.filter(p => p.group === g).reduce((n, p) => n + p.curves.length, 0);
      chip.className = 'chip';
      chip.dataset.group = g;
      chip.innerHTML = `${TITLES[g] ?? escaped(g)} <small>${count}</small>`;
      chip.setAttribute('aria-pressed', this.on.has(g));
      chip.onclick = () => {
        if (this.on.has(g)) this.on.delete(g); else this.on.add(g);
        chip.setAttribute('aria-pressed', this.on.has(g));
        this.build();
      };
      bar.append(chip);
    }
    this.whole = document.createElement('button');
    Object.assign(this.whole, { className: 'chip', textContent: 'Whole run', hidden: true, title: 'Show all times again (0)' });
    this.whole.onclick = () => this.look(null);
    bar.append(this.whole);
  }
  build() {
    for (const p of this.live) p.u?.destroy();
    this.box.replaceChildren();
    this.th = theme();
    this.live = this.all.filter(p => this.on.has(p.group));
    if (!this.live.length) {
      this.box.innerHTML = '<p class="empty">Choose what to plot above.</p>';
      return;
    }
    for (const p of this.live) this.frame(p);
    for (const p of this.live) this.chart(p);
    this.resize();
  }
  /** Title, legend and an empty chart. */
  frame(p) {
    const { th } = this;
    p.el = document.createElement('section');
    p.el.className = 'plot';
    this.box.append(p.el);
    this.offset(p);
    this.colour(p);
    const head = document.createElement('header');
    head.innerHTML = `<b>${escaped(p.title)}</b>${p.off ? `<span class="off0">minus ${show(p.off, 5)} ${escaped(p.unit)}</span>` : ''}`
      + (p.shownUnit ? `<span class="unit">${escaped(p.shownUnit)}</span>` : '');
    const legend = document.createElement('div');
    legend.className = 'legend';
    p.curves.forEach((curve, i) => this.key(p, curve, i, legend));
    const grey = p.curves.filter(c => c.grey).length, rest = [grey && `+${grey} smaller, grey`, p.zero && `${p.zero} near 0`].filter(Boolean).join(' · ');
    if (rest) legend.insertAdjacentHTML('beforeend', `<span class="rest">${rest}</span>`);
    const log = document.createElement('button');
    Object.assign(log, { className: 'log', textContent: 'log', title: 'Logarithmic axis of sizes' });
    log.setAttribute('aria-pressed', !!p.log);
    log.setAttribute('aria-label', `Logarithmic axis for ${p.title}`);
    log.onclick = () => { p.log = !p.log; this.build(); };
    head.append(legend, log);
    p.body = document.createElement('div');
    p.body.className = 'chart';
    p.body.setAttribute('role', 'img');
    p.body.setAttribute('aria-label', `${p.title}: ${p.curves.map(c => c.name).join(', ')} over time`);
    p.el.append(head, p.body);
  }
  /** A small change of a large value is shown as a difference. */
  offset(p) {
    let most = 0, lo = Infinity, hi = -Infinity;
    const see = x => { if (x === x) { lo = Math.min(lo, x); hi = Math.max(hi, x); most = Math.max(most, Math.abs(x)); } };
    for (const curve of p.curves) {
      most = Math.max(most, largest(curve.v));
      curve.v.forEach(see);
    }
    const own = most;
    for (const { curve, other, column } of this.alike(p)) for (let i = 0; i <= 200; i++) see(other.run.value(column, other.run.t0 + other.run.span * i / 200));
    if (!(most < 1e6 * own)) most = own;   // a run that went astray does not hide this one
    const first = p.curves[0].v.find(x => x === x) ?? 0;
    p.off = p.curves.length === 1 && !p.log && hi - lo < 1e-2 * most && hi > lo ? first : 0;
    if (p.off) most = Math.max(hi - p.off, p.off - lo);
    [p.k, p.shownUnit] = p.log ? [1, p.unit] : scaleOf(p.unit, most);
  }
  /** The eight largest of many curves get colours, the rest are grey until pointed at; families share theirs. */
  colour(p) {
    const { th, run } = this, size = p.curves.map(c => largest(c.v)), rank = [...size.keys()].sort((a, b) => size[b] - size[a]);
    const families = new Set(p.curves.map(c => family(c.name)));
    p.byFamily = p.group === 'reaction' && p.curves.length > 5 && families.size <= p.curves.length / 2 && run.byFamily;
    const many = p.curves.length > 10 && !p.byFamily;
    p.curves.forEach((curve, i) => {
      const place = rank.indexOf(i);
      curve.grey = many && place >= 8;
      curve.ix = p.byFamily ? curve.joint.hue : many ? place : curve.hue;
      curve.colour = curve.grey ? mix(th.muted, th.panel, .45) : th.palette[curve.ix % 8];
    });
    p.plain = many || p.byFamily;
  }
  key(p, curve, i, legend) {
    curve.chip = null;
    if (curve.grey) return;
    let label = escaped(curve.name);
    if (p.byFamily) {
      const kin = p.curves.filter(c => family(c.name) === family(curve.name));
      if (kin[0] !== curve) return;
      curve.kin = kin;
      label = escaped(family(curve.name)) + (kin.length > 1 ? `<small> ×${kin.length}</small>` : '');
    }
    const key = curve.chip = document.createElement('button');
    key.className = 'key';
    key.setAttribute('aria-pressed', !curve.off);
    const style = p.plain || curve.hue < 4 ? '' : `border-top-style:${curve.hue >= 8 ? 'dotted' : 'dashed'}`;
    key.innerHTML = `<i style="--c:${curve.colour};${style}"></i>${label} <output></output>`;
    key.onpointerenter = key.onfocus = () => this.state.hoverCurve(p, i);
    key.onpointerleave = key.onblur = () => this.state.hoverCurve(null);
    key.onclick = () => {
      curve.off = !curve.off;
      key.classList.toggle('off', curve.off);
      key.setAttribute('aria-pressed', !curve.off);
      for (const c of curve.kin ?? [curve]) p.u.setSeries(p.curves.indexOf(c) + 1, { show: !curve.off });
    };
    legend.append(key);
  }
  data(p) {
    const t = p.t ?? this.run.t, [a, b] = this.window ?? [this.run.t0, this.run.t1];
    const from = this.window ? rowBefore(t, a) : 0, to = this.window ? Math.min(t.length - 1, rowBefore(t, b) + 1) : t.length - 1;
    const shown = p.curves.map(c => p.log ? c.v.map(x => { const y = Math.abs(x); return y > 0 ? y : NaN; }) : p.off ? c.v.map(x => x - p.off) : c.v);
    const own = decimated(t, shown, from, to, POINTS);
    return own.concat(this.ghosts(p, own[0]));
  }
  /** The columns of other runs that are shown with those of this one. */
  alike(p) {
    if (p.t || p.curves.length > 6) return [];
    return this.others.filter(other => !other.off).flatMap(other => p.curves.filter(curve => curve.column !== undefined)
      .map(curve => ({ curve, other, column: other.run.columns.findIndex(c => c.name === this.run.columns[curve.column].name) })).filter(g => g.column >= 0));
  }
  /** Their values, at the times of this run. */
  ghosts(p, times) {
    p.ghosts = this.alike(p).map(({ curve, other, column }) => ({ curve, other, v: times.map(t => {
      const x = t > other.run.t1 ? NaN : other.run.value(column, t) - p.off, y = p.log ? Math.abs(x) : x;
      return y === y ? y : null;
    }) }));
    return p.ghosts.map(g => g.v);
  }
  chart(p) {
    const { run, th } = this, last = p === this.live.at(-1), font = '11px system-ui,sans-serif', minus = x => String(x).replace('-', '\u2212');
    const axis = { stroke: th.muted, font, grid: { stroke: th.line, width: 1 }, ticks: { stroke: th.line, size: 4, width: 1 } };
    const linear = (u, a, b) => {
      if (a === null) return [0, 1];
      if (b - a < 1e-9 * Math.max(Math.abs(a), Math.abs(b))) { const m = Math.abs(a) * .01 || 1; return [a - m, b + m]; }
      const gap = .06 * (b - a);
      return [a >= 0 && a < .3 * b ? 0 : a - gap, b + gap];
    };
    const logarithmic = (u, a, b) => a > 0 ? [10 ** Math.floor(Math.log10(Math.max(a, b * 1e-20))), 10 ** Math.ceil(Math.log10(b) + 1e-9)] : [1e-16, 1];
    const data = this.data(p);
    p.u = new uPlot({
      width: 300, height: 120, padding: [6, 16, last ? 0 : 4, 0], legend: { show: false },
      cursor: { x: true, y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false, dist: 6 }, focus: { prox: 18 } }, focus: { alpha: .22 },
      scales: { x: { time: false, range: () => this.window ?? (run.span > 0 ? [run.t0, run.t1] : [run.t0, run.t0 + 1]) }, y: p.log ? { distr: 3, range: logarithmic } : { range: linear } },
      axes: [
        { ...axis, size: last ? 26 : 0, values: last ? (u, v) => v.map((x, i) => minus(+x.toPrecision(6)) + (i === v.length - 1 ? ' s' : '')) : () => [], space: 60, gap: 3 },
        { ...axis, size: 56, ...(p.log ? { splits: (u, i, a, b) => decades(a, b) } : {}), space: (u, i, a, b, dim) => p.log ? 12 : Math.max(17, dim / 5), gap: 4,
          values: p.log ? (u, v) => v.map(x => x === null ? '' : minus(x.toExponential(0)).replace('e+', 'e')) : (u, v) => v.map(x => minus(+(x * p.k).toPrecision(4))) }],
      series: [{}, ...p.curves.map(c => ({ stroke: c.colour, width: c.grey ? 1 : 1.8, dash: p.plain ? [] : dash(c.hue), show: !c.off, points: { show: false } })),
        ...p.ghosts.map(g => ({ stroke: alpha(th.palette[g.other.colour % 8], .9), width: 1.2, dash: [2, 3], points: { show: false } }))],
      hooks: {
        drawClear: [u => this.marks(u)],
        draw: [u => this.known(u, p)],
        setSelect: [u => { if (u.select.width > 5) this.look([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]); u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false); }],
        setSeries: [(u, i, o) => { if (o?.focus !== undefined && !this.quiet) this.state.hoverCurve(i && i <= p.curves.length ? p : null, i ? i - 1 : 0, true); }],
      },
    }, data, p.body);
    p.head = document.createElement('div');
    p.head.className = 'playhead';
    p.u.over.append(p.head);
    // A click is a time; a drag is a window of times.
    let down = 0;
    p.u.over.addEventListener('pointerdown', e => { down = e.clientX; });
    p.u.over.addEventListener('pointerup', e => {
      if (Math.abs(e.clientX - down) > 5) return;
      const r = p.u.over.getBoundingClientRect();
      this.state.seek(p.u.posToVal(e.clientX - r.left, 'x'));
    });
    p.u.over.addEventListener('dblclick', () => this.look(null));
  }
  /** Show these times only; null: all. */
  look(window) {
    this.window = window && window[1] - window[0] > 1e-9 * this.run.span ? window : null;
    this.whole.hidden = !this.window;
    for (const p of this.live) p.u.setData(this.data(p));
    this.follow(this.state.t, true);
  }
  marks(u) {
    const x = u.ctx, { top, height } = u.bbox, { th } = this, d = devicePixelRatio;
    x.save();
    for (const mark of this.state.marks) {
      const at = u.valToPos(mark.t, 'x', true);
      if (mark.hop) {
        const a = u.valToPos(mark.t - mark.hop / 2, 'x', true), b = u.valToPos(mark.t + mark.hop / 2, 'x', true);
        x.fillStyle = alpha(th.warn, .16);
        x.fillRect(a, top, b - a, height);
      }
      if (mark.kind === 'rejected') continue;
      x.fillStyle = mark.kind === 'event' ? alpha(th.accent, .45) : alpha(th.warn, .65);
      x.fillRect(Math.round(at), top, d, height);
    }
    x.restore();
  }
  /** Digits that are known from elsewhere: hollow diamonds. */
  known(u, p) {
    const known = this.run.summary.known;
    if (!known || p.t || p.log) return;
    const x = u.ctx, d = devicePixelRatio, s = 4.5 * d;
    for (const curve of p.curves) {
      const v = curve.column === undefined || curve.v !== this.run.values[curve.column] ? null : known.values[curve.column];
      if (v === null || v === undefined || curve.off) continue;
      const at = [u.valToPos(known.t, 'x', true), u.valToPos(v - p.off, 'y', true)];
      if (!isFinite(at[1])) continue;
      x.save();
      x.setLineDash([]);   // uPlot leaves its own behind
      x.beginPath();
      x.moveTo(at[0], at[1] - s);
      x.lineTo(at[0] + s, at[1]);
      x.lineTo(at[0], at[1] + s);
      x.lineTo(at[0] - s, at[1]);
      x.closePath();
      x.fillStyle = this.th.panel;
      x.fill();
      x.strokeStyle = curve.colour;
      x.lineWidth = 1.5 * d;
      x.stroke();
      x.restore();
    }
  }
  resize() {
    requestAnimationFrame(() => {
      const boxes = this.live.map(p => [p, p.body.getBoundingClientRect()]);
      for (const [p, r] of boxes) if (r.width > 40) p.u.setSize({ width: Math.floor(r.width), height: Math.max(60, Math.floor(r.height)) });
      this.follow(this.state.t, true);
    });
  }
  follow(t, text) {
    const [a, b] = this.window ?? [this.run.t0, this.run.t1], s = b > a ? (t - a) / (b - a) : 0;
    for (const p of this.live) {
      p.head.style.transform = `translateX(${(s * p.u.over.clientWidth).toFixed(1)}px)`;
      p.head.style.visibility = s < 0 || s > 1 ? 'hidden' : '';
      if (text) this.values(p, t);
    }
  }
  values(p, t) {
    const time = p.t ?? this.run.t, k = rowBefore(time, t), h = time[k + 1] - time[k], f = h > 0 ? Math.max(0, Math.min(1, (t - time[k]) / h)) : 0;
    for (const curve of p.curves) {
      if (!curve.chip) continue;
      let value = 0;
      for (const c of curve.kin ?? [curve]) {
        const x = f === 0 ? c.v[k] : c.v[k] + f * (c.v[k + 1] - c.v[k]);
        if (c === curve || Math.abs(x) > Math.abs(value)) value = x;
      }
      curve.chip.lastElementChild.textContent = show((value - p.off) * p.k, 4);
    }
  }
  /** Curves that belong to these joints stand out; none: all. */
  highlight(joints) {
    this.quiet = true;
    for (const p of this.live) {
      const i = joints.size ? p.curves.findIndex(c => c.joint && joints.has(c.joint.id)) : -1;
      p.el.classList.toggle('dim', joints.size > 0 && i < 0);
      if (i >= 0) {
        p.u.setSeries(i + 1, { focus: true });
        p.lit = true;
      } else if (p.lit) {
        p.u.setSeries(null, { focus: true });
        p.lit = false;
      }
      for (const c of p.curves) c.chip?.classList.toggle('lit', (c.kin ?? [c]).some(d => d.joint && joints.has(d.joint.id)));
    }
    this.quiet = false;
  }
}
