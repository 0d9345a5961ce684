// Are pages right in a browser? Writes reports of runs of every sort, opens them in Chromium, plays, scrubs, points and types,
// and holds what is drawn against the trajectory that the program wrote beside the page.
//
//   node browser.mjs PROGRAM SOURCE WORK CHROMIUM [NAME...]
//
// Exit status 77: skipped, with the reason on standard output.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [program, source, work, chromium, ...only] = process.argv.slice(2);
const skip = why => { console.log(`skipped: ${why}`); process.exit(77); };
if (!existsSync(chromium)) skip('there is no Chromium here (tools/setup tests)');
const require = createRequire(join(source, 'page/package.json'));
let playwright;
try { playwright = require('playwright-core'); } catch { skip('playwright-core is not installed (tools/setup tests)'); }
mkdirSync(work, { recursive: true });

// What is looked at. `model`: a file of models/, `text`: one that is written here.
const STICK = `title = "A block on a belt"
space = "planar"
[[body]]
name = "belt"
mass = 1
inertia = 1
[[body]]
name = "block"
mass = 1
inertia = 1
position = [1, 0]
[[joint]]
name = "rollers"
kind = "prismatic"
bodies = ["ground", "belt"]
at = [0, 0]
along = [1, 0]
[[joint]]
name = "guide"
kind = "prismatic"
bodies = ["ground", "block"]
at = [1, 0]
along = [1, 0]
[[drive]]
joint = "rollers"
motion = "0.1*t"
[[force]]
name = "spring"
kind = "spring"
from = { body = "ground", at = [0, 0] }
to = { body = "block", at = [1, 0] }
stiffness = 4
length = 1
[[force]]
name = "dry"
kind = "stick-slip"
joint = "guide"
most = 0.5
sliding = 0.3
[run]
end = 5
`;
const CASES = [
  { name: 'planar', run: ['models/four-bar.toml'], bodies: true, joints: true },
  { name: 'excavator', run: ['models/excavator.toml'], bodies: true },
  { name: 'spatial', run: ['models/stewart-platform.toml'], bodies: true, space: true },
  { name: 'events', text: STICK, run: ['--start', "v.block.x'=1"], bodies: true, mark: 'event' },
  { name: 'singular', run: ['models/double-four-bar.toml', '--end', '3'], bodies: true, mark: 'singular position' },
  { name: 'redundant', run: ['models/bricard.toml', '--end', '1'], bodies: true, trust: ['Redundant rows', 'look'] },   // without WebGL
  { name: 'catalogue', run: ['andrews'], points: true },
  { name: 'plots', run: ['transistor-amplifier', '--end', '0.02'] },
  { name: 'rows', run: ['models/pendulum.toml', '--output', '100000'], bodies: true, most: 10e6 },
  { name: 'failed', run: ['models/double-pendulum.toml', '--max-steps', '20'], bodies: true, status: 1, mark: 'end', trust: ['Outcome', 'bad'] },
  { name: 'sweep', command: ['sweep', 'models/four-bar.toml', '--vary', 'a=0.1,0.2'], ends: true },
  { name: 'several', command: ['compare', 'models/four-bar.toml', '--formulation', 'index1', '--method', 'dopri5,dop853', '--rtol', '1e-2'] },
  { name: 'certified', run: ['models/pendulum.toml', '--certify', '--end', '1'], bodies: true, trust: ['Certified digits', 'ok'] },
].filter(c => !only.length || only.includes(c.name));

let failures = 0;
const expect = (what, ok, more = '') => {
  if (ok) return;
  failures++;
  console.log(`FAILED ${what} ${more}`);
};

/** A page of several runs; it has no one trajectory. */
function several(c) {
  const html = join(work, `${c.name}.html`), result = spawnSync(program, [...c.command, '--report', html, '--quiet'], { cwd: source, encoding: 'utf8' });
  expect(`${c.name}: exit status`, result.status === 0, `${result.status}: ${result.stderr}`);
  return { html, size: statSync(html).size };
}

