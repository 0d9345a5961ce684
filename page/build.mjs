// Makes the page's assets: bundles src/, and writes them as a C++ file that is compiled into the program.
//
//   node build.mjs assets.cc
import { build } from 'esbuild';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url)), src = join(here, 'src');

/** `import all from 'glyphs'` is the list of the files in src/glyphs: one file adds one glyph. */
const glyphs = {
  name: 'glyphs',
  setup(builder) {
    builder.onResolve({ filter: /^glyphs$/ }, () => ({ path: 'glyphs', namespace: 'glyphs' }));
    builder.onLoad({ filter: /.*/, namespace: 'glyphs' }, () => {
      const files = readdirSync(join(src, 'glyphs')).filter(f => f.endsWith('.js')).sort();
      const imports = files.map((f, i) => `import * as g${i} from './glyphs/${f}';`).join('\n');
      return { contents: `${imports}\nexport default [${files.map((_, i) => `g${i}`).join(', ')}];`, resolveDir: src, watchDirs: [join(src, 'glyphs')] };
    });
  },
};

async function bundled(entry) {
  const result = await build({ entryPoints: [join(src, entry)], bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', legalComments: 'none', plugins: [glyphs], logLevel: 'warning' });
  return deflateRawSync(Buffer.from(result.outputFiles[0].contents), { level: 9 }).toString('base64');
}

async function styles() {
  const own = await build({ entryPoints: [join(src, 'style.css')], minify: true, write: false, logLevel: 'warning' });
  return readFileSync(join(here, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8') + own.outputFiles[0].text;
}

/** A text as string literals that compilers accept: short ones after each other. */
function literal(text) {
  const parts = text.match(/[\s\S]{1,12000}/g) ?? [''];
  return parts.map(part => `R"~~~(${part})~~~"`).join('\n');
}

const licence = '<!-- with three.js (MIT) and uPlot (MIT) -->';
const style = await styles();
const shell = readFileSync(join(src, 'page.html'), 'utf8').replace('<!--STYLE-->', () => style).replace('</html>', () => `</html>\n${licence}`);
const [planar, spatial] = await Promise.all([bundled('planar-entry.js'), bundled('spatial-entry.js')]);
writeFileSync(process.argv[2], `// Written by page/build.mjs.
#include "dalembert/page/assets.h"

namespace dalembert {

extern const PageAssets page_assets{
    ${literal(shell)},
    ${literal(planar)},
    ${literal(spatial)}};

}  // namespace dalembert
`);
console.log(`page: shell ${(shell.length / 1e3).toFixed(0)} kB, planar ${(planar.length / 1e3).toFixed(0)} kB, spatial ${(spatial.length / 1e3).toFixed(0)} kB`);
