// The keyboard; the drawer has a list of these.
const $ = id => document.getElementById(id);
const TOGGLES = { f: 'forces', p: 'paths', n: 'names', s: 'strobe', l: 'loop', t: 'theme' };

export function listenToKeys(state, view, plots) {
  const { run } = state, speed = $('speed');
  const faster = by => {
    if (!speed.options[speed.selectedIndex + by]) return;
    speed.selectedIndex += by;
    state.speed = +speed.value;
  };
  const mark = by => {
    const near = 1e-9 * run.span, m = by > 0 ? state.marks.find(x => x.t > state.t + near) : state.marks.findLast(x => x.t < state.t - near);
    if (m) state.seek(m.t);
  };
  const move = (e, by) => e.shiftKey ? state.seek(state.t + by * run.span / 10) : state.step(by);
  const keys = {
    ' ': e => { if (e.target.closest?.('button')) e.target.blur(); $('play').click(); },
    ArrowRight: e => move(e, 1),
    ArrowLeft: e => move(e, -1),
    Home: () => state.seek(run.t0),
    End: () => state.seek(run.t1),
    '+': () => faster(1),
    '=': () => faster(1),
    '-': () => faster(-1),
    ']': () => mark(1),
    '[': () => mark(-1),
    0: () => { view?.home(); plots.look(null); },
    d: () => state.drawer(),
    Escape: () => { state.drawer(false); state.tip(null); },
  };
  for (const [key, id] of Object.entries(TOGGLES)) keys[key] = () => { if (!$(id).hidden) $(id).click(); };
  addEventListener('keydown', e => {
    if (e.target.closest?.('select,input,textarea') || e.ctrlKey || e.metaKey || e.altKey) return;
    const act = keys[e.key];
    if (!act) return;
    act(e);
    e.preventDefault();
  });
}
