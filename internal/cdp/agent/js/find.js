// ---- finding: the steps of a selector, as package selector gives them -------

// What is seen of an element: its text with that of shadow roots and slots, and
// without what is never shown.
const unseen = new Set(['script', 'style', 'noscript', 'template', 'head', 'title']);

function shownText(element) {
  if (isButton(element)) return element.value;
  const parts = [];
  const stack = [element];
  while (stack.length) {
    const node = stack.pop();
    if (node.nodeType === Node.TEXT_NODE) { parts.push(node.data); continue; }
    if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE && node.nodeType !== Node.DOCUMENT_NODE) continue;
    if (unseen.has(node.localName)) continue;
    if (node.localName === 'br') { parts.push(' '); continue; }
    if (node !== element && isButton(node)) { parts.push(' ', node.value, ' '); continue; }
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
  }
  return parts.join('');
}

function childrenOf(node) {
  if (node.localName === 'slot') {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return (node.shadowRoot || node).childNodes;
}

const wordsOf = (element) => normal(shownText(element));

const finders = {
  handle: (step) => {
    const element = elementOf(step.index);
    return element?.isConnected ? [element] : [];
  },

  css(step, scope) {
    const roots = rootsOf(scope);
    if (step.plain && roots.length === 1) return [...scope.querySelectorAll(step.plain)];
    const found = [];
    for (const complex of step.list) {
      const last = complex.at(-1);
      for (const root of roots) {
        for (const element of root.querySelectorAll(last.css)) {
          if (fits(element, last) && precedes(element, complex, complex.length - 1)) found.push(element);
        }
      }
    }
    return found;
  },

  xpath(step, scope) {
    // Within another match an absolute path means what lies below it.
    const path = scope === document ? step.xpath : step.xpath.replace(/^(\(*)\/\//, '$1.//');
    const result = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const found = [];
    for (let i = 0; i < result.snapshotLength; i++) {
      const node = result.snapshotItem(i);
      if (node.nodeType === Node.ELEMENT_NODE) found.push(node);
    }
    return found;
  },

  // The smallest elements that hold the text.
  text(step, scope) {
    const wanted = step.text.exact ? step.text.value : step.text.value.toLowerCase();
    const holding = [];
    const stack = [scope === document ? document.documentElement : scope];
    while (stack.length) {
      const element = stack.pop();
      if (!element || unseen.has(element.localName)) continue;
      const own = wordsOf(element);
      if (!(step.text.exact ? own : own.toLowerCase()).includes(wanted)) continue; // nor has anything in it
      if (element !== scope && (!step.text.exact || own === wanted)) holding.push(element);
      const children = childrenOf(element);
      for (let i = children.length - 1; i >= 0; i--) if (children[i].nodeType === Node.ELEMENT_NODE) stack.push(children[i]);
    }
    return holding.filter((element, i) => !(i + 1 < holding.length && within(holding[i + 1], element)));
  },

  role(step, scope) {
    const { name, states, hidden } = step.role;
    const role = sameRoles[step.role.role] || step.role.role;
    const found = [];
    for (const root of rootsOf(scope)) {
      for (const element of root.querySelectorAll('*')) {
        if (roleOf(element) !== role) continue;
        if (!hidden && hiddenFromNames(element)) continue;
        if (name && !named(element, name)) continue;
        if (states && !holds(element, states)) continue;
        found.push(element);
      }
    }
    return found;
  },
};

const sameRoles = { image: 'img', presentation: 'none' };

function named(element, { value, exact }) {
  const name = nameOf(element).toLowerCase(), wanted = value.toLowerCase();
  return exact ? name === wanted : name.includes(wanted);
}

function holds(element, states) {
  const own = new Map(statesOf(element).map((state) => {
    const [key, value = 'true'] = state.split('=');
    return key === 'collapsed' ? ['expanded', 'false'] : [key, value];
  }));
  return Object.entries(states).every(([key, value]) => (own.get(key) ?? 'false') === value);
}

function fits(element, compound) {
  return (compound.has_text || []).every((text) => wordsOf(element).toLowerCase().includes(text.toLowerCase()))
    && !(compound.visible && invisibility(element));
}

const ancestorOf = (element) => element.parentElement || element.parentNode?.host;

// Whether what stands before a compound holds for an element that fits it, also
// across the borders of shadow roots.
function precedes(element, complex, at) {
  if (at === 0) return true;
  const before = complex[at - 1];
  const good = (other) => other.matches(before.css) && fits(other, before) && precedes(other, complex, at - 1);
  switch (complex[at].combinator) {
    case '>': { const parent = ancestorOf(element); return Boolean(parent && good(parent)); }
    case '+': return Boolean(element.previousElementSibling && good(element.previousElementSibling));
    case '~':
      for (let other = element.previousElementSibling; other; other = other.previousElementSibling) if (good(other)) return true;
      return false;
    default:
      for (let other = ancestorOf(element); other; other = ancestorOf(other)) if (good(other)) return true;
      return false;
  }
}

// In the order of the page; matches inside shadow roots stand at their host.
function ordered(elements) {
  const unique = [...new Set(elements)];
  if (unique.length < 2 || unique.every((element) => element.getRootNode() === document)) {
    return unique.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }
  const wanted = new Set(unique);
  const sorted = [];
  const stack = [document.documentElement];
  while (stack.length) {
    const element = stack.pop();
    if (wanted.has(element)) sorted.push(element);
    const children = [...(element.shadowRoot ? element.shadowRoot.children : []), ...element.children];
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
  }
  return sorted;
}

// Follows the steps. Where they enter a frame, the frame's element is given and
// the step with which to go on in its document.
function resolve(steps) {
  let scopes = [document];
  let found = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'nth') {
      const one = found.at(step.index);
      found = one ? [one] : [];
    } else {
      found = scopes.flatMap((scope) => finders[step.kind](step, scope));
      if (scopes.length > 1 || step.list?.length > 1 || found.some((element) => element.getRootNode() !== document)) found = ordered(found);
    }
    if (!found.length) return { found, at: i };
    const next = steps[i + 1];
    if (next && next.kind !== 'nth') {
      const first = firstVisible(found);
      if (isFrame(found[first])) return { found, frame: found[first], index: first, at: i + 1 };
      scopes = found;
    }
  }
  return { found, at: steps.length };
}

const firstVisible = (found) => Math.max(found.findIndex((element) => !invisibility(element)), 0);

// ---- what is near when nothing matches ---------------------------------------

// The words of the step that matched nothing are compared with ids, classes,
// names and texts of the page.
function near(steps, at) {
  const step = steps[at] || steps.at(-1);
  const sought = step.text?.value || step.role?.name?.value || step.list?.flatMap((complex) => complex.map((c) => [c.css, ...(c.has_text || [])].join(' '))).join(' ') || step.xpath || '';
  const words = sought.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) || [];
  const alike = (text) => { const own = text.toLowerCase(); return words.some((word) => own.includes(word) || (own.length > 1 && word.includes(own))); };
  const close = new Set();
  const until = performance.now() + 200;
  for (const root of rootsOf(document)) {
    for (const element of root.querySelectorAll('*')) {
      if (close.size >= 20 || performance.now() > until) break;
      if (unseen.has(element.localName)) continue;
      if (step.kind === 'role') {
        if (roleOf(element) === step.role.role && !hiddenFromNames(element)) close.add(`${step.role.role} "${clip(nameOf(element), 60)}"`);
        continue;
      }
      if (element.id && alike(element.id)) close.add(`#${clip(element.id, 60)}`);
      for (const name of element.classList) if (alike(name)) close.add(`.${clip(name, 60)}`);
      for (const key of ['name', 'data-testid']) {
        const value = element.getAttribute(key);
        if (value && alike(value)) close.add(`[${key}="${clip(value, 60)}"]`);
      }
      if (!element.childElementCount || isButton(element)) {
        const text = wordsOf(element);
        if (text && text.length < 80 && alike(text)) close.add(`text="${text}"`);
      }
    }
  }
  const rank = (item) => words.filter((word) => item.toLowerCase().includes(word)).length;
  return [...close].sort((a, b) => rank(b) - rank(a)).slice(0, 5);
}

// The frames of the document, each with a selector that finds it.
function frames() {
  const all = rootsOf(document).flatMap((root) => [...root.querySelectorAll('iframe, frame, object, embed')]);
  return all.slice(0, 50).map((element, i) => ({ id: numberOf(element), selector: selectorOfFrame(element, i) }));
}

function selectorOfFrame(element, i) {
  const own = element.localName;
  if (element.id && document.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1) return `#${CSS.escape(element.id)}`;
  const name = element.getAttribute('name');
  if (name && !/["\\]/.test(name)) return `${own}[name="${name}"]`;
  return `iframe, frame, object, embed >> nth=${i}`.replace(/^iframe, frame, object, embed/, document.querySelectorAll('frame, object, embed').length ? 'iframe, frame, object, embed' : 'iframe');
}
