// The trust strip: what the run says of itself, each with a mark that differs by shape, a gauge from 1e-16 to 1, and plain words.
import { power, show, seconds, plural, escaped } from './numbers.js';

const ICONS = { ok: '<path d="M3 8.5l3.2 3.2L13 4.8"/>', look: '<path d="M8 3.5v5.5M8 12v.6"/>', bad: '<path d="M4 4l8 8M12 4l-8 8"/>', none: '<path d="M4 8h8"/>' };
const share = v => Math.max(0, Math.min(1, (Math.log10(Math.max(v, 1e-16)) + 16) / 16)) * 100;
const gauge = (x, tolerance) => `<svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect y="3" width="100" height="2" class="g0"/>`
  + `<rect y="3" width="${share(x)}" height="2" class="g1"/><rect x="${share(tolerance) - .6}" width="1.2" height="8" class="g2"/></svg><i class="dot" style="left:${share(x)}%"></i>`;
const sentence = text => text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.') : '';

/** { key, value, mark, words, x }: x is on the gauge if it is given. */
export function cells(run) {
  const s = run.summary, out = [], add = (key, value, mark, words, x) => out.push({ key, value, mark, words, x });
  const count = name => s.statistics.find(each => each.name === name)?.count ?? 0;
  add('Outcome', s.good ? 'reached the end' : s.outcome.replace(/_/g, ' '), s.good ? 'ok' : 'bad',
    `${sentence(s.message || s.meaning)} ${sentence(s.start)}`);
  add('Method', `${s.formulation} · ${s.method}`, 'none', `How the equations were rewritten (${s.formulation}) and how steps were taken (${s.method}), with relative tolerance ${power(run.rtol, 0)}. ${sentence(s.why)}`
    + (s.changes.length ? ` It was changed ${plural(s.changes.length, 'time', 'times')} along the way: squares in the time bar.` : ''));
  drift(run, s, add);
  if (s.defect) {
    const d = s.defect, fixed = d.steps === 'fixed';
    add('Defect', fixed ? power(d.largest, 0) : `${show(d.largest, 2)} tol`, d.verdict === 2 ? 'bad' : d.verdict === 1 ? 'look' : 'ok',
      `A witness put the computed motion back into the equations, in ${plural(d.looks, 'step', 'steps')}. At worst it is off by ${show(d.largest, 2)}${fixed ? '' : ' times the tolerance'}, in ${escaped(d.entry)} at t = ${show(d.t, 5)} s; up to ${show(d.limit, 2)} is trusted.`);
  }
  energy(run, s, add);
  const errors = Object.entries(s.error);
  if (errors.length) {
    const e = Math.max(...errors.map(([, v]) => v));
    add('Error', power(e, 0), e < 1e3 * run.rtol ? 'ok' : e < 1e5 * run.rtol ? 'look' : 'bad',
      `At the end, against digits that are known${s.known?.source ? ` (${escaped(s.known.source)})` : ''}: ${errors.map(([k, v]) => `${k} ${power(v)}`).join(', ')}. Hollow diamonds in the plots mark them.`, e);
  }
  if (s.digits.length) {
    const least = Math.min(...s.digits.map(d => d.digits)), worst = s.digits.filter(d => d.digits === least).map(d => d.name);
    add('Certified digits', least === Math.max(...s.digits.map(d => d.digits)) ? `${least}` : `${least} to ${Math.max(...s.digits.map(d => d.digits))}`, least > 2 ? 'ok' : 'look',
      `Other ways to solve the problem, which share little with this one, confirm so many digits of the values at the end; fewest in ${escaped(worst.slice(0, 4).join(', '))}.`);
  }
  if (s.accuracy) add('Accuracy', /reached|no more/.test(s.accuracy) ? 'as asked' : 'see', 'none', escaped(sentence(s.accuracy)));
  redundancy(run, s, add);
  if (s.passages.length) add('Singular positions', `${s.passages.length} passed`, 'look',
    `At ${plural(s.passages.length, 'moment', 'moments')} rows depended on each other and the mechanism could have changed its branch; the run stepped over them on the branch it was on. Reactions there are not unique. Triangles in the time bar mark them.`);
  if (s.events.length) add('Events', String(s.events.length), 'none', 'Moments at which the model changed or was struck, marked by circles in the time bar.');
  steps(run, count, add);
  if (s.warnings.length) add('Warnings', String(s.warnings.length), 'look', s.warnings.map(w => escaped(sentence(w))).join('<br>'));
  return out;
}

