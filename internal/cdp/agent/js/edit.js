// ---- editing -------------------------------------------------------------------

const setKinds = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'range', 'color']);
const notTyped = new Map([
  ['checkbox', 'a checkbox: use browser_click'], ['radio', 'a radio button: use browser_click'],
  ['button', 'a button: use browser_click'], ['submit', 'a button: use browser_click'], ['reset', 'a button: use browser_click'],
  ['image', 'a button: use browser_click'], ['file', 'a file input: use browser_upload_file'], ['hidden', 'a hidden input'],
]);

const valueOf = (element) => (editableText(element) ? shownIn(element) : element.value);

const fields = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]';

// The field that is meant by a label, or by an element around the only field.
function fieldOf(element) {
  if (matches(element, fields) || editableText(element)) return element;
  if (tagOf(element) === 'label' && element.control) return element.control;
  const inner = rootsOf(element).flatMap((root) => [...queryAll(root, fields)]).filter((field) => field.type !== 'hidden' && !invisibility(field));
  return inner.length === 1 ? inner[0] : element;
}

const toldList = ': click it to open its list, then click the option';

// A list of choices that the page draws itself.
const isList = (element) => roleOf(element) === 'combobox' || Boolean(shadowOf(element) && queryAll(shadowOf(element), '[role=combobox]').length);

function uneditable(element) {
  if (editableText(element)) return '';
  if (tagOf(element) === 'select') return 'it is a <select>: use browser_select_option';
  if (tagOf(element) !== 'input' && tagOf(element) !== 'textarea') return isList(element) ? `it is a list of the page's own${toldList}` : 'it is not an editable element';
  if (notTyped.has(element.type)) return `it is ${notTyped.get(element.type)}`;
  return '';
}

function activeElement() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

// Focuses the element; why it has not got the focus, if so.
function unfocused(element) {
  focusOn(element);
  const active = activeElement();
  return active === element || within(active, element) ? '' : `it does not take the focus (${describe(active)} has it)`;
}

function select(element, everything) {
  if (editableText(element)) {
    const range = document.createRange();
    range.selectNodeContents(element);
    if (!everything) range.collapse(false);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return;
  }
  if (everything) return element.select();
  try { element.setSelectionRange(element.value.length, element.value.length); } catch { /* number and email have no caret */ }
}

// Puts the caret, and waits until an editor could hear of it: else the next key
// goes to where the editor thinks that its caret is.
async function place(element, everything) {
  if (!editableText(element)) return select(element, everything);
  const heard = new Promise((resolve) => document.addEventListener('selectionchange', resolve, { once: true }));
  select(element, everything);
  await Promise.race([heard, pause(50)]);
}

function setValue(element, text) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element, text);
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

let edited = null;

async function edit(found, options) {
  const element = fieldOf(found);
  const never = uneditable(element);
  if (never) return { state: 'never', reason: never };
  const why = invisibility(element) || disabled(element) || (element.readOnly ? 'it is read-only' : '');
  if (why) return { state: 'refused', reason: why };
  if (!points(element).length) reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
  const before = valueOf(element);
  edited = element;
  if (tagOf(element) === 'input' && setKinds.has(element.type)) {
    focusOn(element);
    setValue(element, options.text);
    return { state: 'ready', set: true, kind: element.type, before };
  }
  const fresh = activeElement() !== element;
  const lost = unfocused(element);
  if (lost) return { state: 'refused', reason: lost };
  // What a page does at the focus often waits for a timer, and would move the
  // caret between the first keys.
  if (fresh) await turn();
  await place(element, options.clear);
  return { state: 'ready', kind: editableText(element) ? 'rich' : element.type, before };
}

// What the field holds that was edited last, once the page has seen the last key.
async function heldNow() {
  await turn();
  return (edited && connected(edited)) ? { value: valueOf(edited) } : { gone: true };
}
