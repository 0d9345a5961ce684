// Sets the equations of the site that mkdocs has built, lets its search work from disk, and follows every link of it. Ends with 1 if an equation is wrong, a link leads nowhere, or a page would
// load something from elsewhere.
//
//   node finish.mjs SITE KATEX
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const [site, katex_folder] = process.argv.slice(2);
const katex = createRequire(import.meta.url)(katex_folder);
const mistakes = [], below = folder => readdirSync(folder, { withFileTypes: true }).flatMap(e => e.isDirectory() ? below(join(folder, e.name)) : [join(folder, e.name)]);
const plain = html => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, '&');

let equations = 0;
function set_equations(file, html) {
  return html.replace(/<(div|span) class="arithmatex">\\([[(])([\s\S]*?)\\[\])]<\/\1>/g, (_, tag, kind, tex) => {
    ++equations;
    try {
      return `<${tag}>${katex.renderToString(plain(tex).trim(), { displayMode: kind === '[', throwOnError: true, strict: 'error' })}</${tag}>`;
    } catch (error) {
      mistakes.push(`${file}: ${error.message}`);
      return tex;
    }
  });
}

/** A page on disk may read neither the index of the search nor its worker: a script brings both. */
function search_from_disk() {
  const workers = join(site, 'assets/javascripts/workers'), worker = readFileSync(join(workers, readdirSync(workers).find(name => /^search.*\.js$/.test(name))), 'utf8');
  const index = readFileSync(join(site, 'search/search_index.json'), 'utf8');
  writeFileSync(join(site, 'assets/search.js'), `var __search = { index: Promise.resolve(${index}), worker: URL.createObjectURL(new Blob([${JSON.stringify(worker)}])) };\n`);
}
const load_search = html => html.replace(/<script src="([^"]*)assets\/javascripts\/bundle/, (bundle, root) =>
  `<script>location.protocol === 'file:' && document.write('<script src="${root}assets/search.js"><\\/script>')</script>${bundle}`);

const names = new Map();   // of each page, what # can lead to
function leads_to(file, name) {
  if (!names.has(file)) names.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/\s(?:id|name)="([^"]+)"/g)].map(m => plain(m[1]))));
  return names.get(file).has(name);
}

let followed = 0;
function follow(file, html) {
  for (const [, what, to] of html.matchAll(/\s(href|src)="([^"]*)"/g)) {
    const link = plain(to);
    if (/^https?:/.test(link)) {
      if (what === 'src') mistakes.push(`${relative(site, file)} loads ${link}`);
      continue;
    }
    if (/^(data|mailto|javascript):/.test(link)) continue;
    const [path, name] = link.split('#').map(decodeURIComponent);
    let target = path.split('?')[0] ? join(dirname(file), path.split('?')[0]) : file;
    if (existsSync(target) && statSync(target).isDirectory()) target = join(target, 'index.html');
    ++followed;
    if (!existsSync(target)) mistakes.push(`${relative(site, file)} links to ${link}, which is not there`);
    else if (name && target.endsWith('.html') && !name.startsWith('__') && !leads_to(target, name)) mistakes.push(`${relative(site, file)} links to ${link}, which has no such place`);
  }
  for (const [, link] of html.matchAll(/<link[^>]*href="(https?:[^"]*)"[^>]*rel="?(?:stylesheet|preconnect)/g)) mistakes.push(`${relative(site, file)} loads ${link}`);
}

// 404.html is for servers: its links begin at their root.
const pages = below(site).filter(file => file.endsWith('.html') && !file.endsWith('404.html')).map(file => [file, readFileSync(file, 'utf8')]).filter(([, html]) => html.includes('content="mkdocs'));
search_from_disk();
for (const [file, html] of pages) writeFileSync(file, load_search(set_equations(relative(site, file), html)));
for (const [file] of pages) follow(file, readFileSync(file, 'utf8'));
for (const mistake of mistakes) console.error(mistake);
console.log(`${pages.length} pages, ${equations} equations, ${followed} links followed, ${mistakes.length} mistakes`);
if (mistakes.length || !pages.length) process.exitCode = 1;