function drift(run, s, add) {
  if (!s.drift || !run.counts?.rows) return;
  const d = Math.max(s.drift.position ?? NaN, s.drift.velocity ?? NaN), excess = s.drift.excess;
  add('Drift', power(d, 0), !(d < 1e-2) && !(excess < 100) ? 'bad' : excess < 1 ? 'ok' : 'look',
    `How far joints came apart, at worst: ${power(s.drift.position ?? NaN)} in positions, ${power(s.drift.velocity ?? NaN)} in velocities${s.drift.row ? `, most of all in ${escaped(s.drift.row)}` : ''}. 10⁻¹⁶ is the last digit of the computer; the tick is the tolerance.`, d);
}

function energy(run, s, add) {
  if (!s.energy) return;
  const { start, end, work, allowed } = s.energy, error = Math.abs(end - start - work), scale = Math.max(Math.abs(start), Math.abs(end), Math.abs(work), allowed / run.rtol, 1e-300);
  const relative = error / scale, ok = error <= 100 * allowed;
  add('Energy minus work', power(relative, 0), ok ? 'ok' : error <= 1e4 * allowed ? 'look' : 'bad',
    `Energy at the end, minus that at the start, minus the work of drives, losses and impacts: ${power(end - start - work)} J of ${show(scale)} J. The tolerance allows ${power(allowed)} J in one step.`, relative);
}

function redundancy(run, s, add) {
  if (!run.counts?.rows) return;
  const r = s.redundancy, many = r ? r.rows - r.rank : 0;
  add('Redundant rows', `${many} of ${run.counts.rows}`, many ? 'look' : 'ok', many ? r.words.map(w => escaped(sentence(w))).join('<br>')
    : 'Every row of a joint says something of its own, so all reactions are unique.');
}

function steps(run, count, add) {
  const st = run.steps, sizes = [...st.longest].filter(h => h > 0);
  if (!sizes.length) return;
  const lo = Math.min(...[...st.shortest].filter(h => h > 0)), hi = Math.max(...sizes), orders = [...new Set([...st.order].map(Math.round).filter(o => o > 0))];
  const how = orders.length ? ` The error of a step goes with its size to the power ${orders.length > 1 ? `${Math.min(...orders)} to ${Math.max(...orders)}` : orders[0]}.` : '';
  add('Steps', `${count('steps')}`, 'none', `${plural(count('steps'), 'step', 'steps')}, from ${seconds(lo)} to ${seconds(hi)}; ${plural(count('rejected'), 'try', 'tries')} thrown away: ${count('error_test_failures')} by the error test, ${count('convergence_failures')} because an evaluation or iteration failed.${how} ${show(run.summary.seconds * 1e3, 2)} ms of computing.`);
}

export function trust(box, run, state) {
  box.replaceChildren();
  for (const cell of cells(run)) {
    const b = document.createElement('button');
    b.className = `cell ${cell.mark}`;
    b.innerHTML = `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true">${ICONS[cell.mark]}</svg><span class="k">${cell.key}</span><span class="v">${escaped(cell.value)}</span>`
      + (cell.x !== undefined && isFinite(cell.x) ? `<span class="gaugebox">${gauge(cell.x, run.rtol)}</span>` : '');
    b.setAttribute('aria-label', `${cell.key}: ${cell.value}. ${cell.words.replace(/<[^>]*>/g, ' ')}`);
    const tip = () => { const r = b.getBoundingClientRect(); state.tip(`<b>${cell.key}</b><br>${cell.words}`, r.left, r.bottom + 6); };
    b.onpointerenter = b.onfocus = b.onclick = tip;
    b.onpointerleave = b.onblur = () => state.tip(null);
    box.append(b);
  }
}
