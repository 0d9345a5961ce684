// Pages of planar mechanisms, and of problems without a picture.
import { start } from './main.js';
import { PlanarView } from './planar.js';

start(PlanarView);