/** Runs the program; the page and the trajectory it was made of. */
function written(c) {
  if (c.command) return several(c);
  const html = join(work, `${c.name}.html`), csv = join(work, `${c.name}.csv`), words = [...c.run];
  if (c.text) {
    writeFileSync(join(work, `${c.name}.toml`), c.text);
    words.unshift(join(work, `${c.name}.toml`));
  }
  if (!words.includes('--output')) words.push('--output', '400');   // the page has the rows of the file then
  const result = spawnSync(program, ['run', ...words, '--report', html, '--out', csv, '--quiet'], { cwd: source, encoding: 'utf8' });
  if (/built without Node/.test(result.stderr)) skip('the program was built without Node (tools/setup page)');
  expect(`${c.name}: exit status`, result.status === (c.status ?? 0), `${result.status}: ${result.stderr}`);
  const [head, ...rows] = readFileSync(csv, 'utf8').trim().split('\n').map(line => line.split(','));
  return { html, names: head.map(h => h.replace(/ \[.*\]$/, '')), rows: rows.map(r => r.map(x => x === '' ? NaN : +x)), size: statSync(html).size };
}

/** Some rows of the trajectory, in no order. */
const some = rows => [.37, 0, .71, .999, .13].map(s => rows[Math.floor(s * (rows.length - 1))]);

/** Bodies stand where the trajectory says. */
async function checkBodies(page, c, { names, rows }) {
  const column = name => names.indexOf(name);
  for (const row of some(rows)) {
    const shown = await page.evaluate(t => {
      dalembert.seek(t);
      return dalembert.run.bodies.map(b => ({ name: b.name, turns: b.turns, pose: dalembert.pose(b.name) }));
    }, row[0]);
    for (const { name, turns, pose } of shown) {
      const spatial = pose.length === 7, keys = spatial ? (turns ? ['x', 'y', 'z', 'e0', 'e1', 'e2', 'e3'] : ['x', 'y', 'z']) : turns ? ['x', 'y', 'angle'] : ['x', 'y'];
      keys.forEach((key, i) => {
        const is = pose[i], should = row[column(`q.${name}.${key}`)];
        expect(`${c.name}: ${name}.${key} at t = ${row[0]}`, Math.abs(is - should) <= 1e-6 * Math.max(1, Math.abs(should)), `is ${is}, should be ${should}`);
      });
    }
  }
}

/** What is plotted is the trajectory. */
async function checkPlots(page, c, { names, rows }) {
  const plots = await page.evaluate(() => dalembert.plots.live.map(p => ({ title: p.title, points: p.u.data[0].length, curves: p.curves.length,
    known: p.u.data.slice(1).every(d => d.some(x => x !== null)) })));
  expect(`${c.name}: plots`, plots.length > 0 && plots.every(p => p.points > 1 && p.curves > 0 && p.known), JSON.stringify(plots));
  const name = names[1 + Math.floor(names.length / 2)] ?? names[1], at = names.indexOf(name), range = Math.max(...rows.map(r => Math.abs(r[at]) || 0));
  const values = await page.evaluate(n => ({ t: [...dalembert.run.t], v: [...dalembert.column(n)] }), name);
  for (const row of some(rows)) {
    const k = values.t.findIndex(t => t === row[0]);
    if (c.most && k < 0) continue;
    expect(`${c.name}: column ${name} at t = ${row[0]}`, k >= 0 && (Number.isNaN(row[at]) || Math.abs(values.v[k] - row[at]) <= 1e-9 * range), `${values.v[k]} instead of ${row[at]}`);
  }
  const ink = await page.evaluate(() => [...document.querySelectorAll('.chart canvas')].every(canvas => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 3; i < pixels.length; i += 4) if (pixels[i]) return true;
    return false;
  }));
  expect(`${c.name}: plots are drawn`, ink);
}

/** Other runs are seen beside the first, and can be hidden. */
async function checkSeveral(page, c) {
  const several = await page.evaluate(() => ({ runs: dalembert.runs.length, curves: dalembert.plots.live[0].u.series.length - 1, own: dalembert.plots.live[0].curves.length }));
  expect(`${c.name}: two runs`, several.runs === 2 && several.curves === 2 * several.own, JSON.stringify(several));
  // Bodies of a run are those of its own parameters: where two of them meet, they do so in the ghost too.
  if (c.ends) {
    const gap = await page.evaluate(() => {
      const { run } = dalembert.state.ghosts[0], t = run.t0 + .3 * run.span;
      return Math.max(...run.joints.filter(j => j.kind === 'revolute' && j.a >= 0).map(j => {
        const [p, q] = [[j.a, j.on_a], [j.b, j.on_b]].map(([b, at]) => run.place(run.pose(b, t), at));
        const drawn = [j.a, j.b].every(b => run.bodies[b].hull.some(h => Math.hypot(h[0] - (b === j.a ? j.on_a : j.on_b)[0], h[1] - (b === j.a ? j.on_a : j.on_b)[1]) < 1e-9));
        return drawn ? Math.hypot(p[0] - q[0], p[1] - q[1]) : Infinity;
      }));
    });
    expect(`${c.name}: bodies of the other run meet`, gap < 1e-6, String(gap));
  }
  await page.click('#runs button');
  expect(`${c.name}: one is hidden`, await page.evaluate(() => dalembert.plots.live[0].u.series.length - 1 === dalembert.plots.live[0].curves.length));
}

