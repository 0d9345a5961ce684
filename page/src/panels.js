// Which curves there are, and which of them stand together: one panel for each unit of each group.

const top = v => {
  let most = 0;
  for (const x of v) if (x === x) most = Math.max(most, Math.abs(x));
  return most;
};
export const largest = top;
export const TITLES = { watch: 'Watches', reaction: 'Reactions', point: 'Points', s: 'States', q: 'Positions', v: 'Velocities', lambda: 'Multipliers',
  mu: 'Velocity rows', y: 'State', z: 'Algebraic', trust: 'Trust' };

export function panels(run) {
  const out = [];
  const group = (name, title, curves, least = 0) => {
    const units = new Map();
    for (const curve of curves) units.set(curve.unit, [...(units.get(curve.unit) ?? []), curve]);
    for (const [unit, list] of units) {
      const big = Math.max(...list.map(c => top(c.v))), alive = list.filter(c => top(c.v) > Math.max(1e-300, 1e-9 * big, least));
      if (alive.length) out.push({ group: name, title, unit, curves: alive, zero: list.length - alive.length });
    }
  };
  const column = (i, name, more) => ({ name, unit: run.columns[i].unit, v: run.values[i], column: i, ...more });
  watches(run, group, column);
  reactions(run, group, column);
  for (const block of ['s', 'q', 'v', 'y', 'z', 'lambda', 'mu', 'point']) blockOf(run, block, group, column);
  const known = new Set([...Object.keys(TITLES)]);
  for (const name of new Set(run.columns.map(c => c.group))) if (!known.has(name)) blockOf(run, name, group, column);
  trust(run, out);
  return out;
}

/** Forces and moments so much smaller than others are rounding. */
const noise = curves => 1e-11 * Math.max(0, ...curves.map(c => top(c.v)));

function watches(run, group, column) {
  const joint = name => run.joints.find(j => j.name === name), seen = new Set();
  for (const watch of run.elements.filter(e => e.section === 'watch')) {
    const of = watch.joints?.[0], drive = run.drives.find(d => d.name === of);
    const title = watch.kind === 'reaction' && watch.name !== of ? `${watch.name} · reaction of ${of}` : watch.name;
    const curves = (watch.columns ?? []).map((i, k) => column(i, run.columns[i].name.slice(watch.name.length + 1) || watch.name,
      { hue: k, joint: watch.kind === 'reaction' ? joint(of) ?? joint(drive?.of) : null }));
    (watch.columns ?? []).forEach(i => seen.add(i));
    group('watch', title, curves, watch.kind === 'reaction' ? noise(curves) : 0);
  }
  const rest = run.columns.map((c, i) => c.group === 'watch' && !seen.has(i) ? column(i, c.name, {}) : null).filter(Boolean);
  group('watch', 'watches', rest.map((c, k) => ({ ...c, hue: k })));
}

function reactions(run, group, column) {
  const forces = run.joints.filter(j => j.norm).map(j => ({ name: j.name, unit: 'N', v: j.norm, hue: j.hue, joint: j }));
  const moments = run.joints.filter(j => j.moment).map(j => ({ name: j.name, unit: 'N m', hue: j.hue, joint: j,
    v: j.moment.length === 1 ? run.values[j.moment[0]] : run.norm(j.moment) }));
  const drives = run.drives.flatMap(d => (d.rows ?? []).map(i => column(i, d.name, { v: run.values[i].map(x => -x), hue: run.joints.findIndex(j => j.name === d.of) + 1,
    joint: run.joints.find(j => j.name === d.of) })));
  group('reaction', 'joints, |force|', forces);
  group('reaction', 'joints, moment', moments, noise([...forces, ...moments]));
  group('reaction', 'drives', drives);
}

function blockOf(run, block, group, column) {
  const strip = name => name.startsWith(block + '.') ? name.slice(block.length + 1) : name;
  const curves = run.columns.map((c, i) => c.group === block ? column(i, strip(c.name), {}) : null).filter(Boolean);
  const title = { s: 'states', q: 'positions', v: 'velocities', y: 'state', z: 'algebraic', lambda: 'multipliers', mu: 'multipliers of velocity', point: 'points' }[block] ?? block;
  group(block, title, curves.map((c, k) => ({ ...c, hue: k,
    joint: /lambda|mu/.test(block) ? run.joints.find(j => c.name.startsWith(j.name + '.')) : null,
    body: /^[qv]$/.test(block) ? run.bodies.find(b => c.name.startsWith(b.name + '.')) : null })));
}

/** What the run was measured by along the way: on the times of its steps, not of its rows. */
function trust(run, out) {
  const { steps, readings } = run, add = (title, unit, t, list, log) => {
    const alive = list.filter(([, v]) => v.some(x => x === x && x !== 0));
    if (alive.length) out.push({ group: 'trust', title, unit, t, log, zero: 0, curves: alive.map(([name, v], k) => ({ name, unit, v: Float64Array.from(v), hue: k })) });
  };
  add('drift', '', readings.t, [['position', readings.position], ['velocity', readings.velocity]], true);
  add('|energy minus work|', 'J', readings.t, [['energy', readings.energy.map(Math.abs)]], true);
  add('step size', 's', steps.t, steps.shortest.some((h, i) => h !== steps.longest[i]) ? [['longest', steps.longest], ['shortest', steps.shortest]] : [['step', steps.longest]], true);
  add('error of a step, in units of the tolerance', '', steps.t, [['estimate', steps.error]], true);
  if (new Set(steps.order).size > 1) add('the error of a step goes with h to the power', '', steps.t, [['order', steps.order]], false);
}
