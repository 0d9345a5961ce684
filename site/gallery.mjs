// Runs every model of models/, and every model text that a document shows; writes the page that plays it, takes a picture of that, and puts
// both into the gallery, or below the text.
//
//   node gallery.mjs PROGRAM CHROMIUM REPOSITORY OUT
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, chromium, root, out] = process.argv.slice(2).map(path => resolve(path));
const { chromium: engine } = createRequire(new URL('../page/package.json', import.meta.url))('playwright-core');
const width = 1000, height = 640, browsers = {};

/** A browser, with WebGL where bodies are in space: computed by the processor, that is slow. */
async function tab(space) {
  const gpu = space ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu'];
  browsers[space] ??= await engine.launch({ executablePath: chromium, args: ['--no-sandbox', '--hide-scrollbars', ...gpu] });
  return (await browsers[space].newContext({ viewport: { width, height } })).newPage();
}

/** Runs a model file; writes NAME.html and NAME.png beside NAME.toml. Returns its text and title. */
let shown = 0;
async function play(folder, name, cwd) {
  const text = readFileSync(join(folder, `${name}.toml`), 'utf8'), html = join(folder, `${name}.html`);
  execFileSync(program, ['run', join(cwd, `${name}.toml`), '--report', html, '--quiet'], { cwd: cwd === 'models' ? root : folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const page = await tab(/^space = "spatial"/m.test(text));
  await page.goto(`${pathToFileURL(html)}#play=0`);
  await page.waitForSelector('body.ready', { timeout: 240000 });
  await page.addStyleTag({ content: '.card.left > :not(#view) { visibility: hidden }' });
  const clip = await page.evaluate(() => {
    dalembert.seek(dalembert.run.t0 + 0.37 * dalembert.run.span);
    const { x, y, width, height } = document.getElementById('view').getBoundingClientRect();
    return { x, y, width, height };
  });
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `${name}.png`), clip, timeout: 240000 });
  await page.context().close();
  console.log(`${++shown}: ${name}`);
  return { text, title: /^title = "(.*)"$/m.exec(text)?.[1] ?? name };
}

/** The first sentence of the comment that a model file begins with, without what it cites. */
function sentence(text) {
  const comment = /^(# .*\n)+/m.exec(text)[0].replace(/^# /gm, '').replace(/\n/g, ' ').replace(/ \[[A-Z]\w*\d{4}[^\]]*\]/g, '');
  return comment.split(/(?<=\.)\s/)[0].trim();
}

async function gallery() {
  const folder = join(out, 'models'), cards = [];
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(join(root, 'models')).filter(file => file.endsWith('.toml')).sort()) {
    const name = file.slice(0, -5);
    copyFileSync(join(root, 'models', file), join(folder, file));
    const { text, title } = await play(folder, name, 'models');
    cards.push(`<div markdown>\n[![${title}](${name}.png)](${name}.html)\n\n**[${title}](${name}.html)** ([file](${file}))\n\n${sentence(text)}\n</div>`);
  }
  writeFileSync(join(folder, 'README.md'), `# Gallery

Every mechanism of the folder \`models\`, run when this site was built. A click on a picture opens [the page of that run](../docs/report.md), which plays it;
*file* is the text that describes it. \`dalembert run models/NAME.toml --report NAME.html\` makes the same page.

<div class="gallery" markdown>

${cards.join('\n\n')}

</div>
`);
}

/** Model texts of a document begin with their name: "# swing.toml". */
async function document(path) {
  const text = readFileSync(path, 'utf8'), folder = join(dirname(path), 'played');
  let whole = '', last = 0;
  for (const found of text.matchAll(/^```toml\n# ([a-z_]+)\.toml\n[\s\S]*?^```\n/gm)) {
    const name = found[1];
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.toml`), found[0].slice('```toml\n'.length, -'```\n'.length));
    const { title } = await play(folder, name, '.');
    whole += text.slice(last, found.index + found[0].length) + `\n[![${title}](played/${name}.png){ .played }](played/${name}.html)\n[Play it.](played/${name}.html)\n`;
    last = found.index + found[0].length;
  }
  if (last) writeFileSync(path, whole + text.slice(last));
}

await document(join(out, 'README.md'));
for (const file of readdirSync(join(out, 'docs')).filter(file => file.endsWith('.md')).sort()) await document(join(out, 'docs', file));
await gallery();
for (const browser of Object.values(browsers)) await browser.close();