async function checkPlaying(page, c) {
  const before = await page.evaluate(() => { dalembert.seek(dalembert.run.t0); document.getElementById('play').click(); return dalembert.state.t; });
  try {
    await page.waitForFunction(t => dalembert.state.t > t, before, { timeout: 60000 });
  } catch {
    expect(`${c.name}: plays`, false);
  }
  await page.evaluate(() => dalembert.state.play(false));
}

async function checkKeys(page, c) {
  const t = () => page.evaluate(() => dalembert.state.t), [t0, t1, first] = await page.evaluate(() => [dalembert.run.t0, dalembert.run.t1, dalembert.run.t[1]]);
  await page.keyboard.press('End');
  expect(`${c.name}: End`, await t() === t1);
  await page.keyboard.press('Home');
  expect(`${c.name}: Home`, await t() === t0);
  await page.keyboard.press('ArrowRight');
  expect(`${c.name}: one row forth`, await t() === first);
  await page.keyboard.press('Space');
  expect(`${c.name}: space plays`, await page.evaluate(() => dalembert.state.playing));
  await page.keyboard.press('Space');
  expect(`${c.name}: space pauses`, await page.evaluate(() => !dalembert.state.playing));
  if (c.mark) {
    await page.keyboard.press('Home');
    await page.keyboard.press(']');
    const mark = await page.evaluate(() => dalembert.marks.find(m => m.t > dalembert.run.t0)?.t);
    expect(`${c.name}: ] goes to the first mark`, await t() === Math.min(mark, t1), `${await t()} and ${mark}`);
  }
  await page.keyboard.press('d');
  expect(`${c.name}: d opens the drawer`, await page.evaluate(() => document.body.classList.contains('drawer')));
  await page.keyboard.press('Escape');
}

/** Pointing at a joint lights its curve, pointing at a curve its joint; a click on a body shows its lines. */
async function checkPointing(page, c) {
  await page.evaluate(() => dalembert.seek(dalembert.run.t0));
  const [pin, box] = await page.evaluate(() => [dalembert.pins()[1], document.getElementById('view').getBoundingClientRect().toJSON()]);
  await page.mouse.move(box.x + pin.at[0], box.y + pin.at[1]);
  await page.waitForFunction(() => dalembert.state.hot.size > 0, null, { timeout: 5000 });
  expect(`${c.name}: a joint lights its curve`, await page.evaluate(() => document.querySelectorAll('.key.lit').length > 0));
  await page.mouse.move(box.x + 5, box.y + box.height - 5);
  await page.hover('.plot:last-child .key');
  await page.waitForFunction(() => dalembert.state.hot.size > 0, null, { timeout: 5000 });
  const middle = await page.evaluate(() => {
    const a = dalembert.pins()[0].at, b = dalembert.pins()[1].at;
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  });
  await page.mouse.move(0, 0);
  await page.mouse.click(box.x + middle[0], box.y + middle[1]);
  const lines = await page.evaluate(() => [...document.querySelectorAll('pre .here')].map(l => l.textContent));
  expect(`${c.name}: a body shows its lines`, lines[0]?.startsWith('[[body]]') && lines.some(l => /name = "crank"/.test(l)), lines.join('|'));
  await page.keyboard.press('Escape');
}

/** Dragging in a plot shows these times only, and log is an axis. */
async function checkZoom(page, c) {
  const plot = await page.locator('.plot .u-over').first().boundingBox();
  await page.mouse.move(plot.x + .3 * plot.width, plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + .6 * plot.width, plot.y + 25, { steps: 4 });
  await page.mouse.up();
  const window = await page.evaluate(() => dalembert.plots.window);
  expect(`${c.name}: zoom`, window && window[0] > 0 && window[1] > window[0], JSON.stringify(window));
  await page.keyboard.press('0');
  expect(`${c.name}: whole run`, await page.evaluate(() => dalembert.plots.window === null));
  await page.click('.plot .log');
  expect(`${c.name}: log`, await page.evaluate(() => dalembert.plots.live[0].u.scales.y.distr === 3));
  await page.click('.plot .log');
}

