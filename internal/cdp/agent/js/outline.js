// ---- the outline: what a page holds, a line each ---------------------------------

const acted = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'slider',
  'spinbutton', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'tab', 'treeitem']);

// Roles whose name says what they hold, so that their text is not told again.
const toldByName = new Set([...acted, 'heading', 'img', 'columnheader', 'rowheader', 'tooltip', 'progressbar', 'meter', 'separator', 'clickable']);

// Roles that say nothing when they hold one thing only, or nothing that is seen.
const wrappers = new Set(['list', 'listitem', 'group', 'paragraph', 'cell', 'gridcell', 'row', 'rowgroup', 'table', 'section', 'term', 'definition',
  'region', 'article', 'form', 'figure', 'blockquote', 'strong', 'emphasis', 'code', 'time', 'search', 'complementary', 'note', 'label']);
const transparent = new Set(['generic', 'none', 'presentation', 'rowgroup', 'strong', 'emphasis', 'code', 'time', 'mark', 'insertion', 'deletion',
  'subscript', 'superscript', 'label', 'text', '']);

const controls = new Set(['input', 'textarea', 'select']);

// What can be acted on: some fields, such as those for dates, have no role of ARIA.
const isActed = (element, role, tag = tagOf(element)) => acted.has(role) || controls.has(tag);

// What a user can point at although no role says so.
function clickable(element) {
  if (propertyOf(element, 'onclick') || hasAttribute(element, 'onclick')) return true;
  if (hasAttribute(element, 'tabindex') && tabIndexOf(element) >= 0) return true;
  if (editableText(element) && !editableText(ancestorOf(element))) return true;
  if (getComputedStyle(element).cursor !== 'pointer') return false;
  const parent = parentOf(element);
  return !(parent instanceof Element) || getComputedStyle(parent).cursor !== 'pointer';
}

// Tags of what is no target itself, however the pointer looks over it.
const untargeted = new Set(['slot', 'label', 'body', 'html']);

// A drawing is looked into when there is something in it to act on.
const actedInSVG = 'a, [role], [tabindex], [onclick], foreignObject';

// The tree of what is seen below a root: nodes are { element, own, role, kids } or
// { text }. The own role is the element's, the other one that of its line.
// Below what is mute only frames count and what can be acted on. The rest is
// skimmed, its style not asked, unless it may part a text that still goes on.
function treeOf(root) {
  const top = { element: root, own: '', role: '', kids: [] };
  const levels = [{ holder: null, list: [root], index: 0, next: null, into: top, mute: false, skims: false, clipper: null, breaks: false, paints: true }];
  let lineOpen = null; // the node whose last kid is text that may go on
  while (levels.length) {
    const level = levels.at(-1);
    const { into, mute } = level;
    const node = nextOn(level);
    if (!node) {
      if (level.breaks) lineOpen = null;
      levels.pop();
      continue;
    }
    if (nodeTypeOf(node) !== Node.ELEMENT_NODE) {
      if (!(node instanceof Text)) continue;
      const told = !mute && !level.clipper && /\S/.test(node.data) && (level.paints ??= paintsText(level.holder));
      if (lineOpen === into) into.kids.at(-1).text += told ? node.data : ' ';
      else if (told) into.kids.push({ text: node.data, element: ancestorOf(node) });
      if (told) lineOpen = into;
      continue;
    }
    const tag = tagOf(node);
    if (unseen.has(tag) || attribute(node, 'aria-hidden') === 'true') continue;
    const own = node === root ? '' : roleOf(node, tag);
    let role = own;
    if (frameTags.has(tag)) role = 'iframe';
    else if (transparent.has(role) && editableText(node) && !editableText(ancestorOf(node))) role = 'textbox';
    if (role === 'iframe' && invisibility(node)) continue;
    const acts = isActed(node, role, tag);
    const skimmed = level.skims && !acts && role !== 'iframe';
    let target = into, silent = mute, clipper;
    if (!skimmed) {
      const visible = checkVisibility(node, ownVisibility) || (boxless(node, tag) && (!mute || rendered(node)));
      if (!visible && !checkVisibility(node)) continue;
      clipper = clipperOf(node, clipperWithin(levels));
      silent ||= !(visible || clipper) || Boolean(tag === 'label' && node.control); // the field's name tells it
      if (node !== root && visible && !clipper) {
        if (!mute && !acts && transparent.has(role) && !untargeted.has(tag) && clickable(node)) role = 'clickable';
        if (role === 'img' && !nameOf(node, role)) role = 'none';
        if (acts || role === 'iframe' || !(mute || transparent.has(role))) {
          target = { element: node, own, role, kids: [] };
          into.kids.push(target);
          lineOpen = null;
          silent ||= toldByName.has(role);
        }
      }
    }
    if (role === 'iframe' || controls.has(tag) || fallbacks.has(tag) || (tag === 'svg' && !queryAll(node, actedInSVG).length)) continue;
    const breaks = !skimmed && (tag === 'br' || (target === into && !inline(node, tag)));
    if (breaks) lineOpen = null;
    const list = shownInstead(node, tag);
    const shadow = list ? null : shadowRootOf(node);
    const skims = silent && !lineOpen;
    const next = list ? null : !skims ? firstChildOf(shadow || node) : shadow ? firstElementIn(shadow) : firstElementOf(node);
    if (list || next) levels.push({ holder: node, list, index: 0, next, into: target, mute: silent, skims, clipper, breaks, paints: undefined });
  }
  return top;
}

