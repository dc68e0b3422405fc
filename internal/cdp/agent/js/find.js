// ---- finding: the steps of a selector, as package selector gives them -------

// What is seen of an element: its text with that of shadow roots and slots, and
// without what is never shown.
const unseen = new Set(['script', 'style', 'noscript', 'template', 'head', 'title']);

const ownVisibility = { visibilityProperty: true };

const gap = document.createTextNode(' '); // between the blocks of a text

function shownText(element, told = () => true) {
  if (isButton(element)) return element.value;
  const parts = [];
  const stack = [element];
  while (stack.length) {
    const node = stack.pop();
    if (node instanceof Text) { parts.push(node.data); continue; }
    if (!(node instanceof Element)) continue;
    if (unseen.has(tagOf(node)) || !told(node)) continue;
    const apart = !inlineTags.has(tagOf(node));
    if (apart) parts.push(' ');
    if (tagOf(node) === 'br') continue;
    if (node !== element && isButton(node)) { parts.push(' ', node.value, ' '); continue; }
    if (apart) stack.push(gap);
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
  }
  return parts.join('');
}

function childrenOf(node) {
  if (node instanceof Element && tagOf(node) === 'slot') {
    const assigned = assignedTo(node);
    if (assigned.length) return assigned;
  }
  return childNodesOf(shadowOf(node) || node);
}

const isFolded = (element) => tagOf(element) === 'details' && !element.open;
const hasWords = (element) => [...childNodesOf(element)].some((node) => node instanceof Text && /\S/.test(node.data));

// Whether an element that is seen shows nothing of what it holds, as with
// hidden="until-found". On a line of text, and on a row, the style has no effect.
const skipsContent = ({ contentVisibility, display }) => contentVisibility === 'hidden' && !/^(inline|contents|ruby.*|table-(row|column|header|footer).*)$/.test(display);

// What they hold is for browsers that cannot show them.
const fallbacks = new Set(['audio', 'canvas', 'video']);

// Whether text in an element that is seen is seen too. Elements in it tell that
// themselves.
function paintsText(element) {
  if (fallbacks.has(tagOf(element))) return false;
  const holder = tagOf(element) === 'slot' ? ancestors(element).find((node) => tagOf(node) !== 'slot') : element;
  const style = getComputedStyle(holder);
  return !skipsContent(style) && parseFloat(style.fontSize) !== 0;
}

const showsText = (element) => !isFolded(element) && (hasWords(element) ? paintsText(element) : !skipsContent(getComputedStyle(element)));

const wordsOf = (element) => normal(shownText(element));
// Without what is hidden in it, which takes longer to tell.
const seenWordsOf = (element) => normal(shownText(element, (node) => checkVisibility(node, ownVisibility) || boxless(node, tagOf(node))));

