// Lays out what the site is made of as the repository does, so that links lead where they led: documents, the files they link to, and a page for
// each folder they link to.
//
//   node stage.mjs REPOSITORY OUT
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const [root, out] = process.argv.slice(2);
const read = path => readFileSync(join(root, path), 'utf8');
const write = (path, text) => { mkdirSync(dirname(join(out, path)), { recursive: true }); writeFileSync(join(out, path), text); };
const copy = path => { mkdirSync(dirname(join(out, path)), { recursive: true }); copyFileSync(join(root, path), join(out, path)); };
const below = folder => readdirSync(join(root, folder), { withFileTypes: true }).flatMap(e => e.isDirectory() ? below(join(folder, e.name)) : [join(folder, e.name)]);

/** Calls `text` with the parts of a document outside of its fenced blocks. */
const outside = (document, text) => document.split(/(^```[\s\S]*?^```$)/m).map((part, i) => i % 2 ? part : text(part)).join('');

/** Lists as Python's Markdown wants them: a blank line before the first item and after one of several paragraphs, and four spaces where two are enough elsewhere. */
function lists(part) {
  let inside = false, loose = false, before = '';
  return part.split('\n').map(line => {
    const item = /^(- |\d+\. )/.test(line), apart = before.trim() === '';
    const blank = item && !apart && (!inside || loose) ? '\n' : '';
    inside = item || (inside && (!apart || !line.trim() || line.startsWith('  ')));
    loose = inside && !item && (loose || !line.trim());
    before = line;
    return blank + (inside && /^ {2}/.test(line) ? `  ${line}` : line);
  }).join('\n');
}

/** A page for a folder that has none: its files, documents by their titles. */
function folder_page(folder) {
  const files = readdirSync(join(root, folder)).filter(name => statSync(join(root, folder, name)).isFile()).sort();
  const line = name => `- [${name.endsWith('.md') ? /^# (.*)/m.exec(read(join(folder, name)))[1] : name}](${name})`;
  write(join(folder, 'README.md'), `# ${folder === 'docs/decisions' ? 'Decisions' : `Files of ${folder}`}\n\n${files.map(line).join('\n')}\n`);
  for (const name of files) if (!name.endsWith('.md')) copy(join(folder, name));
}

function links(path, part) {
  return part.replace(/(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))/g, (whole, open, to, close) => {
    const target = normalize(join(dirname(path), to));
    if (!existsSync(join(root, target))) return whole;   // mkdocs says so
    if (statSync(join(root, target)).isDirectory()) {
      if (target !== 'models' && !existsSync(join(out, target, 'README.md'))) folder_page(target);   // models: gallery.mjs
      return `${open}${to}/README.md${close}`;
    }
    if (!target.endsWith('.md')) copy(target);
    return whole;
  });
}

rmSync(out, { recursive: true, force: true });
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'tests/README.md', 'bench/README.md', ...below('docs').filter(path => path.endsWith('.md'))];
for (const path of documents) write(path, outside(read(path), part => lists(links(path, part))));
write('assets/site.css', read('site/site.css'));
console.log(`${documents.length} documents in ${relative(process.cwd(), out) || '.'}`);
