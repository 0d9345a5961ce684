// Pictures of pages for the documents: screenshots, and an animation as APNG.
//
//   node pictures.mjs CHROMIUM OUT shot PAGE.html NAME HASH [WIDTH HEIGHT]
//   node pictures.mjs CHROMIUM OUT film PAGE.html NAME FRAMES WIDTH HEIGHT
//
// Both are written with a palette of 256 colours, which is enough for drawings and takes a fifth of the bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 as own, deflateSync } from 'node:zlib';
import { chromium as engine } from 'playwright-core';

const [chromium, out, what, file, name, ...rest] = process.argv.slice(2);
const table = Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320 ^ (c >>> 1) : c >>> 1; return c >>> 0; });
const crc32 = own ?? (bytes => { let c = ~0; for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8); return ~c >>> 0; });

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]), whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
  return whole;
}
const words = (...all) => { const b = Buffer.alloc(4 * all.length); all.forEach((x, i) => b.writeUInt32BE(x, 4 * i)); return b; };

/** The colours that are seen most; others go to the nearest. */
function palette(frames) {
  const count = new Map();
  for (const { data } of frames) for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] & 0xF8) << 16 | (data[i + 1] & 0xF8) << 8 | (data[i + 2] & 0xF8);
    const seen = count.get(key);
    if (seen) { seen[0]++; seen[1] += data[i]; seen[2] += data[i + 1]; seen[3] += data[i + 2]; } else count.set(key, [1, data[i], data[i + 1], data[i + 2]]);
  }
  const best = [...count.entries()].sort((a, b) => b[1][0] - a[1][0]).slice(0, 255).map(([, [n, r, g, b]]) => [r / n, g / n, b / n].map(Math.round));
  const memo = new Map();
  return { colours: best, index(r, g, b) {
    const key = r << 16 | g << 8 | b;
    if (memo.has(key)) return memo.get(key);
    let at = 0, least = Infinity;
    best.forEach((c, i) => { const d = (c[0] - r) ** 2 + (c[1] - g) ** 2 + (c[2] - b) ** 2; if (d < least) { least = d; at = i; } });
    memo.set(key, at);
    return at;
  } };
}

const THROUGH = 255;   // a pixel that the frame before shows already

function packed({ data, width, height }, { index }, before) {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const i = 4 * (y * width + x), same = before && data[i] === before.data[i] && data[i + 1] === before.data[i + 1] && data[i + 2] === before.data[i + 2];
    rows[y * (width + 1) + 1 + x] = same ? THROUGH : index(data[i], data[i + 1], data[i + 2]);
  }
  return deflateSync(rows, { level: 9 });
}

/** A PNG; animated if there are several frames. */
function picture(frames, milliseconds) {
  const { width, height } = frames[0], colours = palette(frames), parts = [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])];
  parts.push(chunk('IHDR', Buffer.concat([words(width, height), Buffer.from([8, 3, 0, 0, 0])])));
  if (frames.length > 1) parts.push(chunk('acTL', words(frames.length, 0)));
  const all = [...colours.colours];
  while (all.length <= THROUGH) all.push([0, 0, 0]);
  parts.push(chunk('PLTE', Buffer.from(all.flat())), chunk('tRNS', Buffer.from(all.map((_, i) => i === THROUGH ? 0 : 255))));
  let number = 0;
  frames.forEach((frame, i) => {
    if (frames.length > 1) {
      const delay = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, i ? 1 : 0]);
      parts.push(chunk('fcTL', Buffer.concat([words(number++, width, height, 0, 0), delay])));
    }
    const bytes = packed(frame, colours, frames[i - 1]);
    parts.push(i ? chunk('fdAT', Buffer.concat([words(number++), bytes])) : chunk('IDAT', bytes));
  });
  parts.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(parts);
}

/** A screenshot as pixels: the browser decodes its own. */
async function pixels(page, helper, options) {
  const png = await page.screenshot({ timeout: 180000, ...options });
  return helper.evaluate(async text => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob()), canvas = new OffscreenCanvas(bitmap.width, bitmap.height), c = canvas.getContext('2d');
    c.drawImage(bitmap, 0, 0);
    const { data } = c.getImageData(0, 0, bitmap.width, bitmap.height);
    let s = '';
    for (let i = 0; i < data.length; i += 32768) s += String.fromCharCode(...data.subarray(i, i + 32768));
    return { width: bitmap.width, height: bitmap.height, text: btoa(s) };
  }, png.toString('base64')).then(({ text, ...size }) => ({ ...size, data: Buffer.from(text, 'base64') }));
}

const space = process.env.SPACE ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu'];
const browser = await engine.launch({ executablePath: chromium, args: ['--no-sandbox', '--hide-scrollbars', ...space] });
const [wide, high] = rest.slice(1).map(Number);
const context = await browser.newContext({ viewport: { width: wide || 1280, height: high || 820 }, colorScheme: process.env.DARK ? 'dark' : 'light' });
const page = await context.newPage(), helper = await context.newPage();
await page.goto(`${pathToFileURL(file)}#${what === 'shot' ? rest[0] : 'play=0'}`);
await page.waitForSelector('body.ready', { timeout: 120000 });
await page.waitForTimeout(500);
const frames = [];
if (what === 'shot') frames.push(await pixels(page, helper));
else for (let i = 0, n = +rest[0]; i < n; i++) {
  await page.evaluate(s => dalembert.seek(dalembert.run.t0 + s * dalembert.run.span), i / n);
  await page.waitForTimeout(30);
  frames.push(await pixels(page, helper));
}
await browser.close();
const bytes = picture(frames, 66);
writeFileSync(join(out, `${name}.png`), bytes);
console.log(`${name}.png: ${(bytes.length / 1e3).toFixed(0)} kB`);