const finders = {
  handle: (step) => {
    const element = elementOf(step.index);
    return (element && connected(element)) ? [element] : [];
  },

  css(step, scope) {
    const roots = rootsOf(scope);
    if (step.plain && roots.length === 1) return [...queryAll(scope, step.plain)];
    const found = [];
    for (const complex of step.list) {
      const last = complex.at(-1);
      for (const root of roots) {
        for (const element of queryAll(root, last.css)) {
          if (fits(element, last) && precedes(element, complex, complex.length - 1)) found.push(element);
        }
      }
    }
    return found;
  },

  xpath(step, scope) {
    // Within another match an absolute path means what lies below it.
    const path = scope === document ? step.xpath : step.xpath.replace(/^(\(*)\/\//, '$1.//');
    let result;
    try { result = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null); } catch (error) {
      throw new DOMException(error instanceof TypeError ? `'${path}' gives a value, and no elements` : error.message, 'SyntaxError');
    }
    const found = [];
    for (let i = 0; i < result.snapshotLength; i++) {
      const node = result.snapshotItem(i);
      if (node instanceof Element) found.push(node);
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
      if (!element || unseen.has(tagOf(element))) continue;
      const own = wordsOf(element);
      if (!(step.text.exact ? own : own.toLowerCase()).includes(wanted)) continue; // nor has anything in it
      if (element !== scope && (!step.text.exact || own === wanted)) holding.push(element);
      const children = childrenOf(element);
      for (let i = children.length - 1; i >= 0; i--) if (children[i] instanceof Element) stack.push(children[i]);
    }
    return holding.filter((element, i) => !(i + 1 < holding.length && within(holding[i + 1], element)));
  },

  role(step, scope) {
    const { name, states, hidden } = step.role;
    const role = sameRoles[step.role.role] || step.role.role;
    const found = [];
    for (const root of rootsOf(scope)) {
      for (const element of queryAll(root, '*')) {
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

function ancestorOf(element) {
  const parent = parentNodeOf(element);
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

// Whether what stands before a compound holds for an element that fits it, also
// across the borders of shadow roots.
function precedes(element, complex, at) {
  if (at === 0) return true;
  const before = complex[at - 1];
  const good = (other) => matches(other, before.css) && fits(other, before) && precedes(other, complex, at - 1);
  switch (complex[at].combinator) {
    case '>': { const parent = ancestorOf(element); return Boolean(parent && good(parent)); }
    case '+': return Boolean(previousOf(element) && good(previousOf(element)));
    case '~':
      for (let other = previousOf(element); other; other = previousOf(other)) if (good(other)) return true;
      return false;
    default:
      for (let other = ancestorOf(element); other; other = ancestorOf(other)) if (good(other)) return true;
      return false;
  }
}

// In the order of the page; matches inside shadow roots stand at their host.
function ordered(elements) {
  const unique = [...new Set(elements)];
  if (unique.length < 2 || unique.every((element) => rootOf(element) === document)) {
    return unique.sort((a, b) => (precedence(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }
  const wanted = new Set(unique);
  const sorted = [];
  const stack = [document.documentElement];
  while (stack.length) {
    const element = stack.pop();
    if (wanted.has(element)) sorted.push(element);
    const children = [...(shadowOf(element) ? elementsOf(shadowOf(element)) : []), ...elementsOf(element)];
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
      if (scopes.length > 1 || step.list?.length > 1 || found.some((element) => rootOf(element) !== document)) found = ordered(found);
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

const allOf = (selector) => rootsOf(document).flatMap((root) => [...queryAll(root, selector)]);

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
    for (const element of queryAll(root, '*')) {
      if (close.size >= 20 || performance.now() > until) break;
      if (unseen.has(tagOf(element))) continue;
      if (step.kind === 'role') {
        if (roleOf(element) === step.role.role && !hiddenFromNames(element)) close.add(`${step.role.role} "${clip(nameOf(element), 60)}"`);
        continue;
      }
      const id = attribute(element, 'id');
      if (id && alike(id)) close.add(`#${clip(id, 60)}`);
      for (const name of classesOf(element)) if (alike(name)) close.add(`.${clip(name, 60)}`);
      for (const key of ['name', 'data-testid']) {
        const value = attribute(element, key);
        if (value && alike(value)) close.add(`[${key}="${clip(value, 60)}"]`);
      }
      if (!elementsOf(element).length || isButton(element)) {
        const text = wordsOf(element);
        if (text && text.length < 80 && alike(text)) close.add(`text="${text}"`);
      }
    }
  }
  const rank = (item) => words.filter((word) => item.toLowerCase().includes(word)).length;
  return [...close].sort((a, b) => rank(b) - rank(a)).slice(0, 5);
}

const maxFrames = 1000; // Chrome shows no more in a page

// The frames of the document, each with a selector that finds it.
function frames() {
  const all = rootsOf(document).flatMap((root) => [...queryAll(root, 'iframe, frame, object, embed')]);
  const kinds = all.every((element) => tagOf(element) === 'iframe') ? 'iframe' : 'iframe, frame, object, embed';
  const list = [];
  for (const [i, element] of all.entries()) {
    if (element.contentWindow === null || list.length === maxFrames) continue; // it shows no document
    list.push({ id: numberOf(element), selector: selectorOfFrame(element) || `${kinds} >> nth=${i}` });
  }
  return list;
}

const shownFrames = () => frames().filter(({ id }) => !invisibility(elementOf(id)));

const maxSelector = 200; // characters

function selectorOfFrame(element) {
  const id = attribute(element, 'id');
  if (id && id.length <= maxSelector && queryAll(document, `#${CSS.escape(id)}`).length === 1) return `#${CSS.escape(id)}`;
  const name = attribute(element, 'name');
  return name && name.length <= maxSelector && !/["\\]/.test(name) ? `${tagOf(element)}[name="${name}"]` : '';
}
