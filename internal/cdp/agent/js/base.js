// A tab that is not painted has no frames: a timer stands in. It leaves a busy
// machine time for a frame, because without one a page does not move on.
const unpainted = 50, painting = 250; // ms
let frameTimeout = painting;

const frame = () => new Promise((resolve) => {
  let over = false;
  const end = (timeout) => {
    if (!over) frameTimeout = timeout;
    over = true;
    resolve();
  };
  pause(frameTimeout).then(() => end(unpainted));
  requestAnimationFrame(() => end(painting));
});
// A frame, and the timers that it set off.
const turn = async () => { await frame(); await pause(0); };
// In a sandboxed document that may run no scripts timers never fire; tasks do.
const pause = matchMedia('(scripting: none)').matches
  ? (ms) => scheduler.postTask(() => {}, { delay: ms })
  : (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const clip = (text, length) => (text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text);

const documentTitle = () => clip(document.title, 1000);

// ---- handles: the numbers by which the server names elements of this document

const numbers = new WeakMap();
const handles = new Map();
const forget = new FinalizationRegistry((number) => handles.delete(number));
let lastNumber = Math.floor(Math.random() * 2 ** 40); // so that no number of one document means anything in another

function numberOf(element) {
  let number = numbers.get(element);
  if (!number) {
    number = ++lastNumber;
    numbers.set(element, number);
    handles.set(number, new WeakRef(element));
    forget.register(element, number);
  }
  return number;
}

const elementOf = (number) => handles.get(number)?.deref();

// ---- the tree as it is seen: through open shadow roots and slots ------------

const slotOf = (node) => (node instanceof Element || node instanceof Text ? node.assignedSlot : null);
const parentOf = (node) => slotOf(node) || parentNodeOf(node) || (node instanceof ShadowRoot ? node.host : null);

function within(node, ancestor) {
  for (; node; node = parentOf(node)) if (node === ancestor) return true;
  return false;
}

const frameTags = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);
const isFrame = (element) => frameTags.has(tagOf(element));

// The root and every open shadow root below it.
function rootsOf(scope) {
  const list = shadowOf(scope) ? [scope, shadowOf(scope)] : [scope];
  for (const root of list) {
    for (const element of queryAll(root, '*')) if (shadowOf(element)) list.push(shadowOf(element));
  }
  return list;
}

const isButton = (element) => tagOf(element) === 'input' && /^(button|submit|reset)$/.test(element.type);

const shownIn = (element) => (element instanceof HTMLElement ? innerTextOf(element) : textContentOf(element));

function describe(element) {
  if (!element) return 'nothing';
  const name = tagOf(element)
    + (attribute(element, 'id') ? `#${clip(attribute(element, 'id'), 60)}` : '')
    + classesOf(element).slice(0, 3).map((c) => `.${clip(c, 40)}`).join('');
  const text = attribute(element, 'aria-label') || (tagOf(element) === 'select' ? '' : shownIn(element)) || (isButton(element) ? element.value : '')
    || attribute(element, 'placeholder') || attribute(element, 'alt') || '';
  const said = normal(text.slice(0, 400));
  return `<${name}>` + (said ? ` "${clip(said, 40)}"` : '');
}
