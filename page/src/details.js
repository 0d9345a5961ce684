// The drawer: summary, values, model text, warnings, citation, keys.
import { power, show, escaped, plural } from './numbers.js';

const KEYS = [['space', 'play, pause'], ['← →', 'one row back, forth'], ['shift ← →', 'a tenth of the run'], ['home, end', 'start, end'], ['[ ]', 'mark before, mark after'],
  ['+ −', 'faster, slower'], ['l', 'loop'], ['f p n s', 'forces, paths, names, strobe'], ['0', 'fit the view, show all times'], ['d', 'this drawer'], ['t', 'light or dark'],
  ['wheel, drag', 'zoom, move (in space: turn)'], ['drag in a plot', 'zoom into these times'], ['double click', 'fit again']];

/** TOML with a little colour, a span for each line. */
function coloured(text) {
  return text.split('\n').map((line, i) => {
    let l = escaped(line);
    if (/^\s*#/.test(l)) l = `<i>${l}</i>`;
    else if (/^\s*\[/.test(l)) l = `<b>${l}</b>`;
    else l = l.replace(/(#(?![^&]*&quot;).*)$/, '<i>$1</i>').replace(/(&quot;.*?&quot;)/g, '<s>$1</s>').replace(/^([\w. -]+?)(\s*=)/, '<u>$1</u>$2');
    return `<span class="line" data-line="${i + 1}">${l || ' '}</span>`;
  }).join('');
}

export class Details {
  constructor(run, state) {
    Object.assign(this, { run, state, box: document.getElementById('pages'), tabs: document.getElementById('tabs') });
    const s = run.summary;
    this.pages = { Summary: () => this.summary(), Values: () => this.values() };
    if (state.ghosts.length) this.pages.Runs = () => this.runs();
    if (run.texts.length) this.pages.Model = () => this.model();
    if (s.warnings.length || s.passages.length || s.events.length || s.changes.length || s.redundancy) this.pages.Notes = () => this.notes();
    this.pages.Cite = () => `<pre class="copy">${escaped(run.references.join('\n'))}</pre>`;
    this.pages.Keys = () => `<table class="keys">${KEYS.map(([k, v]) => `<tr><th><kbd>${k}</kbd></th><td>${v}</td></tr>`).join('')}</table>`;
    for (const name of Object.keys(this.pages)) {
      const b = document.createElement('button');
      b.textContent = name;
      b.setAttribute('role', 'tab');
      b.onclick = () => this.open(name);
      this.tabs.append(b);
    }
    this.open('Summary');
  }
  open(name) {
    this.name = name;
    for (const b of this.tabs.children) b.setAttribute('aria-selected', b.textContent === name);
    this.box.innerHTML = this.pages[name]();
    this.box.scrollTop = 0;
    for (const p of this.box.querySelectorAll('.copy')) this.copyButton(p);
  }
  copyButton(block) {
    const b = document.createElement('button'), wrap = document.createElement('div');
    b.className = 'copybtn';
    b.textContent = block.dataset.copy ?? 'Copy';
    b.onclick = async () => {
      const text = block.dataset.text ?? block.textContent;
      try {
        await navigator.clipboard.writeText(text);
        b.textContent = 'Copied';
      } catch {   // pages from disk may not: let the reader do it
        const range = document.createRange();
        range.selectNodeContents(block);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        b.textContent = document.execCommand?.('copy') ? 'Copied' : 'Selected';
      }
    };
    wrap.className = 'wrap';
    block.replaceWith(wrap);
    wrap.append(block, b);
  }
  summary() {
    const { run } = this, s = run.summary, row = (k, v) => `<tr><th>${k}</th><td>${v}</td></tr>`;
    const about = (run.texts[0]?.text.match(/^(#(?!:).*\n)+/m)?.[0] ?? '').replace(/^# ?/gm, '').trim();
    const rows = [['outcome', escaped(`${s.outcome.replace(/_/g, ' ')}, t = ${show(s.t, 6)} s: ${s.message || s.meaning}`)], ['formulation', s.formulation], ['method', s.method], ['chosen', escaped(s.why)],
      ['tolerance', `relative ${power(run.rtol, 0)}, absolute ${power(run.atol, 0)}`]];
    if (s.start) rows.push(['start', escaped(s.start)]);
    if (run.bodies.length) rows.push(['bodies, joints, drives', `${run.bodies.length}, ${run.joints.length}, ${run.drives.length}`]);
    if (run.counts) rows.push(['degrees of freedom', run.counts.freedoms], ['constraint rows', run.counts.rows]);
    if (s.defect) rows.push(['defect', `${show(s.defect.largest, 3)} in ${escaped(s.defect.entry)} at t = ${show(s.defect.t, 5)} s`]);
    if (s.drift) rows.push(['drift', `position ${power(s.drift.position ?? NaN)}, velocity ${power(s.drift.velocity ?? NaN)}`]);
    if (s.energy) rows.push(['energy', `start ${show(s.energy.start, 7)}, end ${show(s.energy.end, 7)}, work ${show(s.energy.work, 7)} J`]);
    for (const [k, v] of Object.entries(s.error)) rows.push([`error of ${k}`, power(v)]);
    if (s.accuracy) rows.push(['accuracy', escaped(s.accuracy)]);
    for (const { name, count } of s.statistics) if (count) rows.push([name.replace(/_/g, ' '), count]);
    rows.push(['seconds', show(s.seconds, 3)], ['rows', run.stride > 1 ? `${run.rowsOfRun}, of which every ${run.stride}th is in this page` : run.rowsOfRun], ['program', escaped(run.program)]);
    const parameters = run.parameters.length ? `<h3>Parameters</h3><table class="num">${run.parameters.map(p => `<tr><th>${escaped(p.name)}</th><td>${show(p.value, 7)}</td><td>${escaped(p.unit)}</td></tr>`).join('')}</table>` : '';
    return `${about ? `<p>${escaped(about)}</p>` : ''}<table>${rows.map(r => row(...r)).join('')}</table>`
      + (run.command ? `<h3>Run it again</h3><pre class="copy" data-copy="Copy command">${escaped(run.command)}</pre>` : '')
      + `<h3>The same in a model file</h3><pre class="copy" data-copy="Copy as TOML">${escaped(this.toml())}</pre>${parameters}`;
  }
  /** What the run was asked for, as a section of a model file. */
  toml() {
    const { run } = this, s = run.summary, lines = ['[run]', `end = ${run.t1}`, `rtol = ${run.rtol}`, `atol = ${run.atol}`, `formulation = "${s.formulation}"`, `method = "${s.method}"`];
    return lines.join('\n');
  }
  /** Several runs side by side. */
  runs() {
    const all = [this.run, ...this.state.ghosts.map(g => g.run)], count = (r, name) => r.summary.statistics.find(s => s.name === name)?.count ?? 0;
    const error = r => { const e = Object.values(r.summary.error); return e.length ? power(Math.max(...e), 0) : '–'; };
    const rows = [['formulation', r => r.summary.formulation], ['method', r => r.summary.method], ['rtol', r => power(r.rtol, 0)], ['outcome', r => r.summary.outcome], ['error', error],
      ['steps', r => count(r, 'steps')], ['rejected', r => count(r, 'rejected')], ['evaluations', r => count(r, 'force_evaluations')], ['seconds', r => show(r.summary.seconds, 2)]];
    const names = [...new Set(all.flatMap(r => r.parameters.map(p => p.name)))];
    for (const name of names) {
      const value = r => r.parameters.find(p => p.name === name)?.value;
      if (new Set(all.map(value)).size > 1) rows.push([name, r => show(value(r), 6)]);
    }
    return `<table class="runs">${rows.map(([k, f]) => `<tr><th>${escaped(k)}</th>${all.map(r => `<td>${escaped(f(r))}</td>`).join('')}</tr>`).join('')}</table>`;
  }
  values() {
    const { run } = this, t = this.state.t;
    return `<p>All values at t = ${show(t, 6)} s</p><table class="num">${run.columns.map((c, i) =>
      `<tr><th>${escaped(c.name)}</th><td>${isFinite(run.value(i, t)) ? run.value(i, t).toPrecision(8) : '–'}</td><td>${escaped(c.unit)}</td></tr>`).join('')}</table>`;
  }
  model() {
    return this.run.texts.map(({ name, text }) => `<h3>${escaped(name)}</h3><pre class="toml copy" data-copy="Copy as TOML" data-file="${escaped(name)}">${coloured(text)}</pre>`).join('');
  }
  /** Opens the text where an element is described. */
  showLines(item) {
    if (!item?.line || !this.pages.Model) return;
    this.open('Model');
    const pre = [...this.box.querySelectorAll('pre')].find(p => p.dataset.file === item.file) ?? this.box.querySelector('pre');
    const lines = [...pre.querySelectorAll('.line')], header = l => /^\s*\[/.test(l.textContent);
    let first = item.line - 1, last = item.line - 1;
    while (first > 0 && !header(lines[first])) first--;
    while (last + 1 < lines.length && !header(lines[last + 1])) last++;
    while (last > first && (/^\s*(#.*)?$/.test(lines[last].textContent))) last--;
    for (let i = first; i <= last; i++) lines[i]?.classList.add('here');
    lines[first]?.scrollIntoView({ block: 'center' });
  }
  notes() {
    const s = this.run.summary, list = (title, all) => all.length ? `<h3>${title}</h3><ul>${all.map(x => `<li>${escaped(x)}</li>`).join('')}</ul>` : '';
    return list('Warnings', s.warnings) + list('Redundant rows', s.redundancy?.words ?? [])
      + list('Singular positions', s.passages.map(p => `t = ${show(p.t, 6)} s: ${p.how}; rows ${p.rows.join(', ')}`))
      + list(plural(s.events.length, 'Event', 'Events'), s.events.slice(0, 200).map(e => `t = ${show(e.t, 6)} s: ${e.name}`))
      + list('Changes of method', s.changes.map(c => `t = ${show(c.t, 6)} s: ${c.formulation} with ${c.method}, because ${c.why}`));
  }
}
