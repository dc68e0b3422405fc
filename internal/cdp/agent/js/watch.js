// ---- watching where the events of an action arrive -------------------------------

let watched = null;
let submitted = false; // a form, since it was last asked

let drag = {}; // the last dragstart, and after it the drop or the release of the button

function follow(event) {
  if (event.type === 'dragstart') drag = { start: event };
  if (event.type === 'drop' && event.isTrusted) drag.drop = event.composedPath()[0];
  if (event.type === 'mouseup' && event.isTrusted) drag.released = event.composedPath()[0];
  if (!watched || !event.isTrusted || event.type.startsWith('dr')) return;
  const path = event.composedPath();
  if (event.type === 'mouseup') { watched.released = path[0]; return; }
  const arrived = path.includes(watched.element) || receives(watched.element, path[0]);
  if (event.type === 'pointermove') watched.pointed = arrived;
  if ((event.type === 'pointermove') !== (watched.final === 'pointermove')) return; // on the way to a click the mouse passes others
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
  const hit = hitAt(x, y) || element;
  watched = isFrame(hit) || (hit instanceof HTMLMediaElement && hit.controls) ? null // the events of what is in it stay inside
    : { element, final, x, y, pointed: false, seen: false, hit: false, clicks: 0, other: '', released: null };
}

// Whether the mouse is over the element that is watched.
const pointed = () => !watched || watched.pointed;

// Waits for the two frames after an action and tells where it arrived.
async function settle() {
  await frame();
  await turn();
  if (!watched) return { seen: true, hit: true, clicks: -1 };
  const { element, final, seen, hit, clicks, other, released, x, y } = watched;
  watched = null;
  // A list of options takes the release of the button to itself.
  const own = tagOf(element) === 'select' || tagOf(element) === 'option';
  const now = final === 'pointermove' ? under(element, x, y) : after(element, released, x, y);
  return { seen, hit, clicks: own ? -1 : clicks, other, ...now };
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

// Whether the element is still under the mouse, or what is.
function under(element, x, y) {
  if (!connected(element)) return { why: 'it was removed' };
  const hit = hitAt(x, y);
  if (receives(element, hit)) return {};
  const there = boxes(element).some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
  return there && hit ? { over: describe(hit) } : { why: 'it moved away' };
}

const expectDrag = () => { followEvents(); drag = {}; };
const dragging = () => Boolean(drag.start && !drag.start.defaultPrevented);

// What the button was released over in a drag by the mouse, if not the element.
function releasedOver(id) {
  const element = elementOf(id);
  if (!drag.released) return 'something outside of its document';
  return element && within(drag.released, element) ? '' : describe(drag.released instanceof Element ? drag.released : null);
}

// Whether the page got a drop, and where, if not on the element: lists make room
// while something is dragged over them.
function dropped(id) {
  if (!drag.drop) return { seen: false };
  const element = elementOf(id);
  const on = element && within(drag.drop, element) ? null : drag.drop;
  return { seen: true, other: on instanceof Element ? describe(on) : '' };
}
