// ---- actionability: can it be used, and where ---------------------------------

function rects(element) {
  if (getComputedStyle(element).display !== 'contents') return [...rectsOf(element)];
  const range = document.createRange(); // it has no box of its own, but its content has
  range.selectNodeContents(element);
  return [...range.getClientRects()];
}

const boxes = (element) => rects(element).filter((box) => box.width * box.height >= 1);

function invisibility(element) {
  const style = getComputedStyle(element);
  if (style.display === 'none') return 'it has display: none';
  if (!rects(element).length) {
    return tagOf(element) === 'option' ? 'it is an <option> of a list: use browser_select_option on its <select>' : 'it is not rendered (an ancestor hides it)';
  }
  if (style.visibility !== 'visible') return `it has visibility: ${style.visibility}`;
  if (!rendered(element)) return unrendered(element);
  if (!boxes(element).length) return 'its size is zero';
  return '';
}

// What content-visibility leaves out, as closed <details> do, has boxes still.
function rendered(element) {
  for (let node = element; node; node = parentOf(node)) {
    if (node instanceof Element && getComputedStyle(node).display !== 'contents') return checkVisibility(node);
  }
  return true;
}

function unrendered(element) {
  const closed = ancestors(element).slice(1).find((node) => tagOf(node) === 'details' && !node.open);
  return closed ? `it is in the closed ${describe(closed)}: click its <summary> first` : 'it is not rendered (an ancestor hides it)';
}

function hitAt(x, y) {
  let hit = document.elementFromPoint(x, y);
  while (hit && shadowOf(hit)) {
    const inner = shadowOf(hit).elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

function receives(element, hit) {
  if (!hit) return false;
  if (within(hit, element)) return true;
  const label = closest(hit, 'label');
  return Boolean(label && label.control === element);
}

// Points of the element's boxes inside the viewport, the best first.
function points(element) {
  const result = [];
  for (const box of boxes(element).sort((a, b) => b.width * b.height - a.width * a.height)) {
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    if (right - left < 1 || bottom - top < 1) continue;
    for (const [fx, fy] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.1, .1], [.9, .9]]) {
      result.push({ x: left + (right - left) * fx, y: top + (bottom - top) * fy });
    }
  }
  return result;
}

function disabled(element) {
  const off = matches(element, ':disabled') ? element : closest(element, 'button:disabled'); // what a button holds is pressed with it
  if (off) return closest(off, 'fieldset:disabled') && !off.disabled ? 'it is in a disabled fieldset' : `it is ${off === element ? '' : `in ${describe(off)}, which is `}disabled`;
  if (closest(element, '[aria-disabled="true"]')) return 'it has aria-disabled="true"';
  return '';
}

// The modal dialog that makes everything outside of it inert.
function modalBefore(element) {
  for (const root of rootsOf(document)) {
    for (const dialog of queryAll(root, 'dialog:modal')) if (!within(element, dialog)) return dialog;
  }
  return null;
}

// A point where the element receives events, or why there is none. Of several it
// is the first, unless that has been tried.
function target(element, position, tried = 0) {
  if (position) {
    const box = boxes(element)[0] || rectOf(element);
    const point = { x: box.left + position[0], y: box.top + position[1] };
    const hit = hitAt(point.x, point.y);
    return receives(element, hit) ? { point } : { reason: `position ${position} is ${hit ? `covered by ${describe(hit)}` : 'outside of the viewport'}` };
  }
  let cover = null;
  const candidates = points(element);
  const good = [];
  for (const point of candidates) {
    const hit = hitAt(point.x, point.y);
    if (receives(element, hit)) good.push(point);
    else cover ||= hit;
    if (good.length > tried) return { point };
  }
  if (good.length) return { point: good[tried % good.length] };
  if (!candidates.length) return { reason: 'it is outside of the viewport and cannot be scrolled into view' };
  return { reason: `it ${obstacle(element, cover)}` };
}

// Why an element in view does not receive the events that go to another.
function obstacle(element, hit) {
  if (getComputedStyle(element).pointerEvents === 'none') return 'has pointer-events: none';
  const inert = ancestors(element).find((node) => node.inert);
  if (inert) return inert === element ? 'is inert' : `is inert, because ${describe(inert)} is`;
  const modal = modalBefore(element);
  if (modal) return `is inert behind the modal ${describe(modal)}`;
  if (!(hit && within(element, hit))) return `is covered by ${describe(hit)}`;
  const clip = clipper(element) || hit;
  return `is clipped away by ${clip === element ? 'its own style' : describe(clip)}`;
}

function ancestors(element) {
  const list = [];
  for (let node = element; node; node = parentOf(node)) if (node instanceof Element) list.push(node);
  return list;
}

const clipper = (element) => ancestors(element).find((node) => {
  const { clip, clipPath, overflow } = getComputedStyle(node);
  return clip !== 'auto' || clipPath !== 'none' || (node !== element && overflow !== 'visible');
});

// An animation may stand still in its first frames, so that one that runs is
// looked at for longer.
async function stable(element) {
  const before = rectOf(element);
  for (let frames = 1; frames <= 1 || (frames <= 4 && animated(element)); frames++) {
    await frame();
    const after = rectOf(element);
    if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height) return false;
  }
  return true;
}

