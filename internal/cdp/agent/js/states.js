// ---- states ----------------------------------------------------------------

const popups = new Set(['menu', 'listbox', 'tree', 'grid', 'dialog']);
const currents = new Set(['page', 'step', 'location', 'date', 'time']);
const checkables = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);
const formTags = new Set(['button', 'fieldset', 'input', 'optgroup', 'option', 'select', 'textarea']);

// What an element is at the moment, as short words; only what holds.
function statesOf(element, role = roleOf(element)) {
  const tag = tagOf(element);
  const states = [];
  const told = attributeNames(element).some((name) => name.startsWith('aria-'));
  const aria = (name) => (told ? attribute(element, `aria-${name}`) : null);
  const isInput = tag === 'input';

  if (isInput && (element.type === 'checkbox' || element.type === 'radio')) {
    if (element.indeterminate && element.type === 'checkbox') states.push('checked=mixed');
    else if (element.checked) states.push('checked');
  } else if (checkables.has(role)) {
    const checked = aria('checked');
    if (checked === 'true') states.push('checked');
    else if (checked === 'mixed') states.push('checked=mixed');
  }
  if (formTags.has(tag) && matches(element, ':disabled') || closest(element, '[aria-disabled=true]') && (focusable(element) || aria('disabled') === 'true')) states.push('disabled');

  const open = expansion(element, tag);
  if (open !== null) states.push(open ? 'expanded' : 'collapsed');
  const pressed = role === 'button' ? aria('pressed') : null;
  if (pressed === 'true') states.push('pressed');
  else if (pressed === 'mixed') states.push('pressed=mixed');
  if (tag === 'option' ? element.selected : aria('selected') === 'true') states.push('selected');

  if ((isInput || tag === 'select' || tag === 'textarea') && element.required || aria('required') === 'true') states.push('required');
  const invalid = aria('invalid');
  if (invalid && invalid !== 'false') states.push('invalid');
  if ((isInput || tag === 'textarea') && element.readOnly || aria('readonly') === 'true') states.push('readonly');

  const level = role === 'heading' || role === 'treeitem' || role === 'listitem' || role === 'row' ? Number(aria('level')) || headingLevel(tag, role) : 0;
  if (level > 0) states.push(`level=${Math.trunc(level)}`);
  const current = aria('current');
  if (current && current !== 'false') states.push(currents.has(current) ? `current=${current}` : 'current');
  if (tag === 'select' ? element.multiple : aria('multiselectable') === 'true') states.push('multiselectable');
  const popup = aria('haspopup');
  if (popup && popup !== 'false') states.push(`haspopup=${popups.has(popup) ? popup : 'menu'}`);
  if (tag === 'dialog' ? matches(element, ':modal') || aria('modal') === 'true' : aria('modal') === 'true') states.push('modal');
  if (aria('busy') === 'true') states.push('busy');
  if (!fieldRoles.has(role) && hasAttribute(element, 'contenteditable') && editableText(element)) states.push('editable');
  return states;
}

const headingLevel = (tag, role) => (role !== 'heading' ? 0 : /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2);

// Whether what opens and closes is open, null for what does not. Of a select it
// would always be said that it is closed.
function expansion(element, tag) {
  if (tag === 'details') return element.open;
  if (tag === 'summary') {
    const parent = parentNodeOf(element);
    if (parent instanceof HTMLDetailsElement) return parent.open;
  }
  if (hasAttribute(element, 'popovertarget')) {
    const popover = propertyOf(element, 'popoverTargetElement');
    if (popover && popover.popover === 'auto') return matches(popover, ':popover-open');
  }
  const expanded = attribute(element, 'aria-expanded');
  return expanded === 'true' ? true : expanded === 'false' ? false : null;
}