// The next node of a level, which is what an element holds; none after the last.
function nextOn(level) {
  const { list, next, skims } = level;
  if (list) return level.index < list.length ? list[level.index++] : null;
  if (next) level.next = skims ? nextElementOf(next) : nextSiblingOf(next);
  return next;
}

// What clips the nodes of the last level, found out now for the levels that were
// only skimmed.
function clipperWithin(levels) {
  let known = levels.length - 1;
  while (levels[known].clipper === undefined) known--;
  for (let i = known + 1; i < levels.length; i++) levels[i].clipper = clipperOf(levels[i].holder, levels[i - 1].clipper);
  return levels.at(-1).clipper;
}

// What has no box of its own may have content that is seen.
const boxless = (element, tag) => tag === 'slot' || getComputedStyle(element).display === 'contents';

const inlineTags = new Set(['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'dfn', 'em', 'font', 'i', 'kbd', 'label', 'mark', 'q', 's', 'samp',
  'small', 'slot', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr', 'ins', 'del']);
const inline = (element, tag = tagOf(element)) => inlineTags.has(tag) && !/^(block|flex|grid|table)/.test(getComputedStyle(element).display);

const neverClips = new Set([...inlineTags, ...controls, 'html', 'body']);

// What clips an element to nothing: itself, being without height, or one
// around it, unless the element is placed outside of that; null when nothing does.
function clipperOf(element, around) {
  if (around) {
    const { position } = getComputedStyle(element);
    if (position !== 'fixed' && !(position === 'absolute' && getComputedStyle(around).position === 'static')) return around;
  }
  if (neverClips.has(tagOf(element)) || !(element instanceof HTMLElement) || htmlHeight(element)) return null;
  const { display, overflowY } = getComputedStyle(element);
  return overflowY !== 'visible' && !/^(inline|contents)$/.test(display) ? element : null;
}

const clippedAway = (element) => ancestors(element).reduceRight((clipper, node) => clipperOf(node, clipper), null) !== null;

// Leaves out what says nothing: wrappers of one thing, empty ones; rows of plain
// cells become one line.
function simplify(top) {
  const order = [top];
  for (const node of order) if (node.kids) order.push(...node.kids);
  for (const node of order.reverse()) { // the inner ones first
    if (!node.kids) continue;
    node.kids = node.kids.flatMap((kid) => {
      if (!kid.kids) return normal(kid.text) ? [kid] : [];
      if (aroundControl(kid)) return kid.kids;
      if (!wrappers.has(kid.role) || interactive(kid)) return [kid];
      if (!kid.kids.length) return kid.text || nameOfWrapper(kid) ? [kid] : [];
      if (kid.kids.length === 1 && !nameOfWrapper(kid) && (kid.kids[0].role || kid.role === 'group' || kid.role === 'listitem' && node.role !== 'list')) return kid.kids;
      return [kid];
    });
    if (node !== top && node.kids.length && node.kids.every((kid) => !kid.kids)) {
      node.text = normal(node.kids.map((kid) => kid.text).join(' '));
      node.kids = [];
    } else if (node.role === 'row' && node.kids.every((kid) => /^(cell|gridcell|columnheader|rowheader)$/.test(kid.role) && !kid.kids.length && !interactive(kid))) {
      node.text = node.kids.map((kid) => kid.text || (/header$/.test(kid.role) ? nameOf(kid.element) : '')).join(' | ');
      node.kids = [];
    }
  }
  return top;
}

// A component's box that looks clickable only because its one control is.
function aroundControl({ role, element, kids }) {
  if (role !== 'clickable' || kids.length !== 1 || !kids[0].kids || !isActed(kids[0].element, kids[0].role)) return false;
  if (propertyOf(element, 'onclick') || hasAttribute(element, 'onclick') || hasAttribute(element, 'tabindex')) return false;
  const words = wordsOf(element);
  return !words || words === nameOf(kids[0].element);
}

const nameOfWrapper = (node) => (/^(region|form|group|article|list|table|figure|search|complementary)$/.test(node.role) ? nameOf(node.element) : '');
const interactive = (node) => node.role === 'clickable' || node.role === 'iframe'
  || Boolean(node.kids && (isActed(node.element, node.role) || (hasAttribute(node.element, 'tabindex') && tabIndexOf(node.element) >= 0)));

function flatten(top, { interactive: only, depth: deepest }) {
  const lines = [];
  const stack = top.kids.map((node) => ({ node, depth: 0, path: null })).reverse();
  while (stack.length) {
    const { node, depth, up } = stack.pop();
    const line = { node, depth: only ? 0 : depth, up };
    const told = !only || (node.kids && interactive(node));
    if (told) lines.push(line);
    const kids = node.kids || [];
    if (deepest && depth + 1 >= deepest && kids.length && !only) { line.more = count(node); continue; }
    for (let i = kids.length - 1; i >= 0; i--) stack.push({ node: kids[i], depth: depth + 1, up: line });
  }
  return lines;
}

function count(node) {
  let n = 0;
  const stack = [...node.kids];
  while (stack.length) { const kid = stack.pop(); n++; if (kid.kids) stack.push(...kid.kids); }
  return n;
}

const textLimit = 300, nameLimit = 120, valueLimit = 120;

// The words of a part of a combobox, which may have its open list inside.
function shownBesideList(node) {
  if (!(node instanceof Element)) return node instanceof Text ? node.data : '';
  const list = '[role=listbox], [role=tree], [role=grid], [role=dialog]';
  return !checkVisibility(node) || matches(node, list) || queryAll(node, list).length ? '' : shownIn(node);
}

// What a field holds, for a reader; a password is never shown.
function valueShown(element, role = roleOf(element)) {
  switch (tagOf(element)) {
    case 'select': return chosenIn(element).map((option) => normal(option.label)).join(', ');
    case 'input': return inputShown(element);
    case 'textarea': return element.value ?? '';
  }
  if (editableText(element)) return innerTextOf(element);
  if (role === 'combobox') return [...childNodesOf(element)].map(shownBesideList).join(' ');
  if (rangeRoles.has(role)) return attribute(element, 'aria-valuetext') || attribute(element, 'aria-valuenow') || String(propertyOf(element, 'value') ?? '');
  return '';
}

function inputShown(input) {
  switch (input.type) {
    case 'checkbox': case 'radio': case 'button': case 'submit': case 'reset': case 'image': case 'hidden': return '';
    case 'password': return input.value ? '••••' : '';
    case 'file': return input.files.length > 1 ? [...input.files].map((file) => file.name).join(', ') : ''; // its name tells a single one
  }
  return input.value ?? '';
}

// Roles whose lines have no name: they say what they hold.
const unnamed = new Set(['paragraph', 'listitem', 'row', 'cell', 'gridcell', 'definition', 'term']);

// Roles worth a ref, although nothing is done with what has them.
const addressed = new Set(['heading', 'img', 'table', 'grid', 'dialog', 'alertdialog', 'form', 'region', 'main', 'navigation', 'figure', 'list', 'tablist',
  'menu', 'tree', 'article']);

// A line in its parts: what stands before and after the ref, and whose ref it is.
function partsOf(node) {
  if (!node.kids) return { head: `text: ${clip(normal(node.text), textLimit)}` };
  const { element, own, role } = node;
  const name = role === 'clickable' ? wordsOf(element) : unnamed.has(role) ? '' : nameOf(element, own);
  const head = role + (name ? ` "${clip(name, nameLimit)}"` : '');
  const told = statesOf(element, own).map((state) => ` ${state}`).join('');
  const value = normal(valueShown(element, own));
  const text = value || (node.text && !toldByName.has(role) && node.text !== name ? node.text : '');
  let tail = told + (text ? `: ${clip(text, value ? valueLimit : textLimit)}` : '');
  if (element instanceof HTMLSelectElement) tail += ` (of ${element.options.length} options)`;
  const address = role === 'link' && !name && propertyOf(element, 'href');
  if (address) tail += ` to ${clip(String(address.baseVal ?? address), 100)}`;
  return { head, tail, id: addressed.has(role) || interactive(node) ? numberOf(element) : 0, frame: role === 'iframe' };
}

const encoder = new TextEncoder();
const size = (text) => (/[^\x00-\x7f]/.test(text) ? encoder.encode(text).length : text.length); // to encode takes as long as all else of a line

function inView(node) {
  const box = rectOf(node.element);
  return box.width * box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

// The lines of the outline from an offset on, as many as fit into the budget of
// bytes. Without an offset, a page that does not fit begins with what is in view.
function outline(id, options) {
  const root = id ? elementOf(id) : document.documentElement;
  if (!(root && connected(root))) return null;
  const lines = flatten(simplify(treeOf(root)), options);
  const head = { title: documentTitle(), url: location.href, width: innerWidth, height: innerHeight, scrollY: Math.round(scrollY), pageHeight: document.documentElement?.scrollHeight || 0 };
  let from = Math.min(options.offset ?? 0, lines.length);
  let shown = options.offset === undefined && lines.length * leastLine > options.budget ? [] : cut(lines, from, options.budget);
  if (options.offset === undefined && shown.length < lines.length) {
    from = Math.max(lines.findIndex(({ node }) => !node.kids?.length && inView(node)), 0);
    if (from > 0 || !shown.length) shown = cut(lines, from, options.budget);
  }
  const above = [];
  for (let line = lines[from]?.up; line; line = line.up) above.unshift(partsOf(line.node).head);
  return { ...head, from, total: lines.length, above: from > 0 ? above : [], lines: shown };
}

const leastLine = 4; // bytes, of "row" and its end

function cut(lines, from, budget) {
  const shown = [];
  for (let i = from, used = 0; i < lines.length; i++) {
    const { node, depth, more } = lines[i];
    const parts = partsOf(node);
    if (more) parts.tail = `${parts.tail || ''} (+${more} below)`;
    used += size(parts.head) + size(parts.tail || '') + depth + (parts.id ? 7 : 1);
    if (used > budget && shown.length) break;
    parts.depth = depth;
    shown.push(parts);
  }
  return shown;
}

// ---- finding by text, pattern or role ----------------------------------------------

function search({ text, pattern, role }, limit) {
  let test = null;
  try { test = pattern && new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')); } catch (error) { return { invalid: error.message }; }
  const wanted = text?.toLowerCase();
  const holdsIt = (words) => (test ? test.test(words) : words.toLowerCase().includes(wanted));
  const results = [];
  const taken = new Set();
  let total = 0;
  const take = (element) => {
    if (taken.has(element) || clippedAway(element)) return;
    taken.add(element);
    total++;
    if (results.length < limit) results.push(element);
  };
  for (const root of rootsOf(document)) {
    for (const element of queryAll(root, '*')) {
      if (unseen.has(tagOf(element)) || !checkVisibility(element, { visibilityProperty: true })) continue;
      const own = roleOf(element);
      if (role) { if (own === role && !hiddenFromNames(element)) take(element); continue; }
      if (isActed(element, own) || own === 'img') {
        if (holdsIt(nameOf(element, own)) || (propertyOf(element, 'type') !== 'password' && holdsIt(normal(valueShown(element, own))))) take(element);
        continue;
      }
      if (closest(element, 'button, a[href]') || !hasWords(element)) continue;
      const words = wordsOf(element);
      if (holdsIt(words) && showsText(element) && holdsIt(seenWordsOf(element)) && !elementsOf(element).some((child) => !inline(child) && holdsIt(seenWordsOf(child)))) take(element);
    }
  }
  return { total, found: results.map((element) => ({ ...partsOf(nodeOf(element, matchedText(element))), id: numberOf(element), context: contextOf(element) })), frames: shownFrames() };
}

const matchedText = (element) => clip(seenWordsOf(element), 200);

function nodeOf(element, text) {
  const own = roleOf(element);
  const role = !transparent.has(own) ? own : clickable(element) ? 'clickable' : 'text';
  return { element, own, role, kids: [], text };
}

// Where an element stands: the nearest named things around it.
function contextOf(element) {
  const around = [];
  for (let node = parentOf(element); node && around.length < 2; node = parentOf(node)) {
    if (!(node instanceof Element)) continue;
    const role = roleOf(node);
    if (role === 'row' || role === 'listitem') around.unshift(`${role} "${clip(wordsOf(node), 80)}"`);
    else if (!transparent.has(role) && !/^(paragraph|list|cell|group|section|document)$/.test(role)) {
      const name = clip(nameOf(node), 60);
      around.unshift(name ? `${role} "${name}"` : role);
    }
  }
  return around.join(' > ');
}
