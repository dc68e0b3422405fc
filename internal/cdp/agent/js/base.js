const frame = () => new Promise((resolve) => {
  // A tab that is not painted has no frames; the timer stands in.
  const timer = setTimeout(resolve, 50);
  requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
});
// A frame, and the timers that it set off.
const turn = async () => { await frame(); await pause(0); };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const clip = (text, length) => (text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text);

// ---- handles: the numbers by which the server names elements of this document

const numbers = new WeakMap();
const handles = new Map();
const forget = new FinalizationRegistry((number) => handles.delete(number));
let lastNumber = 0;

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

const isFrame = (element) => /^(iframe|frame|object|embed|fencedframe)$/.test(element.localName);

// The root and every open shadow root below it.
function rootsOf(scope) {
  const list = scope.shadowRoot ? [scope, scope.shadowRoot] : [scope];
  for (const root of list) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) list.push(element.shadowRoot);
  }
  return list;
}

const isButton = (element) => element.localName === 'input' && /^(button|submit|reset)$/.test(element.type);

function describe(element) {
  if (!element) return 'nothing';
  const name = element.localName
    + (element.id ? `#${clip(element.id, 60)}` : '')
    + [...element.classList].slice(0, 3).map((c) => `.${clip(c, 40)}`).join('');
  const text = element.getAttribute('aria-label') || (element.localName === 'select' ? '' : element.innerText) || (isButton(element) ? element.value : '')
    || element.getAttribute('placeholder') || element.getAttribute('alt') || '';
  const said = normal(text.slice(0, 400));
  return `<${name}>` + (said ? ` "${clip(said, 40)}"` : '');
}
