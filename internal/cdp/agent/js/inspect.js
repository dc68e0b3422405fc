// ---- the properties of an element ---------------------------------------------------

const checkable = (element) => matches(element, 'input[type=checkbox], input[type=radio]') || /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option)$/.test(roleOf(element));

function checkedness(element) {
  if (propertyOf(element, 'indeterminate') === true) return 'mixed';
  for (const name of ['checked', 'selected']) {
    const own = propertyOf(element, name);
    if (typeof own === 'boolean') return own;
  }
  const said = attribute(element, 'aria-checked') ?? attribute(element, 'aria-selected');
  return said === 'mixed' ? said : said === 'true';
}

// All that can be asked of what a selector finds; count is 0 and nothing else is
// told when it finds nothing.
function inspect(steps, { attribute: asked, style }) {
  let result;
  try { result = resolve(steps); } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return { state: 'invalid', reason: error.message };
    throw error;
  }
  const { found, frame: inside, at } = result;
  if (inside) return { state: 'frame', id: numberOf(inside), at };
  const index = firstVisible(found);
  const element = found[index];
  if (!element) return { state: 'ready', count: 0 };
  const box = rectOf(element);
  const why = invisibility(element);
  const secret = propertyOf(element, 'type') === 'password';
  const properties = {
    count: found.length, index, element: describe(element),
    visibleCount: found.filter((one) => !invisibility(one)).length,
    visible: !why, hidden: why, enabled: !disabled(element), disabled: disabled(element), editable: !uneditable(element) && !propertyOf(element, 'readOnly'),
    focused: activeElement() === element, checkable: checkable(element), checked: checkable(element) ? checkedness(element) : false,
    role: roleOf(element), name: nameOf(element), text: normal(shownIn(element)).slice(0, 100000),
    box: [box.x, box.y, box.width, box.height].map((n) => Math.round(n * 10) / 10),
    inView: box.width * box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
  };
  if (controls.has(tagOf(element))) properties.value = secret ? (element.value ? '••••' : '') : tagOf(element) === 'select' && element.multiple ? chosenIn(element).map((o) => o.value).join(', ') : element.value;
  else if (editableText(element)) properties.value = innerTextOf(element);
  if (asked) properties.attribute = secret && asked === 'value' ? '••••' : attribute(element, asked);
  if (style) properties.style = getComputedStyle(element).getPropertyValue(style);
  return { state: 'ready', count: found.length, told: properties };
}
