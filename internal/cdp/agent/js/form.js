// ---- forms: lists of options, checkboxes, whole forms, files ---------------------------

const shownList = (labels, most = 12) => labels.slice(0, most).map((label) => `"${clip(label, 40)}"`).join(', ') + (labels.length > most ? ` and ${labels.length - most} more` : '');

// The options of a <select> that are meant by values or labels, or why not.
function optionsFor(element, values) {
  const options = [...element.options];
  const chosen = [];
  for (const value of values) {
    const label = normal(value);
    const option = options.find((one) => one.value === value) || options.find((one) => normal(one.label) === label)
      || options.find((one) => normal(one.label).toLowerCase() === label.toLowerCase());
    if (!option) return { reason: `it has no option "${clip(value, 60)}"; there are ${shownList(options.map((one) => normal(one.label) || one.value))}` };
    if (option.disabled || option.parentElement?.disabled) return { reason: `its option "${clip(value, 60)}" is disabled` };
    chosen.push(option);
  }
  if (!element.multiple && chosen.length !== 1) return { reason: `it takes one value, and ${chosen.length} were given` };
  return { chosen };
}

async function choose(found, { values }) {
  const element = tagOf(found) === 'option' ? closest(found, 'select') : fieldOf(found);
  if (element?.localName !== 'select') return { state: 'never', reason: `it is no <select>${toldList}` };
  const why = invisibility(element) || disabled(element);
  if (why) return { state: 'refused', reason: why };
  const { chosen, reason } = optionsFor(element, values);
  if (reason) return { state: 'never', reason };
  if (!points(element).length) reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
  focusOn(element);
  edited = element;
  if (element.multiple) for (const option of element.options) option.selected = chosen.includes(option);
  else element.selectedIndex = chosen[0].index;
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { state: 'ready', kind: 'select', labels: chosen.map((option) => normal(option.label)) };
}

// What is chosen in the <select> that was set last.
const chosen = () => ((edited && connected(edited)) ? { labels: [...edited.selectedOptions].map((option) => normal(option.label)) } : { gone: true });

const truths = new Map([['true', true], ['on', true], ['yes', true], ['checked', true], ['1', true], ['false', false], ['off', false], ['no', false], ['unchecked', false], ['0', false], ['', false]]);

const labelled = (element) => normal([...(element.labels || [])].map((label) => label.innerText).join(' ')) || nameOf(element);

// How a field would be filled with a value, without touching it: what is to be
// done to which element; or why it cannot be.
function plan(found, { value }) {
  let element = fieldOf(found);
  const role = roleOf(element);
  const no = (reason) => ({ state: 'never', reason });
  if (tagOf(element) === 'input' && element.type === 'file') return matches(element, ':disabled') ? { state: 'refused', reason: disabled(element) } : { state: 'ready', kind: 'file', field: numberOf(element) };
  let kind = 'text', want = true;
  if (tagOf(element) === 'input' && element.type === 'radio') {
    kind = 'radio';
    const choice = truths.get(value.toLowerCase());
    if (choice !== true || element.value === value) {
      const group = [...queryAll(rootOf(element), 'input[type=radio]')].filter((one) => one === element || (one.name && one.name === element.name && one.form === element.form));
      element = group.find((one) => one.value === value) || group.find((one) => labelled(one).toLowerCase() === normal(value).toLowerCase());
      if (!element) return no(`its group has no choice "${clip(value, 60)}"; there are ${shownList(group.map((one) => labelled(one) || one.value))}`);
    }
  } else if (checkable(element) && role !== 'option') {
    kind = 'check';
    want = truths.get(value.toLowerCase());
    if (want === undefined) return no(`it is a ${role}: its value is true or false, not "${clip(value, 60)}"`);
  } else if (tagOf(element) === 'select') {
    kind = 'select';
    const { reason } = optionsFor(element, [value]);
    if (reason) return no(reason);
  } else {
    const never = uneditable(element);
    if (never) return no(never);
    const reason = misfit(element, value);
    if (reason) return no(reason);
  }
  let target = element;
  if ((kind === 'radio' || kind === 'check') && invisibility(element)) target = [...(element.labels || [])].find((label) => !invisibility(label)) || element; // drawn by its label
  const why = invisibility(target) || disabled(element) || (kind === 'text' && element.readOnly ? 'it is read-only' : '');
  if (why) return { state: 'refused', reason: why };
  return { state: 'ready', kind, want, field: numberOf(element), target: numberOf(target), done: kind === 'radio' || kind === 'check' ? checkedness(element) === want : false };
}