const animated = (element) => ancestors(element).some((node) => animationsOf(node).some(({ playState }) => playState === 'running'));

const stopped = new Set();

// Tries until the deadline; a missing element is told at once unless waited for.
async function until(steps, { wait, gone, timeout, call }, attempt) {
  const deadline = performance.now() + timeout;
  for (let first = true; ; first = false) {
    const began = performance.now();
    const result = await tried(steps, gone, attempt, first);
    const last = performance.now() >= deadline || stopped.has(call);
    if (last || /^(ready|never|frame|gone|invalid)$/.test(result.state) || (result.state === 'missing' && !wait)) {
      stopped.delete(call);
      result.atOnce = first;
      if (result.state === 'missing') result.close = near(steps, result.at);
      return result;
    }
    // A search of a large page leaves it time for its own work.
    if (result.state !== 'moving') await pause(Math.min(Math.max(30, 2 * (performance.now() - began)), deadline - performance.now()));
  }
}

async function tried(steps, gone, attempt, first) {
  try {
    const { found, frame: inside, index = firstVisible(found), at } = resolve(steps);
    const element = found[index];
    if (inside) {
      if (inside.loading === 'lazy') reveal(inside, { block: 'nearest', behavior: 'instant' }); // else it never loads
      return { state: 'frame', id: numberOf(inside), at, element: describe(inside) };
    }
    if (!element && gone) return { state: 'ready', count: 0 };
    if (!element && steps[0].kind === 'handle' && at === 0) return { state: 'gone' };
    if (!element) return { state: 'missing', at };
    return { ...await attempt(element, first), count: found.length, index, element: describe(element), id: numberOf(element) };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return { state: 'invalid', reason: error.message };
    throw error;
  }
}

// nested says that a frame shows the document, whose own place must be scrolled
// into view too; unseen how often the point that was found could not be seen there.
async function reach(element, { position, nested, idle, unseen = 0 }, again) {
  const hidden = invisibility(element);
  if (hidden) return { state: 'refused', reason: hidden };
  const off = !idle && disabled(element);
  if (off) return { state: 'refused', reason: off };
  if (!points(element).length || again || unseen) reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
  else if (nested) reveal(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  if (!await stable(element)) return { state: 'moving', reason: 'it is still moving' };
  let way;
  for (const block of [null, 'center', 'end', 'start']) {
    if (block) reveal(element, { block, inline: 'center', behavior: 'instant' });
    way = target(element, position, unseen);
    if (way.point) return { state: 'ready', ...way.point };
  }
  return { state: 'refused', reason: way.reason };
}

// Where a point of a frame's viewport lies in this document's, however the frame
// is scaled and turned: around the middle of its box, which stays the middle, by
// the offsets that events have in the measure of their target.
function outside(element, x, y) {
  const box = rectOf(element), style = getComputedStyle(element), zoom = element.currentCSSZoom ?? 1;
  const left = box.left + box.width / 2, top = box.top + box.height / 2;
  const middle = offsetIn(element, left, top), right = offsetIn(element, left + probe, top), down = offsetIn(element, left, top + probe);
  const a = right.x - middle.x, b = right.y - middle.y, c = down.x - middle.x, d = down.y - middle.y;
  const scale = probe * zoom / (a * d - b * c || 1);
  const dx = element.clientLeft + parseFloat(style.paddingLeft) + x - element.offsetWidth / 2;
  const dy = element.clientTop + parseFloat(style.paddingTop) + y - element.offsetHeight / 2;
  return { x: left + (d * dx - c * dy) * scale, y: top + (a * dy - b * dx) * scale, scrollX, scrollY };
}

const probe = 100000; // CSS pixels; offsets are rounded to whole ones
const probing = `probe-${crypto.getRandomValues(new Uint32Array(2)).join('')}`; // a page that does not know it cannot listen for it

function offsetIn(element, clientX, clientY) {
  let offset = { x: 0, y: 0 };
  addListener(element, probing, (event) => { offset = { x: event.offsetX, y: event.offsetY }; }, { once: true });
  dispatch(element, new PointerEvent(probing, { clientX, clientY }));
  return offset;
}

// The same, and why the point cannot be seen there; what can be scrolled into
// view is, for the next try.
async function through(element, x, y) {
  const hidden = frameHidden(element);
  if (hidden) return { reason: hidden };
  if (!await stable(element)) return { reason: `its frame ${describe(element)} is still moving` };
  const point = outside(element, x, y);
  const hit = hitAt(point.x, point.y);
  if (hit === element) return point;
  reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
  return { ...point, reason: `its frame ${describe(element)} ${hit ? obstacle(element, hit) : 'is outside of the viewport there'}` };
}

// Why nothing of a frame can be seen, '' when it can.
function frameHidden(element) {
  if (!(element && connected(element))) return 'its frame has gone';
  const hidden = invisibility(element);
  return hidden && `its frame ${describe(element)} cannot be seen: ${hidden}`;
}
