// The numbers of a run: unpacked as dalembert/page/run_data.h describes them, then values and poses at any time.

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads one number after the other from what was packed. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  text() {
    const length = new DataView(this.bytes.buffer, this.at, 4).getUint32(0, true);
    const text = new TextDecoder().decode(this.bytes.subarray(this.at + 4, this.at + 4 + length));
    this.at += 4 + length;
    return text;
  }
  /** Bytes of equal weight stand together: put words together again. */
  words(count, size) {
    const words = new Uint8Array(count * size);
    for (let plane = 0; plane < size; plane++, this.at += count)
      for (let i = 0; i < count; i++) words[i * size + plane] = this.bytes[this.at + i];
    return words.buffer;
  }
  doubles(count) { return new Float64Array(this.words(count, 8)); }
  floats(count) { return new Float32Array(this.words(count, 4)); }
  levels(count, { low, step }) {
    const changes = new Uint32Array(this.words(count, 4)), values = new Float64Array(count);
    let before = 0, earlier = 0;
    for (let i = 0; i < count; i++) {
      const change = (changes[i] >>> 1) ^ -(changes[i] & 1);
      const now = (change + 2 * before - earlier) >>> 0;
      values[i] = now === 0xFFFFFFFF ? NaN : low + now * step;
      earlier = before;
      before = now;
    }
    return values;
  }
}

export async function loadRuns() {
  const runs = [];
  for (const each of document.querySelectorAll('script.run')) {
    runs.push(new Run(new Reader(await inflated(bytesOf(each.textContent.trim())))));
    each.remove();
  }
  return runs;
}

/** One run. Columns are known by number; -1 is the ground where a body is meant. */
export class Run {
  constructor(reader) {
    Object.assign(this, JSON.parse(reader.text()));
    const n = this.n = this.rows;
    this.t = reader.doubles(n);
    const stepTimes = reader.doubles(this.steps), readingTimes = reader.doubles(this.readings);
    this.values = this.columns.map(column => reader.levels(n, column));
    const floats = (count, names, more) => {
      for (const name of names) more[name] = reader.floats(count);
      return more;
    };
    this.steps = floats(this.steps, ['shortest', 'longest', 'error', 'order', 'rejected', 'crossing'], { t: stepTimes });
    this.readings = floats(this.readings, ['position', 'velocity', 'energy'], { t: readingTimes });
    this.spatial = this.space === 'spatial';
    this.drawn = this.space !== 'none' && n > 0;
    this.dim = this.spatial ? 3 : 2;
    this.t0 = this.t[0] ?? 0;
    this.t1 = this.t[n - 1] ?? 0;
    this.span = this.t1 - this.t0;
    this.row = 0;
    this.prepareScene();
  }

  prepareScene() {
    const { scene } = this, all = [...(scene.joints ?? [])];
    this.bodies = scene.bodies ?? [];
    this.joints = all.filter(joint => joint.kind !== 'drive' && joint.kind !== 'oil');
    this.drives = all.filter(joint => joint.kind === 'drive');
    this.elements = scene.elements ?? [];
    this.forces = this.elements.filter(e => e.section === 'force' || (e.section === 'branch' && e.ends));
    this.points = scene.points ?? [];
    this.parts = scene.parts ?? [];
    this.bodies.forEach((body, i) => Object.assign(body, { id: i, points: [] }));
    this.joints.forEach((joint, i) => {
      const element = this.elements.find(e => e.section === 'joint' && e.name === joint.name);
      Object.assign(joint, { id: i, numbers: element?.numbers ?? {}, hue: i });
    });
    for (const drive of this.drives)
      drive.of = this.elements.find(e => e.section === 'drive' && e.name === drive.name)?.joints?.[0];
  }

  /** The row before t, how far t is on the way to the next one (0 to 1), and how long that is. */
  locate(t) {
    const T = this.t, n = this.n;
    if (n < 2) return [0, 0, 0];
    let k = this.row;
    if (!(T[k] <= t && t < T[k + 1])) {
      let a = 0, b = n - 1;
      while (b - a > 1) {
        const c = (a + b) >> 1;
        if (T[c] <= t) a = c; else b = c;
      }
      k = this.row = a;
    }
    const h = T[k + 1] - T[k];
    return [k, h > 0 ? Math.min(1, Math.max(0, (t - T[k]) / h)) : 0, h];
  }

