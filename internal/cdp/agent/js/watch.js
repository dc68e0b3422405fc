// ---- watching where the events of an action arrive -------------------------------

let watched = null;

let drag = null; // the last dragstart, and the drop after it

function follow(event) {
  if (event.type === 'dragstart') drag = { start: event, drop: null };
  if (event.type === 'drop' && event.isTrusted) (drag ||= {}).drop = event.composedPath()[0];
  if (!watched || !event.isTrusted || event.type.startsWith('dr')) return;
  if (event.type === 'mouseup') { watched.released = event.composedPath()[0]; return; }
  if ((event.type === 'pointermove') !== (watched.final === 'pointermove')) return; // on the way to a click the mouse passes others
  const path = event.composedPath();
  const arrived = path.includes(watched.element) || receives(watched.element, path[0]);
  watched.seen = true;
  if (arrived) watched.hit = true;
  else watched.other ||= describe(path[0] instanceof Element ? path[0] : null);
  if (arrived && event.type === watched.final) watched.clicks++;
}

early.hear = follow;

// Again before each action, because document.open takes the listeners away.
const followEvents = early.listen;

function watchFor(element, final, x, y) {
  followEvents();
  watched = isFrame(hitAt(x, y) || element) ? null // a frame's events stay inside of it
    : { element, final, x, y, seen: false, hit: false, clicks: 0, other: '', released: null };
}

// Waits for the two frames after an action and tells where it arrived.
async function settle() {
  await frame();
  await turn();
  if (!watched) return { seen: true, hit: true, clicks: -1 };
  const { element, seen, hit, clicks, other, released, x, y } = watched;
  watched = null;
  // A list of options takes the release of the button to itself.
  const own = tagOf(element) === 'select' || tagOf(element) === 'option';
  return { seen, hit, clicks: own ? -1 : clicks, other, ...after(element, released, x, y) };
}

// What became of the element at the point, to tell why no click came about: why
// it took none, or what had opened over it when the button was released. What
// slides open may have gone from there since.
function after(element, released, x, y) {
  if (!connected(element)) return { why: 'it was removed' };
  const off = disabled(element);
  if (off) return { why: 'it was disabled' };
  const there = boxes(element).some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
  if (!there) return { why: 'it moved' };
  const over = released instanceof Element ? released : hitAt(x, y);
  return over && !receives(element, over) ? { over: describe(over) } : { why: 'its content was replaced' };
}

const expectDrag = () => { followEvents(); drag = null; };
const dragging = () => Boolean(drag?.start && !drag.start.defaultPrevented);
// Whether the page got a drop, and where, if not on the element: lists make room
// while something is dragged over them.
function dropped(id) {
  if (!drag?.drop) return { seen: false };
  const element = elementOf(id);
  const on = element && within(drag.drop, element) ? null : drag.drop;
  return { seen: true, other: on instanceof Element ? describe(on) : '' };
}
