// The page: one state, and views of it that follow the same time.
import { loadRuns } from './run.js';
import { scene } from './scene.js';
import { Plots } from './plots.js';
import { TimeBar, marksOf } from './timebar.js';
import { trust } from './trust.js';
import { Details } from './details.js';
import { listenToKeys } from './keys.js';
import { show, scaleOf, plural, escaped, clockOf } from './numbers.js';

const $ = id => document.getElementById(id);
const SPEEDS = [1e-6, 1e-5, 1e-4, 2e-4, 5e-4, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100, 1000];
const SHORTEST = 7;   // seconds that a run plays, at least

/** What is looked at, and what follows from it for all views. */
class State {
  constructor(run, others, hash) {
    Object.assign(this, { run, hash, t: run.t0, playing: false, loop: true, need: true, text: true, hover: null, held: null, curve: null, hot: new Set() });
    this.on = { forces: true, paths: true, names: false, strobe: false };
    this.ghosts = others.map((other, i) => ({ run: other, colour: i + 1 }));
    this.marks = marksOf(run);
    this.speed = SPEEDS.findLast(s => run.span / s >= SHORTEST) ?? SPEEDS[0];
  }
  dirty() { this.need = true; }
  seek(t) {
    this.t = Math.max(this.run.t0, Math.min(this.run.t1, t));
    this.play(false);
    this.need = this.text = true;
  }
  play(on) {
    this.playing = on && this.run.span > 0;
    $('play').dataset.on = this.playing;
    $('play').setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
  }
  step(rows) {
    const { run } = this, k = run.locate(this.t)[0], back = rows < 0 && this.t > run.t[k] ? 1 : 0;
    const at = this.t >= run.t1 && rows > 0 ? run.n - 1 : this.t >= run.t1 ? run.n - 1 + rows : k + rows + back;
    this.seek(run.t[Math.max(0, Math.min(run.n - 1, at))]);
  }
  hotJoints() { return this.hot; }
  hotBody() { return this.curve?.body ?? this.hover?.body ?? this.held?.body ?? null; }
  light() {
    const pin = this.hover?.pin ?? this.held?.pin;
    this.hot = new Set(this.curve?.joint ? [this.curve.joint.id] : pin ? pin.joints.map(j => j.id) : []);
    this.need = true;
  }
  /** The pointer is over a pin or a body of the view. */
  hoverOver(what, x, y) {
    if (what) this.tip(describe(this, what), x, y, true); else if (this.hover) this.tip(null);
    if (what?.pin === this.hover?.pin && what?.body === this.hover?.body) return;
    this.hover = what;
    this.light();
    this.plots.highlight(this.hot);
    document.body.classList.toggle('onpin', !!what);
  }
  /** It was clicked. */
  choose(what) {
    const same = what && (what.pin ? what.pin === this.held?.pin : what.body === this.held?.body);
    this.held = same ? null : what;
    this.light();
    this.plots.highlight(this.hot);
    if (this.held && this.run.texts.length) {
      this.drawer(true, innerWidth > 860);
      this.details.showLines(this.held.body ?? this.held.pin.joints[0]);
    }
  }
  /** The pointer is over a curve or its name. */
  hoverCurve(panel, i, fromPlot) {
    const curve = panel ? panel.curves[i] : null, now = curve ? { joint: curve.joint, body: curve.body } : null;
    if (now?.joint === this.curve?.joint && now?.body === this.curve?.body && !panel) return;
    this.curve = now;
    this.light();
    if (fromPlot) return;
    this.plots.quiet = true;
    if (panel) {
      panel.u.setSeries(i + 1, { focus: true });
      panel.lit = true;
    } else for (const p of this.plots.live) if (p.lit) {
      p.u.setSeries(null, { focus: true });
      p.lit = false;
    }
    this.plots.quiet = false;
  }
  tip(html, x, y, above) {
    const e = $('tip');
    e.hidden = !html;
    if (!html) return;
    e.innerHTML = html;
    const r = e.getBoundingClientRect(), up = y - r.height - 12;
    e.style.left = Math.max(6, Math.min(innerWidth - r.width - 6, above ? x + 14 : x)) + 'px';
    e.style.top = (above ? (up < 4 ? y + 16 : up) : Math.min(y, innerHeight - r.height - 6)) + 'px';
  }
  drawer(on = !document.body.classList.contains('drawer'), wide = true) {
    if (on && !wide) return;
    document.body.classList.toggle('drawer', on);
    $('more').setAttribute('aria-expanded', on);
  }
}