  mixed(v, k, s) { return s === 0 || this.n < 2 ? v[k] : v[k] + s * (v[k + 1] - v[k]); }
  value(column, t) {
    const [k, s] = this.locate(t);
    return this.mixed(this.values[column], k, s);
  }
  /** Positions with their rates: smooth in slow motion. */
  smooth(q, v, k, s, h) {
    const a = this.values[q];
    if (s === 0) return a[k];
    const b = this.values[v], s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * a[k] + (s3 - 2 * s2 + s) * h * b[k] + (3 * s2 - 2 * s3) * a[k + 1] + (s3 - s2) * h * b[k + 1];
  }

  /** [x, y, angle] in the plane, [x, y, z, e0, e1, e2, e3] in space. */
  pose(body, t) {
    if (body < 0) return this.spatial ? [0, 0, 0, 1, 0, 0, 0] : [0, 0, 0];
    const { q, v, turns } = this.bodies[body], [k, s, h] = this.locate(t), out = [];
    for (let i = 0; i < (this.spatial || !turns ? this.dim : 3); i++) out[i] = this.smooth(q + i, v + i, k, s, h);
    if (!this.spatial) return turns ? out : [...out, 0];
    if (!turns) return [...out, 1, 0, 0, 0];
    let norm = 0;
    const a = [], b = [];
    for (let i = 0; i < 4; i++) {
      a[i] = this.values[q + 3 + i][k];
      b[i] = this.n < 2 ? a[i] : this.values[q + 3 + i][k + 1];
    }
    const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;   // the same rotation, the short way
    for (let i = 0; i < 4; i++) {
      out[3 + i] = a[i] + s * (sign * b[i] - a[i]);
      norm += out[3 + i] ** 2;
    }
    norm = Math.sqrt(norm) || 1;
    for (let i = 3; i < 7; i++) out[i] /= norm;
    return out;
  }
  /** A point of a body, from its pose. */
  place(p, at) {
    if (!this.spatial) {
      const c = Math.cos(p[2]), s = Math.sin(p[2]);
      return [p[0] + c * at[0] - s * at[1], p[1] + s * at[0] + c * at[1]];
    }
    const turned = this.turn(p, at);
    return [p[0] + turned[0], p[1] + turned[1], p[2] + turned[2]];
  }
  /** A direction of a body, from its pose. */
  turn(p, d) {
    if (!this.spatial) {
      const c = Math.cos(p[2]), s = Math.sin(p[2]);
      return [c * d[0] - s * d[1], s * d[0] + c * d[1]];
    }
    const [w, x, y, z] = p.slice(3), [a, b, c] = d;
    const u = y * c - z * b, v = z * a - x * c, r = x * b - y * a;
    return [a + 2 * (w * u + y * r - z * v), b + 2 * (w * v + z * u - x * r), c + 2 * (w * r + x * v - y * u)];
  }
  point(body, at, t) { return body < 0 ? at : this.place(this.pose(body, t), at); }
  sketchPoint(i, t) { return this.points[i].columns.map(column => this.value(column, t)); }
  /** Where a point goes, `dim` numbers for each of at most `most` rows. */
  path(where, most = 4000) {
    const stride = Math.max(1, Math.ceil(this.n / most)), rows = [];
    for (let k = 0; k < this.n; k += stride) rows.push(k);
    const xyz = new Float32Array(this.dim * rows.length), t = rows.map(k => this.t[k]);
    rows.forEach((k, i) => { const p = where(this.t[k]); for (let j = 0; j < this.dim; j++) xyz[this.dim * i + j] = p[j]; });
    return { xyz, t, n: rows.length };
  }
  /** The force of a joint on its second body, in the ground frame. */
  force(joint, t) { return joint.force ? joint.force.map(column => this.value(column, t)) : null; }
  norm(columns) {
    const out = new Float64Array(this.n);
    for (const column of columns) {
      const v = this.values[column];
      for (let k = 0; k < this.n; k++) out[k] += v[k] * v[k];
    }
    return out.map(Math.sqrt);
  }
  bodyName(i) { return i < 0 ? 'ground' : this.bodies[i].name; }
}
