// The agent lives in an isolated world of every document: it sees the page's
// DOM but not its scripts' objects, so that no page can lie to it. The server
// calls its functions by name; each answers with plain data.
(() => {
  if (globalThis.agent) return;

  const frame = () => new Promise((resolve) => {
    // A tab that is not painted has no frames; the timer stands in.
    const timer = setTimeout(resolve, 50);
    requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
  });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  // ---- finding -------------------------------------------------------------

  // Elements that match a CSS selector, also below open shadow roots.
  function all(selector, root = document) {
    const found = [...root.querySelectorAll(selector)];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.shadowRoot) found.push(...all(selector, node.shadowRoot));
    }
    return found;
  }

  function invisibility(element) {
    const style = getComputedStyle(element);
    if (style.display === 'none') return 'it has display: none';
    if (!rects(element).length) return 'it is not rendered (an ancestor hides it)';
    if (style.visibility !== 'visible') return `it has visibility: ${style.visibility}`;
    if (!boxes(element).length) return 'its size is zero';
    return '';
  }

  function rects(element) {
    if (getComputedStyle(element).display !== 'contents') return [...element.getClientRects()];
    const range = document.createRange(); // it has no box of its own, but its content has
    range.selectNodeContents(element);
    return [...range.getClientRects()];
  }

  const boxes = (element) => rects(element).filter((box) => box.width * box.height >= 1);

  // The first visible match, else the first.
  function pick(selector) {
    const found = all(selector);
    const index = found.findIndex((element) => !invisibility(element));
    return { element: found[Math.max(index, 0)], count: found.length, index: Math.max(index, 0) };
  }

  function describe(element) {
    if (!element) return 'nothing';
    const name = element.localName
      + (element.id ? `#${element.id}` : '')
      + [...element.classList].slice(0, 3).map((c) => `.${c}`).join('');
    const text = (element.getAttribute('aria-label') || element.innerText || element.value || '').trim().replace(/\s+/g, ' ');
    const secret = element.type === 'password';
    return `<${name}>` + (text && !secret ? ` "${text.length > 40 ? text.slice(0, 40) + '…' : text}"` : '');
  }

  // What is near a selector that matches nothing: ids and classes alike.
  function near(selector) {
    const words = selector.toLowerCase().match(/[a-z0-9_]{3,}/g) || [];
    const close = [];
    for (const element of document.querySelectorAll('[id], [class], [name]')) {
      for (const own of [element.id && `#${element.id}`, element.getAttribute('name') && `[name="${element.getAttribute('name')}"]`, ...[...element.classList].map((c) => `.${c}`)]) {
        if (own && words.some((word) => own.toLowerCase().includes(word) || word.includes(own.slice(1).toLowerCase()))) close.push(own);
      }
      if (close.length > 20) break;
    }
    return { close: [...new Set(close)].slice(0, 5), frames: document.querySelectorAll('iframe, frame').length };
  }

  // ---- actionability -------------------------------------------------------

  const parentOf = (node) => node.assignedSlot || node.parentNode || node.host;

  function within(node, ancestor) {
    for (; node; node = parentOf(node)) if (node === ancestor) return true;
    return false;
  }

  function hitAt(x, y) {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  }

  function receives(element, hit) {
    if (!hit) return false;
    if (within(hit, element)) return true;
    const label = hit.closest('label');
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
    if (element.matches(':disabled')) return element.closest('fieldset:disabled') && !element.disabled ? 'it is in a disabled fieldset' : 'it is disabled';
    if (element.closest('[aria-disabled="true"]')) return 'it has aria-disabled="true"';
    return '';
  }

  // A point where the element receives events, or why there is none.
  function target(element, position) {
    if (position) {
      const box = boxes(element)[0] || element.getBoundingClientRect();
      const point = { x: box.left + position[0], y: box.top + position[1] };
      const hit = hitAt(point.x, point.y);
      return receives(element, hit) ? { point } : { reason: `position ${position} is ${hit ? `covered by ${describe(hit)}` : 'outside of the viewport'}` };
    }
    let cover = null;
    const candidates = points(element);
    for (const point of candidates) {
      const hit = hitAt(point.x, point.y);
      if (receives(element, hit)) return { point };
      cover ||= hit;
    }
    if (!candidates.length) return { reason: 'it is outside of the viewport and cannot be scrolled into view' };
    if (getComputedStyle(element).pointerEvents === 'none') return { reason: 'it has pointer-events: none' };
    if (element.closest('[inert]')) return { reason: 'it is inert' };
    if (cover && within(element, cover)) return { reason: `it is clipped away by ${describe(clipper(element) || cover)}` };
    return { reason: `it is covered by ${describe(cover)}` };
  }

  const clipper = (element) => {
    for (let node = parentOf(element); node instanceof Element; node = parentOf(node)) if (getComputedStyle(node).overflow !== 'visible') return node;
    return null;
  };

  async function stable(element) {
    const before = element.getBoundingClientRect();
    await frame();
    const after = element.getBoundingClientRect();
    return before.x === after.x && before.y === after.y && before.width === after.width && before.height === after.height;
  }

  // Tries until the deadline; a missing element is told at once unless waited for.
  async function until(selector, { wait, gone, timeout, call }, attempt) {
    const deadline = performance.now() + timeout;
    for (let first = true; ; first = false) {
      let result;
      try {
        const { element, count, index } = pick(selector);
        if (!element && gone) result = { state: 'ready', count };
        else if (!element) result = { state: 'missing', ...(!wait || performance.now() >= deadline ? near(selector) : {}) };
        else result = { ...await attempt(element, first), count, index, element: describe(element) };
      } catch (error) {
        if (error instanceof DOMException && error.name === 'SyntaxError') return { state: 'invalid', reason: error.message };
        throw error;
      }
      if (result.state === 'ready' || result.state === 'never' || (result.state === 'missing' && !wait) || performance.now() >= deadline || stopped.has(call)) {
        stopped.delete(call);
        return result;
      }
      await pause(result.state === 'moving' ? 0 : 30);
    }
  }

  const stopped = new Set();

  const wayOfScrolling = ['center', 'end', 'start'];

  async function reach(element, position, again) {
    const hidden = invisibility(element);
    if (hidden) return { state: 'refused', reason: hidden };
    const off = disabled(element);
    if (off) return { state: 'refused', reason: off };
    if (!points(element).length || again) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    if (!await stable(element)) return { state: 'moving', reason: 'it is still moving' };
    let way;
    for (const block of [null, ...wayOfScrolling]) {
      if (block) element.scrollIntoView({ block, inline: 'center', behavior: 'instant' });
      way = target(element, position);
      if (way.point) return { state: 'ready', ...way.point };
    }
    return { state: 'refused', reason: way.reason };
  }

  // ---- editing -------------------------------------------------------------

  const setKinds = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'range', 'color']);
  const notTyped = new Map([
    ['checkbox', 'a checkbox: use browser_click'], ['radio', 'a radio button: use browser_click'],
    ['button', 'a button: use browser_click'], ['submit', 'a button: use browser_click'], ['reset', 'a button: use browser_click'],
    ['image', 'a button: use browser_click'], ['file', 'a file input, which takes no text'], ['hidden', 'a hidden input'],
  ]);

  const valueOf = (element) => (element.isContentEditable ? element.innerText : element.value);

  function uneditable(element) {
    if (element.isContentEditable) return '';
    if (element.localName === 'select') return 'it is a <select>: focus it and use browser_press_key, or set it with browser_eval';
    if (element.localName !== 'input' && element.localName !== 'textarea') return 'it is not an editable element';
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
    element.focus({ preventScroll: true });
    const active = activeElement();
    return active === element || within(active, element) ? '' : `it does not take the focus (${describe(active)} has it)`;
  }

  function select(element, everything) {
    if (element.isContentEditable) {
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

  function setValue(element, text) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element, text);
    element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }

  let edited = null;
  let found = null;

  // ---- watching events -----------------------------------------------------

  let watched = null;

  function follow(event) {
    if (!watched || !event.isTrusted) return;
    const path = event.composedPath();
    const arrived = path.includes(watched.element) || receives(watched.element, path[0]);
    watched.seen = true;
    if (arrived) watched.hit = true;
    else watched.other ||= describe(path[0] instanceof Element ? path[0] : null);
    if (arrived && event.type === watched.final) watched.clicks++;
  }

  // Registered before the page's first script, so that none can stop it; and
  // again before each action, because document.open takes it away.
  function followEvents() {
    for (const type of ['pointerdown', 'mousedown', 'click', 'auxclick', 'contextmenu']) {
      window.addEventListener(type, follow, { capture: true, passive: true });
    }
  }
  followEvents();

  // Told at the end of loading, because to ask then would wait for the first paint.
  const tell = globalThis.agentTells;
  if (typeof tell === 'function' && window === window.top) addEventListener('pageshow', () => tell(document.title), { once: true });

  globalThis.agent = {
    page: () => ({ title: document.title, url: location.href }),

    found: () => found,

    present: (selector, options) => until(selector, options, async (element) => { found = element; return { state: 'ready' }; }),

    stop: (call) => { stopped.add(call); },

    reach: (selector, options) => until(selector, options, async (element, first) => {
      const way = await reach(element, options.position, !first);
      if (way.state === 'ready') {
        followEvents();
        // A frame's events stay inside of it.
        const inside = /^(iframe|frame|object|embed|fencedframe)$/.test(hitAt(way.x, way.y)?.localName);
        watched = inside ? null : { element, final: options.final, seen: false, hit: false, clicks: 0, other: '' };
      }
      return way;
    }),

    // Waits for the two frames after an action and tells where it arrived.
    async settle() {
      await frame();
      await frame();
      if (!watched) return { seen: true, hit: true, clicks: -1 };
      const { element, seen, hit, clicks, other } = watched;
      watched = null;
      // A list of options takes the release of the button to itself.
      const own = element.localName === 'select' || element.localName === 'option';
      const why = !element.isConnected ? 'it was removed' : disabled(element) ? 'it was disabled' : 'it moved or was covered';
      return { seen, hit, clicks: own ? -1 : clicks, other, why };
    },

    edit: (selector, options) => until(selector, options, async (element) => {
      const never = uneditable(element);
      if (never) return { state: 'never', reason: never };
      const why = invisibility(element) || disabled(element) || (element.readOnly ? 'it is read-only' : '');
      if (why) return { state: 'refused', reason: why };
      if (!points(element).length) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const before = valueOf(element);
      edited = element;
      if (element.localName === 'input' && setKinds.has(element.type)) {
        element.focus({ preventScroll: true });
        setValue(element, options.text);
        return { state: 'ready', set: true, kind: element.type, before };
      }
      const lost = unfocused(element);
      if (lost) return { state: 'refused', reason: lost };
      select(element, options.clear);
      return { state: 'ready', kind: element.isContentEditable ? 'rich' : element.type, before };
    }),

    edited: () => {
      const gone = !edited || !edited.isConnected;
      return gone ? { gone } : { value: valueOf(edited) };
    },

    focus: (selector, options) => until(selector, options, async (element) => {
      const why = invisibility(element) || disabled(element) || unfocused(element);
      return why ? { state: 'refused', reason: why } : { state: 'ready' };
    }),

    waitFor: (selector, options) => until(selector, { ...options, wait: true }, async (element) => {
      if (options.gone) return { state: invisibility(element) ? 'ready' : 'refused', reason: 'it is still there and visible' };
      const hidden = options.visible ? invisibility(element) : '';
      return hidden ? { state: 'refused', reason: hidden } : { state: 'ready' };
    }),

    box: (selector, options) => until(selector, options, async (element) => {
      const hidden = invisibility(element);
      if (hidden) return { state: 'refused', reason: hidden };
      if (!points(element).length) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      if (!await stable(element)) return { state: 'moving', reason: 'it is still moving' };
      const box = element.getBoundingClientRect();
      if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return { state: 'refused', reason: 'it lies outside of the page, which no picture shows' };
      const way = target(element);
      return { state: 'ready', reason: way.reason || '', x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height };
    }),
  };
})()