function describe(state, { pin, body }) {
  const { run } = state;
  if (body) {
    const joints = run.joints.filter(j => j.a === body.id || j.b === body.id).map(j => escaped(j.name));
    return `<b>${escaped(body.name)}</b> <span class="m">${show(body.mass, 3)} kg${joints.length ? `, joints ${joints.slice(0, 6).join(', ')}` : ''}</span>`;
  }
  return pin.joints.map(joint => {
    const f = joint.arrow ? run.force(joint, state.t) : null;
    let text = `<b>${escaped(joint.name)}</b> <span class="m">${joint.kind}, ${escaped(run.bodyName(joint.a))} – ${escaped(run.bodyName(joint.b))}</span>`;
    if (f) {
      const n = Math.hypot(...f), [k, unit] = scaleOf('N', n);
      text += `<br>|F| ${show(n * k)} ${unit} <span class="m">on ${escaped(run.bodyName(joint.b))}: (${f.map(x => show(x * k, 3)).join(', ')})</span>`;
    }
    return text;
  }).join('<br>');
}

function subtitle(run) {
  const parts = [run.subject];
  if (run.bodies.length) parts.push(`${plural(run.bodies.length, 'body', 'bodies')}, ${plural(run.joints.length, 'joint', 'joints')}`);
  if (run.counts) parts.push(plural(run.counts.freedoms, 'degree of freedom', 'degrees of freedom'));
  if (run.stride > 1) parts.push(`every ${run.stride}th of ${run.rowsOfRun} rows`);
  return parts.join(' · ');
}

function controls(state, view) {
  const { run, hash } = state, speed = $('speed');
  for (const s of SPEEDS.filter(s => s === state.speed || (run.span / s > .8 && run.span / s < 400))) {
    const option = document.createElement('option');
    option.value = s;
    option.textContent = s >= 1 ? `${s}×` : `1/${Math.round(1 / s)}×`;
    speed.append(option);
  }
  speed.value = state.speed;
  speed.onchange = () => { state.speed = +speed.value; };
  $('play').onclick = () => {
    if (!state.playing && state.t >= run.t1) state.t = run.t0;
    state.play(!state.playing);
  };
  $('back').onclick = () => state.step(-1);
  $('forth').onclick = () => state.step(1);
  $('loop').onclick = () => {
    state.loop = !state.loop;
    $('loop').setAttribute('aria-pressed', state.loop);
  };
  $('fit').onclick = () => view?.home();
  for (const key of Object.keys(state.on)) {
    const b = $(key);
    if (hash.on) state.on[key] = hash.on.split(',').includes(key);
    b.setAttribute('aria-pressed', state.on[key]);
    b.hidden = (run.spatial && (key === 'strobe' || key === 'names')) || (key === 'forces' && !run.joints.some(j => j.arrow)) || (key === 'strobe' && !run.bodies.length);
    b.onclick = () => {
      state.on[key] = !state.on[key];
      b.setAttribute('aria-pressed', state.on[key]);
      state.dirty();
    };
  }
  $('more').onclick = () => state.drawer();
  $('close').onclick = () => { state.drawer(false); $('more').focus(); };
}

/** Other runs of the same, as outlines and dotted curves; a click hides one. */
function legendOfRuns(state) {
  if (!state.ghosts.length) return;
  const box = $('runs');
  box.hidden = false;
  const label = run => escaped(`${run.label || `${run.summary.formulation} · ${run.summary.method}`}${run.summary.good ? '' : ' (' + run.summary.outcome + ')'}`);
  box.innerHTML = `<span class="key"><i style="--c:var(--ink)"></i>${label(state.run)}</span>`
    + state.ghosts.map((g, i) => `<button class="key" data-ghost="${i}" aria-pressed="true"><i style="--c:var(--c${g.colour % 8});border-top-style:dashed"></i>${label(g.run)}</button>`).join('');
  for (const b of box.querySelectorAll('button')) b.onclick = () => {
    const ghost = state.ghosts[b.dataset.ghost];
    ghost.off = !ghost.off;
    b.setAttribute('aria-pressed', !ghost.off);
    b.classList.toggle('off', ghost.off);
    state.plots.build();
    state.dirty();
  };
}

