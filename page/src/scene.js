// What is drawn of a run, in the plane or in space: points of bodies, pins (joints at one place), paths, the scale of forces.
import { family } from './colours.js';
import { radiusOf } from './glyphs/wheel.js';
import { radii } from './glyphs/gear.js';

const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
export const slides = kind => /prismatic|cylindrical|slot|point-on|sliding/.test(kind);
const meshes = kind => /gear|rack|knife|rolling|screw|constant/.test(kind);

export function scene(run) {
  const S = { run, pins: [], paths: [], fmax: 0 };
  attach(run);
  measure(S);
  gatherPins(S);
  findPaths(S);
  scaleForces(S);
  shareHues(run);
  return S;
}

/** A body without a shape is drawn as the hull of what is attached to it. */
function attach(run) {
  const add = (b, p) => {
    if (b >= 0 && !run.bodies[b].points.some(q => distance(p, q) < 1e-9)) run.bodies[b].points.push(p);
  };
  for (const joint of run.joints) {
    if (/gear/.test(joint.kind)) continue;
    const slide = slides(joint.kind), ends = [[joint.a, joint.on_a], [joint.b, joint.on_b]];
    ends.forEach(([body, at], i) => { if (!slide || (i === 1 && !run.spatial)) add(body, at); });
    if (!slide) continue;
    if (run.spatial) {
      if (joint.a >= 0) run.bodies[joint.a].barrel = true;
      if (joint.b >= 0) run.bodies[joint.b].rod = true;
    } else if (joint.b >= 0 && joint.kind === 'prismatic') run.bodies[joint.b].block = joint;
  }
  const widen = (b, r) => { if (b >= 0) run.bodies[b].radius = Math.max(run.bodies[b].radius ?? 0, r); };
  for (const joint of run.joints) {
    if (/rolling|rack/.test(joint.kind)) widen(joint.b, radiusOf(joint));
    if (joint.kind === 'gear' && !run.spatial) radii(run, joint)?.r.forEach((r, i) => widen([joint.a, joint.b][i], r));
  }
  for (const element of run.elements) {
    if (element.section === 'watch' && run.spatial) continue;
    for (const end of Object.values(element.ends ?? {})) add(end.body, end.at);
  }
  for (const body of run.bodies) shapePoints(run, body, add);
}

function shapePoints(run, body, add) {
  const centre = Array(run.dim).fill(0), half = (body.shape?.length?.[0] ?? 0) / 2;
  if (body.shape?.kind === 'bar' && half && body.points.length < 2)
    for (const s of [-1, 1]) add(body.id, run.spatial ? along(body, s * half) : [s * half, 0]);
  if (body.points.length === 1 && run.spatial && Math.hypot(...body.points[0]) > 1e-9 && body.turns)
    body.points.push(body.points[0].map(x => (body.rod ? -1.7 : -1) * x));
  if (!body.points.length) body.points.push(centre);
  if (body.points.length === 1 && !run.spatial && Math.hypot(...body.points[0]) > 1e-9) body.points.push(centre);
}

/** A bar in space lies along the direction of what it is attached to, otherwise along x. */
function along(body, x) {
  const p = body.points[0], l = p ? Math.hypot(...p) : 0;
  return l > 1e-9 ? p.map(c => c / l * x) : [x, 0, 0];
}

/** What the run sweeps over, and how large the mechanism itself is. */
function measure(S) {
  const { run } = S, lo = Array(run.dim).fill(Infinity), hi = Array(run.dim).fill(-Infinity);
  let low, high;
  const see = p => p.forEach((x, i) => {
    if (!isFinite(x)) return;
    lo[i] = Math.min(lo[i], x);
    hi[i] = Math.max(hi[i], x);
    if (low) { low[i] = Math.min(low[i], x); high[i] = Math.max(high[i], x); }
  });
  const every = Math.max(1, Math.round(run.n / 200));
  S.extent = 0;
  for (let k = 0; k < run.n; k += every) {
    low = Array(run.dim).fill(Infinity);
    high = Array(run.dim).fill(-Infinity);
    for (const body of run.bodies) {
      const pose = run.pose(body.id, run.t[k]), r = body.radius ?? 0;
      for (const p of body.points) {
        const at = run.place(pose, p);
        see(at.map(x => x - r));
        see(at.map(x => x + r));
      }
    }
    for (let i = 0; i < run.points.length; i++) see(run.sketchPoint(i, run.t[k]));
    const size = Math.hypot(...high.map((x, i) => x - low[i]));
    if (isFinite(size)) S.extent = Math.max(S.extent, size);
  }
  low = null;
  for (const joint of run.joints) {
    if (meshes(joint.kind) && !/rolling|rack/.test(joint.kind)) continue;
    if (joint.a < 0) see(joint.on_a);
    if (joint.b < 0) see(joint.on_b);
  }
  for (const element of run.elements) for (const end of Object.values(element.ends ?? {})) if (end.body < 0) see(end.at);
  if (!isFinite(lo[0])) { lo.fill(-1); hi.fill(1); }
  S.lo = lo;
  S.hi = hi;
  S.size = Math.hypot(...hi.map((x, i) => x - lo[i])) || 1;
  S.travels = run.spatial && S.extent > 0 && S.extent < .3 * S.size;
}