// Why a field would not take a value, tried on a copy.
function misfit(element, value) {
  if (tagOf(element) !== 'input' || !(setKinds.has(element.type) || element.type === 'number') || value === '') return '';
  const copy = element.cloneNode();
  copy.value = value;
  if (element.type === 'color' ? copy.value !== value.toLowerCase() : element.type === 'range' ? Number(copy.value) !== Number(value) : copy.value === '') {
    return `a field of type ${element.type} does not take "${clip(value, 60)}"`;
  }
  return '';
}

// The form of a field, the button that submits it, 0 without one, and what keeps
// it from being submitted. Both may be parts of
// components, which the form itself does not know.
function submitter(id) {
  const element = elementOf(id);
  const form = element?.form || (element && ancestors(element).find((one) => tagOf(one) === 'form'));
  submitted = false;
  if (!form) return { form: false, button: 0, invalid: [] };
  addListener(form, 'submit', () => { submitted = true; }, { once: true, capture: true, passive: true }); // out of a shadow root none is heard
  const submits = (one) => (one.type === 'submit' || attribute(one, 'type') === 'submit') && !invisibility(one);
  const button = [...fieldsOf(form)].find(submits) || rootsOf(form).flatMap((root) => [...queryAll(root, '[type=submit], button')]).find(submits);
  return { form: true, button: button ? numberOf(button) : 0, invalid: form.noValidate || button?.formNoValidate ? [] : invalidIn(form) };
}

// The fields that keep the browser from submitting a form, with its own words.
const invalidIn = (form) => [...fieldsOf(form)].filter((field) => field.willValidate && !field.validity.valid)
  .slice(0, 10).map((field) => `${describe(field)}: ${clip(field.validationMessage, 100)}`);

const wasSubmitted = () => submitted;

const checkedNow = (id) => { const element = elementOf(id); return (element && connected(element)) ? checkedness(element) : null; };

// A file input, or what may open a chooser when it is clicked.
function fileField(found) {
  const element = fieldOf(found);
  if (tagOf(element) !== 'input' || element.type !== 'file') return { state: 'ready', kind: 'other' };
  const off = disabled(element);
  if (off) return { state: 'refused', reason: off };
  if (element.webkitdirectory) return { state: 'never', reason: 'it takes a folder, which this tool does not give' };
  return { state: 'ready', kind: 'file', multiple: element.multiple, field: numberOf(element) };
}


// ---- scrolling ---------------------------------------------------------------------------

const scrolls = (element, x, y) => {
  const style = getComputedStyle(element);
  const free = (overflow) => element === document.scrollingElement || /auto|scroll/.test(overflow);
  return (x && free(style.overflowX) && element.scrollWidth > element.clientWidth) || (y && free(style.overflowY) && element.scrollHeight > element.clientHeight);
};

const whereScrolled = (element) => ({ x: Math.round(element.scrollLeft), y: Math.round(element.scrollTop), width: element.scrollWidth, height: element.scrollHeight, viewWidth: element.clientWidth, viewHeight: element.clientHeight });

let scrolledLast = null;

// Scrolls the nearest thing around an element that scrolls that way.
async function scroll(from, x, y) {
  let scroller = ancestors(from).find((element) => scrolls(element, x, y));
  scroller ||= scrolls(document.scrollingElement || document.documentElement, x, y) ? document.scrollingElement : null;
  if (!scroller) return null;
  scrolledLast = scroller;
  const before = whereScrolled(scroller);
  scroller.scrollBy({ left: x, top: y, behavior: 'instant' });
  await frame();
  await frame();
  return { before, after: whereScrolled(scroller), scroller: scroller === document.scrollingElement ? '' : describe(scroller) };
}

async function show(element) {
  const hidden = invisibility(element);
  if (hidden) return { state: 'refused', reason: hidden };
  reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
  await frame();
  const box = rectOf(element);
  const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  return inside ? { state: 'ready', y: scrollY } : { state: 'refused', reason: 'it cannot be scrolled into view' };
}