export async function start(View) {
  const began = performance.now(), runs = await loadRuns(), [run, ...others] = runs, S = scene(run);
  for (const other of others.map(scene)) {
    S.lo = S.lo.map((x, i) => Math.min(x, other.lo[i] ?? x));
    S.hi = S.hi.map((x, i) => Math.max(x, other.hi[i] ?? x));
  }
  const hash = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (hash.theme) document.documentElement.dataset.theme = hash.theme;
  $('title').textContent = document.title = run.title.charAt(0).toUpperCase() + run.title.slice(1);
  $('sub').textContent = subtitle(run);
  const state = new State(run, others, hash);
  document.body.classList.toggle('plots-only', !run.drawn);
  const view = run.drawn ? new View($('view'), S, state) : null;
  const bar = new TimeBar($('bar'), run, state), plots = state.plots = new Plots($('plots'), run, state, state.ghosts);
  trust($('trust'), run, state);
  const details = state.details = new Details(run, state);
  controls(state, view);
  legendOfRuns(state);
  if (hash.tab) {
    state.drawer(true);
    details.open(hash.tab);
  }
  const recolour = () => {
    view?.recolour();
    bar.recolour();
    plots.build();
    state.dirty();
  };
  $('theme').onclick = () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue('--dark').trim() === '1';
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    recolour();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  listenToKeys(state, view, plots);
  let wait;
  const resize = () => {
    clearTimeout(wait);
    wait = setTimeout(() => { view?.resize(); bar.resize(); plots.resize(); state.dirty(); }, 40);
  };
  new ResizeObserver(resize).observe($('view'));
  addEventListener('resize', resize);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (hash.t !== undefined) state.t = +hash.t;
  state.play(hash.play ? hash.play === '1' : hash.t === undefined && !still);
  if (hash.joint) {
    const pin = S.pins.find(p => p.joints.some(j => j.name === hash.joint));
    state.held = pin ? { pin } : null;
    state.light();
    setTimeout(() => plots.highlight(state.hot), 120);
  }
  const frames = animate(state, view, bar, plots);
  inspect({ run, runs, S, state, view, plots, bar, frames, ready: performance.now() - began });
  document.body.classList.add('ready');
}

/** Draws when something changed, and moves time on while it plays. */
function animate(state, view, bar, plots) {
  const { run } = state, frames = { gaps: [], work: [] }, clock = clockOf(run);
  const note = (list, x) => { list.push(x); if (list.length > 2000) list.shift(); };
  let last = 0, lastText = 0;
  const advance = dt => {
    state.t += dt * state.speed;
    if (state.t > run.t1) {
      if (state.loop) state.t = run.t0 + (state.t - run.t1) % run.span;
      else { state.t = run.t1; state.play(false); }
    }
    state.need = true;
  };
  const picture = now => {
    const began = performance.now(), text = state.text || now - lastText > 80;
    view?.draw(state.t);
    bar.draw(state.t);
    plots.follow(state.t, text);
    if (text) {
      lastText = now;
      $('clock').textContent = clock(state.t) + ' s';
      bar.canvas.setAttribute('aria-valuenow', state.t);
      bar.canvas.setAttribute('aria-valuetext', `${clock(state.t)} seconds`);
      if (state.hover && state.playing && !$('tip').hidden) $('tip').innerHTML = describe(state, state.hover);
    }
    state.text = state.need = false;
    note(frames.work, performance.now() - began);
  };
  const frame = now => {
    if (last) note(frames.gaps, now - last);
    const dt = Math.min(.1, (now - last) / 1000);
    last = now;
    if (state.playing) advance(dt);
    if (state.need) picture(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return frames;
}

/** For tests, and for the curious: window.dalembert in the console. */
function inspect({ run, runs, S, state, view, plots, bar, frames, ready }) {
  window.dalembert = {
    run, runs, state, plots, frames, ready, marks: state.marks,
    seek(t) {
      state.seek(t);
      view?.draw(state.t);
      bar.draw(state.t);
      plots.follow(state.t, true);
    },
    /** Where a body was drawn last. */
    pose: name => view.shown(run.bodies.findIndex(b => b.name === name)),
    point: name => run.sketchPoint(run.points.findIndex(p => p.name === name), state.t),
    column: name => run.values[run.columns.findIndex(c => c.name === name)],
    pins: () => S.pins.map(p => ({ joints: p.joints.map(j => j.name), at: p.s })),
  };
}
