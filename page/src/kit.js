// What views in space are built from: bodies, pins, and things that are stretched between two points.
import {
  Group, Mesh, MeshStandardMaterial, CapsuleGeometry, CylinderGeometry, SphereGeometry, BoxGeometry, ExtrudeGeometry, TubeGeometry, Curve, Shape, Vector3, Matrix4, Raycaster, Vector2,
} from 'three';
import { hull } from './scene.js';

export const UP = new Vector3(0, 1, 0);
export const vector = a => new Vector3(...a);

class Helix extends Curve {
  constructor(radius, turns) {
    super();
    Object.assign(this, { radius, turns });
  }
  getPoint(s, out = new Vector3()) {
    const fade = Math.min(1, s / .08, (1 - s) / .08), a = 2 * Math.PI * this.turns * s;
    return out.set(this.radius * fade * Math.cos(a), s - .5, this.radius * fade * Math.sin(a));
  }
}

export class Kit {
  constructor(view) {
    this.view = view;
    this.R = view.R;
    this.metal = new MeshStandardMaterial({ roughness: .4, metalness: .35 });
    this.ray = new Raycaster();
  }
  recolour(th) { this.metal.color.set(th.dark ? '#aeb8c4' : '#5c6672'); }
  mesh(geometry, material) {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }
  rodBetween(a, b, r, material, caps = true) {
    const d = b.clone().sub(a), l = d.length(), mesh = this.mesh(caps ? new CapsuleGeometry(r, l, 6, 18) : new CylinderGeometry(r, r, l, 22), material);
    mesh.position.copy(a).addScaledVector(d, .5);
    mesh.quaternion.setFromUnitVectors(UP, d.normalize());
    return mesh;
  }
  turned(mesh, axis) {
    const d = vector(axis);
    if (d.length() > 0) mesh.quaternion.setFromUnitVectors(UP, d.normalize());
    return mesh;
  }
  body(body) {
    const { R } = this, group = new Group(), P = body.points.map(vector), material = body.material;
    group.userData.body = body;
    const wheel = this.view.run.joints.find(j => j.b === body.id && /rolling/.test(j.kind));
    if (wheel) group.add(this.wheel(wheel, material));
    else if (body.shape && body.shape.kind !== 'bar') group.add(this.shape(body.shape, material));
    else if (P.length === 1) { const ball = this.mesh(new SphereGeometry(R * 2, 24, 16), material); ball.position.copy(P[0]); group.add(ball); }
    else if (P.length === 2) group.add(this.rodBetween(P[0], P[1], body.barrel ? R * 1.45 : body.rod ? R * .72 : R, material, !body.barrel));
    else group.add(...this.plate(P, material));
    return group;
  }
  wheel(joint, material) {
    const { R } = this, radius = joint.numbers.radius?.[0] ?? R * 4, group = new Group();
    if (/ball/.test(joint.kind)) group.add(this.mesh(new SphereGeometry(radius, 32, 24), material));
    else {
      const disc = this.mesh(new CylinderGeometry(radius, radius, Math.min(.08 * radius, R * 1.5), 56), material);
      const spoke = this.mesh(new BoxGeometry(radius * 1.85, Math.min(.1 * radius, R * 2), radius * .07), this.metal);
      group.add(disc, spoke);
      this.turned(group, joint.axis_b);
    }
    group.position.set(...joint.on_b);
    return group;
  }
  shape(shape, material) {
    const size = key => shape[key]?.[0] ?? 0;
    if (shape.kind === 'box') return this.mesh(new BoxGeometry(...shape.size), material);
    if (shape.kind === 'sphere') return this.mesh(new SphereGeometry(size('radius'), 32, 24), material);
    const mesh = this.mesh(new CylinderGeometry(size('radius'), size('radius'), size('length') || .15 * size('radius'), 48), material);
    mesh.rotation.x = Math.PI / 2;
    return mesh;
  }
  /** Flat sets of points are plates; others are rods from their middle. */
  plate(P, material) {
    const { R } = this, { size } = this.view, c = P.reduce((s, p) => s.add(p), new Vector3()).divideScalar(P.length);
    let normal = null;
    for (let i = 1; i < P.length - 1 && !normal; i++) {
      const x = P[i].clone().sub(P[0]).cross(P[i + 1].clone().sub(P[0]));
      if (x.length() > 1e-6 * size ** 2) normal = x.normalize();
    }
    const flat = normal && P.every(p => Math.abs(p.clone().sub(P[0]).dot(normal)) < 1e-4 * size);
    if (!flat) return normal ? P.map(p => this.rodBetween(c, p, R, material)) : [this.rodBetween(...this.farthest(P), R, material)];
    const u = P[0].clone().sub(c).normalize(), v = normal.clone().cross(u), shape = new Shape();
    const outline = hull(P.map(p => [p.clone().sub(c).dot(u), p.clone().sub(c).dot(v)]));
    outline.forEach(([x, y], i) => {
      const grow = 1 + 2.2 * R / Math.hypot(x, y);
      if (i) shape.lineTo(x * grow, y * grow); else shape.moveTo(x * grow, y * grow);
    });
    shape.closePath();
    const mesh = this.mesh(new ExtrudeGeometry(shape, { depth: R * .9, bevelEnabled: true, bevelSize: R * .8, bevelThickness: R * .35, bevelSegments: 3 }), material);
    mesh.applyMatrix4(new Matrix4().makeBasis(u, v, normal).setPosition(c.clone().addScaledVector(normal, -R * .45)));
    return [mesh];
  }
  farthest(P) {
    let best = [P[0], P[1]];
    for (const p of P) for (const q of P) if (p.distanceTo(q) > best[0].distanceTo(best[1])) best = [p, q];
    return best;
  }
  /** A joint by its kind, with a foot where it stands on the ground. */
  pin(pin) {
    const { R } = this, group = new Group(), joint = pin.joints[0], material = pin.material;
    pin.turnsWith = pin.body;
    const cylinder = (axis, r, l) => group.add(this.turned(this.mesh(new CylinderGeometry(R * r, R * r, R * l, 24), material), axis));
    if (/prismatic|rolling|distance|knife|planar|point-on-plane/.test(joint.kind)) return group;
    if (/spherical|point-on/.test(joint.kind)) group.add(this.mesh(new SphereGeometry(R * 1.55, 28, 18), material));
    else if (joint.kind === 'fixed') group.add(this.mesh(new BoxGeometry(R * 2.6, R * 2.6, R * 2.6), material));
    else if (/universal/.test(joint.kind)) {
      group.add(this.mesh(new SphereGeometry(R * 1.15, 24, 16), material));
      cylinder(joint.axis_b, .5, 5);
      cylinder(cross(joint.axis_b), .5, 5);
    } else cylinder(joint.axis_b, /cylindrical|screw/.test(joint.kind) ? 1.2 : 1.5, /cylindrical|screw/.test(joint.kind) ? 7 : 4);
    if (pin.ground) {
      const foot = this.mesh(new CylinderGeometry(R * 2.4, R * 3.6, R * 2.2, 28), this.view.groundMaterial);
      foot.rotation.x = Math.PI / 2;
      foot.position.z = -R * 2.1;
      const stand = new Group();
      stand.add(foot);
      stand.position.set(...pin.a);
      this.view.scene.add(stand);
    }
    return group;
  }
  // Things of unit length along y, stretched between two points.
  rod(width) { return this.mesh(new CylinderGeometry(this.R * width, this.R * width, 1, 16), this.metal); }
  cylinder() {
    const group = new Group(), barrel = this.mesh(new CylinderGeometry(this.R * 1.3, this.R * 1.3, .6, 22), this.metal), rod = this.mesh(new CylinderGeometry(this.R * .6, this.R * .6, .5, 16), this.metal);
    barrel.position.y = -.2;
    rod.position.y = .25;
    group.add(barrel, rod);
    return group;
  }
  coil() { return this.mesh(new TubeGeometry(new Helix(this.R * 1.5, 9), 220, this.R * .28, 8), this.metal); }
  stretch(mesh, a, b) {
    const d = b.clone().sub(a), l = d.length();
    mesh.position.copy(a).addScaledVector(d, .5);
    mesh.scale.set(1, Math.max(l, 1e-9), 1);
    if (l > 0) mesh.quaternion.setFromUnitVectors(UP, d.divideScalar(l));
  }
  /** A part of a sketch; it moves with its points. */
  part(part, hue) {
    if (part.kind === 'rail') return null;
    const { R } = this, group = new Group(), material = new MeshStandardMaterial({ roughness: .55 }), links = [];
    const pairs = part.points.slice(1).map((p, i) => [part.points[i], p]);
    if (part.kind === 'disc') links.push({ disc: part.points, mesh: this.mesh(new CylinderGeometry(1, 1, 1, 56), material) });
    else if (pairs.length && part.kind !== 'ball') for (const ends of pairs)
      links.push({ ends, mesh: part.kind === 'spring' ? this.coil() : this.mesh(new CylinderGeometry(R * (part.kind === 'rope' ? .3 : 1), R * (part.kind === 'rope' ? .3 : 1), 1, 18), material) });
    const size = part.kind === 'support' ? 1.4 : part.kind === 'ball' ? 2.4 : part.kind === 'rope' ? 0 : 1.25;
    if (size) for (const point of part.points) links.push({ point, mesh: this.mesh(new SphereGeometry(R * size, 24, 18), material) });
    for (const { mesh } of links) group.add(mesh);
    return { group, links, material, hue };
  }
  movePart({ links }, t) {
    const at = i => vector(this.view.run.sketchPoint(i, t));
    for (const { ends, point, disc, mesh } of links) {
      if (ends) this.stretch(mesh, at(ends[0]), at(ends[1]));
      else if (point !== undefined) mesh.position.copy(at(point));
      else this.discThrough(mesh, disc.map(at));
    }
  }
  discThrough(mesh, [centre, rim, axle]) {
    const r = rim.distanceTo(centre), axis = axle ? axle.clone().sub(centre).normalize() : UP;
    mesh.position.copy(centre);
    mesh.quaternion.setFromUnitVectors(UP, axis);
    mesh.scale.set(r, .06 * r, r);
  }
  bodyAt(x, y) {
    const { view } = this;
    this.ray.setFromCamera(new Vector2(2 * x / view.w - 1, 1 - 2 * y / view.h), view.camera);
    let object = this.ray.intersectObjects(view.run.bodies.map(b => b.group))[0]?.object;
    while (object && !object.userData.body) object = object.parent;
    return object ? { body: object.userData.body } : null;
  }
}

/** Some direction across. */
function cross([x, y, z]) {
  const v = new Vector3(x, y, z), other = Math.abs(x) < .8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  return v.cross(other).normalize().toArray();
}
