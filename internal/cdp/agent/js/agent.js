// ---- what the server calls --------------------------------------------------------

globalThis.agent = {
  page: () => ({ title: documentTitle(), url: location.href }),

  stop: (call) => { stopped.add(call); },

  element: (id) => elementOf(id),

  frames,
  count: (steps) => { try { return resolve(steps).found.length; } catch { return 0; } },
  painted: frame,
  seenIn(steps) {
    const seen = resolve(steps).found.some((element) => !invisibility(element) && !clippedAway(element) && showsText(element));
    return { seen, frames: seen ? [] : shownFrames() };
  },
  through: (id, x, y) => through(elementOf(id), x, y),
  outside: (id, x, y) => outside(elementOf(id), x, y),
  frameHidden: (id) => frameHidden(elementOf(id)),
  pointed,
  settle,

  outline,
  search,
  inspect,
  extract,

  choose: (steps, options) => until(steps, options, (element) => choose(element, options)),
  chosen,
  plan: (steps, options) => until(steps, options, async (element) => plan(element, options)),
  submitter,
  wasSubmitted,
  valueNow: (id) => { const element = elementOf(id); return element && connected(element) && element.type !== 'password' ? clip(valueOf(element), 1000) : null; },
  checkedNow,
  fileField: (steps, options) => until(steps, options, async (element) => fileField(element)),
  inView: (id) => { const element = elementOf(id); return Boolean(element && connected(element) && inView({ element })); },

  show: (steps, options) => until(steps, options, show),
  scrolledTo: () => scrolledLast && whereScrolled(scrolledLast),
  scroll: (id, x, y) => scroll(id ? elementOf(id) : document.documentElement, x, y),
  expectDrag,
  dragging,
  dropped,
  releasedOver,

  present: (steps, options) => until(steps, options, async () => ({ state: 'ready' })),

  reach: (steps, options) => until(steps, options, async (element, first) => {
    const way = await reach(element, options, !first);
    if (way.state === 'ready') watchFor(element, options.final, way.x, way.y);
    return way;
  }),

  edit: (steps, options) => until(steps, options, (element) => edit(element, options)),

  edited: heldNow,

  focus: (steps, options) => until(steps, options, async (element) => {
    const fresh = activeElement() !== element;
    const why = invisibility(element) || disabled(element) || unfocused(element);
    if (fresh && !why) await turn();
    return why ? { state: 'refused', reason: why } : { state: 'ready' };
  }),

  waitFor: (steps, options) => until(steps, { ...options, wait: true }, async (element) => {
    if (options.gone) return { state: invisibility(element) ? 'ready' : 'refused', reason: 'it is still there and visible' };
    const hidden = options.visible ? invisibility(element) : '';
    return hidden ? { state: 'refused', reason: hidden } : { state: 'ready' };
  }),

  box: (steps, options) => until(steps, options, async (element) => {
    const hidden = invisibility(element);
    if (hidden) return { state: 'refused', reason: hidden };
    if (!points(element).length || options.nested) reveal(element, { block: 'center', inline: 'center', behavior: 'instant' });
    if (!await stable(element)) return { state: 'moving', reason: 'it is still moving' };
    const box = rectOf(element);
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return { state: 'refused', reason: 'it lies outside of the page, which no picture shows' };
    const way = target(element);
    return { state: 'ready', reason: way.reason || '', x: box.x, y: box.y, width: box.width, height: box.height, scrollX, scrollY };
  }),
};