/** The middle of all bodies. */
export function middle(run, t) {
  const sum = Array(run.dim).fill(0);
  for (const body of run.bodies) run.pose(body.id, t).slice(0, run.dim).forEach((x, i) => { sum[i] += x / run.bodies.length; });
  return sum;
}

/** Joints at one place are one pin. */
function gatherPins(S) {
  const { run } = S;
  for (const joint of run.joints) {
    if (/gear/.test(joint.kind)) continue;
    const a = run.point(joint.b, joint.on_b, run.t0), b = run.point(joint.b, joint.on_b, run.t1);
    let pin = S.pins.find(p => distance(p.a, a) < 1e-7 * S.size && distance(p.b, b) < 1e-6 * S.size &&
      !slides(joint.kind) && !slides(p.kind));
    if (!pin) S.pins.push(pin = { a, b, joints: [], body: joint.b, at: joint.on_b, ground: false, kind: joint.kind });
    pin.joints.push(joint);
    joint.pin = pin;
    pin.ground ||= (joint.a < 0 || joint.b < 0) && joint.kind !== 'distance' && !meshes(joint.kind);
  }
}

/** Watched points, otherwise the two pins (or points) that travel furthest. */
function findPaths(S) {
  const { run } = S, d = run.dim, all = [];
  const length = ({ xyz, n }) => {
    let sum = 0;
    for (let k = 1; k < n; k++) sum += Math.hypot(...Array.from({ length: d }, (_, i) => xyz[d * k + i] - xyz[d * k - d + i]));
    return sum;
  };
  const add = (name, where, colour, more) => {
    const path = { name, where, colour, ...run.path(where), ...more };
    path.length = length(path);
    path.moves = path.length > 1e-6 * S.size;
    all.push(path);
  };
  for (const watch of run.elements) {
    const end = watch.ends?.point;
    if (watch.section === 'watch' && watch.kind === 'point' && end)
      add(watch.name, t => run.point(end.body, end.at, t), all.length + 1, { watch });
  }
  const watched = all.length > 0;
  if (!watched) for (const pin of S.pins)
    if (!pin.ground) add(pin.joints[0].name, t => run.point(pin.body, pin.at, t), pin.joints[0].id, { pin });
  if (!watched && !S.pins.length) for (const body of run.bodies) add(body.name, t => run.point(body.id, Array(d).fill(0), t), body.id);
  run.points.forEach((p, i) => add(p.name, t => run.sketchPoint(i, t), i));
  all.sort((a, b) => watched ? 0 : b.length - a.length);
  S.paths = all.slice(0, watched ? all.length : 2);
}

/** A high quantile of all forces sets the length of the arrows, so that one spike does not shrink the rest. */
function scaleForces(S) {
  const { run } = S, norms = [];
  const stride = Math.max(1, Math.floor(run.n * run.joints.length / 1e5));
  for (const joint of run.joints) {
    if (!joint.force || !joint.pin) continue;
    joint.norm = run.norm(joint.force);
    for (let k = 0; k < run.n; k += stride) if (isFinite(joint.norm[k])) norms.push(joint.norm[k]);
  }
  norms.sort((a, b) => a - b);
  const most = norms[norms.length - 1] ?? 0;
  S.fmax = norms.length ? norms[Math.floor(.98 * (norms.length - 1))] || most : 0;
  for (const joint of run.joints) joint.arrow = !!joint.norm && most > 0;
}

/** A joint and its curves share a hue; in large models so do those that differ only by a number. */
function shareHues(run) {
  const all = [...new Set(run.joints.map(j => family(j.name)))];
  run.byFamily = run.joints.length > 10 && all.length <= 8 && all.length < run.joints.length;
  if (run.byFamily) for (const joint of run.joints) joint.hue = all.indexOf(family(joint.name));
}

export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = list => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 1e-12) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  const all = [...half(sorted), ...half([...sorted].reverse())];
  return all.length ? all : sorted;
}
