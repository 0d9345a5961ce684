// Pages of spatial mechanisms: three.js where there is WebGL, a sketch where there is none.
import { start } from './main.js';
import { SpatialView } from './spatial.js';
import { SketchView } from './sketch.js';

function canDrawInSpace() {
  try {
    const context = document.createElement('canvas').getContext('webgl2'), can = !!context;
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return can && !location.hash.includes('sketch');
  } catch {
    return false;
  }
}

start(canDrawInSpace() ? SpatialView : SketchView);