async function checkPhone(page, c) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(80);
  const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
  expect(`${c.name}: no sideways scroll at 390`, wide <= 390, `${wide} wide`);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${c.name}-phone.png`) });
}

async function checkNames(page, c) {
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button,select,[role=img],[role=slider]')].filter(e => e.offsetParent &&
    !(e.getAttribute('aria-label') || e.textContent.trim())).map(e => e.outerHTML.slice(0, 80)));
  expect(`${c.name}: names for screen readers`, nameless.length === 0, nameless.join(' '));
}

async function checkCase(browser, c) {
  const made = written(c), context = await browser.newContext({ viewport: c.space ? { width: 900, height: 600 } : { width: 1400, height: 900 } }), page = await context.newPage(), trouble = [], requests = [];
  page.on('console', m => { if (['error', 'warning'].includes(m.type()) && !/GPU stall|WebGL|GL Driver/.test(m.text())) trouble.push(m.text()); });
  page.on('pageerror', e => trouble.push(String(e.stack ?? e)));
  page.on('request', r => { if (!r.url().startsWith('file:') && !r.url().startsWith('data:')) requests.push(r.url()); });
  await page.goto(`file://${made.html}#play=0`);
  await page.waitForSelector('body.ready', { timeout: 90000 });
  if (c.most) expect(`${c.name}: size`, made.size < c.most, `${made.size} bytes`);
  if (c.mark) expect(`${c.name}: marks`, await page.evaluate(k => dalembert.marks.some(m => m.kind === k), c.mark));
  if (c.trust) {
    const cell = page.locator('.cell', { hasText: c.trust[0] });
    expect(`${c.name}: trust strip`, await cell.count() === 1 && (await cell.getAttribute('class')).includes(c.trust[1]));
  }
  if (c.bodies) await checkBodies(page, c, made);
  if (c.points) {
    const p = await page.evaluate(() => { dalembert.seek(dalembert.run.t1); return { P: dalembert.point('P'), E: dalembert.point('E'), B: dalembert.point('B') }; });
    const beta = made.rows.at(-1)[1], far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    expect('catalogue: P', far(p.P, [.007 * Math.cos(beta), .007 * Math.sin(beta)]) < 1e-9, JSON.stringify(p));
    expect('catalogue: B to E', Math.abs(far(p.B, p.E) - .035) < 1e-8, String(far(p.B, p.E)));
  }
  if (c.command) await checkSeveral(page, c); else await checkPlots(page, c, made);
  await checkPlaying(page, c);
  await checkKeys(page, c);
  if (c.joints) await checkPointing(page, c);
  if (c.joints) await checkZoom(page, c);
  await checkNames(page, c);
  if (process.env.SHOTS) {
    await page.evaluate(() => dalembert.seek(dalembert.run.t0 + .4 * dalembert.run.span));
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(process.env.SHOTS, `${c.name}.png`) });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(process.env.SHOTS, `${c.name}-dark.png`) });
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await checkPhone(page, c);
  expect(`${c.name}: no errors in the console`, trouble.length === 0, [...new Set(trouble)].slice(0, 3).join('\n'));
  expect(`${c.name}: no network`, requests.length === 0, requests.join(' '));
  await context.close();
  console.log(`${c.name}: ${(made.size / 1e3).toFixed(0)} kB`);
}

// Drawing by software holds up everything on a page, so only pages of space get it; one of them is seen without, as a sketch.
const started = Date.now();
for (const space of [false, true]) {
  const cases = CASES.filter(c => !!c.space === space);
  if (!cases.length) continue;
  const drawing = space ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu'];
  const browser = await playwright.chromium.launch({ executablePath: chromium, args: ['--no-sandbox', '--hide-scrollbars', ...drawing] });
  for (const c of cases) {
    try {
      await checkCase(browser, c);
    } catch (error) {
      expect(`${c.name}: no exception`, false, String(error));
    }
  }
  await browser.close();
}
console.log(`${((Date.now() - started) / 1e3).toFixed(0)} s`);
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
