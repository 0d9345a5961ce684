// The mechanism in space, with three.js: capsules and plates between joints, a grid, arrows, paths, shadows.
import {
  WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, MeshStandardMaterial, MeshBasicMaterial, SphereGeometry, CylinderGeometry, ConeGeometry, PlaneGeometry,
  DirectionalLight, HemisphereLight, GridHelper, Line, BufferGeometry, BufferAttribute, LineBasicMaterial, ShadowMaterial, PCFShadowMap, Vector3, Color,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { theme, mix, family } from './colours.js';
import { show } from './numbers.js';
import { slides, middle } from './scene.js';
import { Kit, vector, UP } from './kit.js';
import { range } from './glyphs/rails.js';
import glyphs from 'glyphs';

const HUES = [0, 6, 5, 2, 3, 4, 1, 7];
const SLOW = 45;   // milliseconds between pictures that are too many

/** Bodies that differ only by a number or a side share a colour: legs look alike. */
export function shareBodyHues(run) {
  const kinds = {};
  for (const body of run.bodies) {
    const kind = family(body.name).replace(/^(left|right|front|rear)_/, '');
    kinds[kind] ??= Object.keys(kinds).length;
    body.hue = HUES[kinds[kind] % 8];
  }
}

export class SpatialView {
  constructor(box, S, state) {
    const size = S.travels ? 1.5 * S.extent : S.size;   // of what is looked at
    Object.assign(this, { box, S, run: S.run, state, size, R: (S.run.bodies.length > 40 ? .006 : .012) * size, level: 0, slow: 0 });
    const gl = this.gl = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    gl.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    gl.shadowMap.enabled = true;
    gl.shadowMap.type = PCFShadowMap;
    box.append(gl.domElement);
    this.scene = new Scene();
    this.mid = vector(S.travels ? middle(S.run, S.run.t0) : S.lo.map((x, i) => (x + S.hi[i]) / 2));
    this.kit = new Kit(this);
    shareBodyHues(this.run);
    this.look();
    this.note = box.parentElement.appendChild(document.createElement('div'));
    this.note.className = 'note';
    this.build();
    this.recolour();
    this.resize();
    this.listen();
  }
  /** Camera and lights. */
  look() {
    const { size, mid, scene } = this;
    this.camera = new PerspectiveCamera(32, 1, .001 * size, 100 * size);
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(mid).add(new Vector3(1.25, -1.75, .85).multiplyScalar(size * .78));
    this.orbit = new OrbitControls(this.camera, this.gl.domElement);
    this.orbit.target.copy(mid);
    this.orbit.addEventListener('change', () => this.state.dirty());
    const sun = this.sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.copy(mid).add(new Vector3(-.6, -.9, 1.9).multiplyScalar(size));
    sun.target.position.copy(mid);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: .01 * size, far: 5 * size });
    Object.assign(sun.shadow, { radius: 4, bias: -.0008 });
    this.sky = new HemisphereLight(0xffffff, 0x888888, 1.5);
    scene.add(sun, sun.target, this.sky);
  }
  build() {
    const { S, run, scene, kit, R } = this;
    for (const body of run.bodies) {
      body.material = new MeshStandardMaterial({ roughness: .55, metalness: .05 });
      body.group = kit.body(body);
      scene.add(body.group);
    }
    this.groundMaterial = new MeshStandardMaterial({ roughness: .8 });
    for (const pin of S.pins) {
      pin.material = new MeshStandardMaterial({ roughness: .35, metalness: .3 });
      pin.group = kit.pin(pin);
      scene.add(pin.group);
    }
    for (const joint of run.joints) if (slides(joint.kind) && joint.a < 0 && !/plane/.test(joint.kind)) scene.add(this.rail(joint));
    const items = [...run.joints, ...run.forces];
    this.between = items.map(item => ({ item, glyph: glyphs.find(g => g.kinds.includes(item.kind)) }))
      .filter(({ item, glyph }) => glyph?.spatial && (item.ends ? Object.keys(item.ends).length > 1 : item.kind === 'distance'))
      .map(({ item, glyph }) => ({ item, mesh: glyph.spatial(kit) }));
    for (const { mesh } of this.between) scene.add(mesh);
    this.parts = run.parts.map((part, i) => kit.part(part, i)).filter(Boolean);
    for (const part of this.parts) scene.add(part.group);
    const ground = S.pins.filter(p => p.ground).map(p => p.a[2]), rolls = run.joints.some(j => /rolling|planar/.test(j.kind));
    this.floor = rolls ? 0 : Math.min(...ground, S.lo[2]) - R * 3.3;
    const shade = new Mesh(new PlaneGeometry(8 * this.size, 8 * this.size), this.shade = new ShadowMaterial({ opacity: .2 }));
    shade.position.set(this.mid.x, this.mid.y, this.floor);
    shade.receiveShadow = true;
    this.carpet = shade;
    scene.add(shade);
    this.arrows = run.joints.filter(j => j.arrow).map(joint => this.arrow(joint));
    this.lines = S.paths.filter(p => p.moves).map(path => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(path.xyz, 3));
      geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * path.n), 3));
      const line = new Line(geometry, new LineBasicMaterial({ vertexColors: true }));
      line.frustumCulled = false;
      scene.add(line);
      return { path, line };
    });
    for (const ghost of this.state.ghosts) this.addGhost(ghost);
  }
  addGhost(ghost) {
    const material = new MeshBasicMaterial({ transparent: true, opacity: .35, color: theme().palette[ghost.colour % 8] });
    ghost.groups = ghost.run.bodies.map(body => {
      body.material = material;
      const group = this.kit.body(body);
      group.traverse(o => { if (o.isMesh) { o.material = material; o.castShadow = false; } });
      this.scene.add(group);
      return group;
    });
  }
  /** A bar of the ground along which something slides. */
  rail(joint) {
    const { lo, hi, u } = range(this.run, joint), over = 5 * this.R, on = s => vector(joint.on_a.map((x, i) => x + s * u[i]));
    return this.kit.rodBetween(on(lo - over), on(hi + over), this.R * .45, this.groundMaterial);
  }
  /** Arrows are seen through what is in front of them: forces at feet would vanish inside of barrels. */
  arrow(joint) {
    const { R } = this, material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: .92 }), group = new Group();
    const shaft = new Mesh(new CylinderGeometry(R * .36, R * .36, 1, 12), material), head = new Mesh(new ConeGeometry(R * 1.15, R * 3, 18), material);
    shaft.renderOrder = head.renderOrder = 5;
    group.add(shaft, head);
    this.scene.add(group);
    return { joint, group, shaft, head, material };
  }
  recolour() {
    const th = this.th = theme(), { run, S } = this, white = th.dark ? '#d6dde6' : '#ffffff';
    for (const body of run.bodies) body.material.color.set(mix(th.palette[body.hue], white, body.rod ? .62 : .3));
    for (const part of this.parts) part.material.color.set(mix(th.palette[part.hue % 8], white, .3));
    this.kit.recolour(th);
    this.groundMaterial.color.set(th.dark ? '#5b6674' : '#9aa1ab');
    this.shade.opacity = th.dark ? .5 : .2;
    this.sky.intensity = th.dark ? 1.1 : 1.7;
    this.sky.groundColor.set(th.dark ? '#1c232c' : '#a9a49a');
    if (this.grid) this.scene.remove(this.grid);
    const cell = this.cell = 10 ** Math.round(Math.log10(this.size / 12)), n = 2 * Math.ceil(1.1 * this.size / cell);
    this.grid = new GridHelper(n * cell, n, new Color(mix(th.line, th.muted, .6)), new Color(th.line));
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(Math.round(this.mid.x / cell) * cell, Math.round(this.mid.y / cell) * cell, this.floor);
    this.scene.add(this.grid);
    this.note.textContent = `grid ${cell >= 1 ? `${cell} m` : `${+(cell * 1e3).toPrecision(2)} mm`}` + (S.fmax ? ` · arrow of ${show(S.fmax, 3)} N is ${show(.3 * this.size, 2)} m long` : '');
  }
  resize() {
    const r = this.box.getBoundingClientRect();
    this.w = r.width;
    this.h = r.height;
    this.gl.setSize(r.width, r.height);
    this.camera.aspect = r.width / Math.max(1, r.height);
    this.camera.fov = r.width < r.height * 1.05 ? 42 : 32;
    this.camera.updateProjectionMatrix();
    this.orbit.update();
  }
  listen() {
    const el = this.gl.domElement, { state } = this;
    const at = e => { const b = el.getBoundingClientRect(); return this.hit(e.clientX - b.left, e.clientY - b.top); };
    let moved = 0;
    el.addEventListener('pointerdown', () => { moved = 0; });
    el.addEventListener('pointermove', e => { moved++; if (!e.buttons) state.hoverOver(at(e), e.clientX, e.clientY); });
    el.addEventListener('pointerup', e => { if (moved < 3) state.choose(at(e)); });
    el.addEventListener('pointerleave', () => state.hoverOver(null));
    el.addEventListener('dblclick', () => this.home());
    this.orbit.saveState();
  }
  home() {
    const from = this.orbit.target0, moved = this.seen ? this.seen.clone().sub(this.mid).setZ(0) : new Vector3();
    this.orbit.reset();
    this.camera.position.add(moved);
    this.orbit.target.copy(from).add(moved);
    this.state.dirty();
  }
  shown(body) {
    const { position: p, quaternion: e } = this.run.bodies[body].group;
    return [p.x, p.y, p.z, e.w, e.x, e.y, e.z];
  }
  hit(x, y) {
    let best = null, d = 18;
    for (const pin of this.S.pins) if (pin.s && !slides(pin.kind)) {
      const e = Math.hypot(pin.s[0] - x, pin.s[1] - y);
      if (e < d) { d = e; best = { pin }; }
    }
    return best ?? this.kit.bodyAt(x, y);
  }
  /** A machine that cannot keep up: first without shadows, then with fewer pixels. */
  ease() {
    const now = performance.now(), gap = now - (this.before ?? now);
    this.before = now;
    if (!this.state.playing || gap > 1500) return;
    this.slow = gap > SLOW ? this.slow + 1 : 0;
    if (this.slow <= 8) return;
    this.slow = 0;
    this.level++;
    if (this.level === 1) this.gl.shadowMap.enabled = this.sun.castShadow = false;
    else if (this.level < 4) this.gl.setPixelRatio(this.level === 2 ? 1 : .6);
  }
  draw(t) {
    const { run, S, th, state } = this, hot = state.hotJoints(), lit = state.hotBody(), set = (group, p) => {
      group.position.set(p[0], p[1], p[2]);
      group.quaternion.set(p[4], p[5], p[6], p[3]);
    };
    if (S.travels) this.follow(t);
    const poses = this.poses = run.bodies.map(body => run.pose(body.id, t));
    for (const body of run.bodies) {
      set(body.group, poses[body.id]);
      body.material.emissive.set(body === lit ? th.palette[body.hue] : '#000000');
      body.material.emissiveIntensity = body === lit ? .45 : 0;
    }
    for (const ghost of state.ghosts) ghost.groups?.forEach((group, i) => {
      if (!group) return;
      group.visible = !ghost.off;
      set(group, ghost.run.pose(i, Math.min(t, ghost.run.t1)));
    });
    this.movePins(poses, hot);
    const end = (body, at) => vector(body < 0 ? at : run.place(poses[body], at));
    for (const { item, mesh } of this.between) {
      const [a, b] = item.ends ? Object.values(item.ends).map(e => end(e.body, e.at)) : [end(item.a, item.on_a), end(item.b, item.on_b)];
      this.kit.stretch(mesh, a, b);
    }
    for (const part of this.parts) this.kit.movePart(part, t);
    this.moveArrows(t, hot);
    if (state.on.paths !== this.pathsShown || t !== this.pathsAt) this.colourPaths(t);
    this.gl.render(this.scene, this.camera);
    this.ease();
  }
  /** What travels far is kept in the middle: camera, light and floor go along. */
  follow(t) {
    const now = vector(middle(this.run, t)), shift = now.clone().sub(this.seen ?? this.mid).setZ(0), { cell, floor } = this;
    this.seen = now;
    for (const p of [this.camera.position, this.orbit.target, this.sun.position, this.sun.target.position, this.carpet.position]) p.add(shift);
    this.grid.position.set(Math.round(now.x / cell) * cell, Math.round(now.y / cell) * cell, floor);
    this.camera.updateMatrixWorld();
  }
  movePins(poses, hot) {
    const { run, th } = this, v = new Vector3();
    for (const pin of this.S.pins) {
      const at = pin.body < 0 ? pin.at : run.place(poses[pin.body], pin.at), lit = pin.joints.find(j => hot.has(j.id));
      pin.group.position.set(...at);
      const turn = pin.turnsWith >= 0 ? run.bodies[pin.turnsWith].group.quaternion : null;
      if (turn) pin.group.quaternion.copy(turn);
      v.set(...at).project(this.camera);
      pin.s = [(v.x + 1) / 2 * this.w, (1 - v.y) / 2 * this.h];
      const colour = lit ? th.palette[lit.hue % 8] : th.dark ? '#cfd6df' : '#39424e';
      pin.material.color.set(colour);
      pin.material.emissive.set(lit ? colour : '#000000');
      pin.material.emissiveIntensity = lit ? .7 : 0;
      pin.group.scale.setScalar(lit ? 1.35 : 1);
    }
  }
  moveArrows(t, hot) {
    const { run, S, th, state, R, size } = this, perNewton = .3 * size / (S.fmax || 1), direction = new Vector3();
    for (const { joint, group, shaft, head, material } of this.arrows) {
      group.visible = state.on.forces && (!hot.size || hot.has(joint.id));
      if (!group.visible) continue;
      direction.set(...run.force(joint, t));
      const l = Math.min(direction.length() * perNewton, .6 * size), tip = Math.min(R * 3, l * .6);
      group.visible = l > 1e-3 * size;
      group.position.copy(joint.pin.group.position);
      group.quaternion.setFromUnitVectors(UP, direction.normalize());
      shaft.scale.set(1, Math.max(l - tip, 1e-9), 1);
      shaft.position.y = (l - tip) / 2;
      head.scale.setScalar(Math.max(tip / (R * 3), 1e-9));
      head.position.y = l - tip / 2;
      material.color.set(th.palette[joint.hue % 8]);
    }
  }
  colourPaths(t) {
    const { run, th, state } = this, back = new Color(th.panel), colour = new Color();
    this.pathsShown = state.on.paths;
    this.pathsAt = t;
    for (const { path, line } of this.lines) {
      line.visible = state.on.paths;
      const base = new Color(th.palette[path.colour % 8]), c = line.geometry.attributes.color;
      for (let k = 0; k < path.n; k++) {
        const age = (t - path.t[k]) / (.25 * run.span), s = age >= 0 && age < 1 ? 1 - .75 * age : .22;
        colour.copy(back).lerp(base, s);
        c.setXYZ(k, colour.r, colour.g, colour.b);
      }
      c.needsUpdate = true;
    }
  }
}
