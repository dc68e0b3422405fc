// ---- extraction: what a reader sees of an element ---------------------------

// Fields with names such as childNodes hide a form's own properties, also from
// this world; the prototypes' accessors cannot be hidden.
function accessor(type, name) {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (object) => get.call(object);
}

const kindOf = accessor(Node, 'nodeType');
const nameOf = accessor(Element, 'localName');
const childrenOf = accessor(Node, 'childNodes');
const shadowOf = accessor(Element, 'shadowRoot');
const holderOf = accessor(Node, 'parentNode');
const textOf = accessor(Node, 'textContent');
const titleOf = accessor(Document, 'title');
const baseOf = accessor(Node, 'baseURI');
const widthOf = accessor(HTMLElement, 'offsetWidth');
const heightOf = accessor(HTMLElement, 'offsetHeight');
const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name) || '';
const hasAttributes = (element) => Element.prototype.hasAttributes.call(element);
const rendered = (element, options) => Element.prototype.checkVisibility.call(element, options);
const firstWithin = (element, selector) => Element.prototype.querySelector.call(element, selector);

const words = (text) => text.trim().replace(/\s+/g, ' ');

const setOf = (names) => new Set(names.split(' '));
const neverSeen = setOf('script style template noscript head link meta source track param datalist area base');
const keptTags = setOf('p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tfoot tr th td '
  + 'strong b em i del s code kbd samp sub sup q a article section main nav header footer aside address figure figcaption details summary');
const inlineTags = setOf('strong b em i del s code kbd samp sub sup q a span label small mark abbr cite time var font u ins bdi bdo dfn data output');
const plainTags = setOf('p h1 h2 h3 h4 h5 h6 strong b em i code sub sup table thead tbody tfoot tr th td');
const spacedTags = setOf('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table figure');
const tableTags = setOf('table caption thead tbody tfoot tr th td');
const wordless = setOf('br hr wbr img input select textarea progress meter');
const labelledTags = setOf('svg canvas video audio object embed iframe frame');

// What of an element is seen: 'all', 'nothing', or 'children' when its own text
// is hidden but elements inside of it need not be. What is only scrolled to, or
// faded in then, counts as seen; what is clipped to nothing, as texts for screen
// readers are, does not.
function sightOf(element, display) {
  const seen = rendered(element, { visibilityProperty: true });
  if (!seen && display() !== 'contents' && !rendered(element)) return 'nothing';
  if (!hasAttributes(element)) return seen || display() === 'contents' && visible(element) ? 'all' : 'children';
  if (element instanceof HTMLElement && !/^(inline|contents)$/.test(display()) && (heightOf(element) <= 1 || widthOf(element) <= 1)) {
    const { overflow, clip, clipPath } = getComputedStyle(element);
    if (overflow !== 'visible' || /^(rect|inset)/.test(clip + clipPath)) return 'nothing';
  }
  if (attributeOf(element, 'aria-hidden') === 'true' && decorative(element)) return 'nothing';
  return seen || display() === 'contents' && visible(element) ? 'all' : 'children';
}

const visible = (element) => getComputedStyle(element).visibility === 'visible';

// Signs and the letters of icon fonts; text that is hidden from screen readers
// alone is there to be read.
function decorative(element) {
  return /\bicon|material-symbols/.test(attributeOf(element, 'class')) || !firstWithin(element, 'img, picture') && !/[\p{L}\p{N}]/u.test(textOf(element).slice(0, 1000));
}

const aside = /(^|[\s_-])(ads?|advert\w*|sponsored|cookies?|consent|gdpr|share|social|related|breadcrumbs?)([\s_-]|$)/i;
const asideRoles = setOf('navigation banner contentinfo complementary search dialog alertdialog menu menubar');

// Parts of a page that are not its content.
function besides(element, tag) {
  if (tag === 'nav' || tag === 'dialog') return true;
  if (!hasAttributes(element) && !/^(header|footer|aside)$/.test(tag)) return false;
  const role = attributeOf(element, 'role');
  if (asideRoles.has(role)) return true;
  if ((tag === 'header' || tag === 'footer') && !Element.prototype.closest.call(element, 'main, article, [role=main]')) return true;
  if (tag === 'aside') return linksOutweigh(element);
  return tag !== 'html' && tag !== 'body' && aside.test(`${attributeOf(element, 'id')} ${attributeOf(element, 'class')}`) && !firstWithin(element, 'h1, main, article');
}

function linksOutweigh(element) {
  let linked = 0;
  for (const link of Element.prototype.querySelectorAll.call(element, 'a')) linked += textOf(link).length;
  return linked * 2 > textOf(element).length;
}

// The element that holds the main content: what the page says it is, else the
// smallest that has nearly all of the text that is neither linked nor besides.
function mainContent() {
  const root = Document.prototype.querySelector.call(document, 'body') || accessor(Document, 'documentElement')(document);
  const length = (element) => words(textOf(element)).length;
  for (const selector of ['main, [role=main]', 'article']) {
    const named = allOf(selector).filter((element) => rendered(element) && length(element) > 80);
    if (named.length === 1) return named[0];
  }
  const weights = new Map();
  const weigh = (element, linked) => {
    let own = 0;
    for (const child of childrenOf(element)) {
      if (kindOf(child) === Node.TEXT_NODE && !linked) own += child.data.trim().length;
    }
    return own;
  };
  // Children come after their parents in the list, so that backwards each is complete.
  const list = [];
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT, (element) => {
    const tag = nameOf(element);
    const out = neverSeen.has(tag) || tag === 'a' || tag === 'button' || tag === 'select' || besides(element, tag) || !rendered(element) && getComputedStyle(element).display !== 'contents';
    return out ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  for (let element = root; element; element = walker.nextNode()) {
    list.push(element);
    weights.set(element, weigh(element));
  }
  const best = new Map();
  for (const element of list.reverse()) {
    const parent = holderOf(element);
    if (!weights.has(parent) || element === root) continue;
    weights.set(parent, weights.get(parent) + weights.get(element));
    if (!best.has(parent) || weights.get(best.get(parent)) <= weights.get(element)) best.set(parent, element);
  }
  let main = root;
  const enough = weights.get(root) * .8;
  for (let next = best.get(main); next && weights.get(next) > Math.max(enough, 80); next = best.get(next)) {
    if (inlineTags.has(nameOf(next)) || /^(p|h[1-6]|pre|li|tr|td|blockquote)$/.test(nameOf(next))) break;
    main = next;
  }
  return main;
}

// ---- what a control, a picture or a frame says -------------------------------

// A control's value, undefined for what is no control.
function saidBy(element, tag) {
  switch (tag) {
    case 'textarea': return element.value;
    case 'select': return [...element.selectedOptions].map((option) => words(option.text)).join(', ');
    case 'progress': case 'meter': return String(element.value);
    case 'input': break;
    default: return undefined;
  }
  switch (element.type) {
    case 'checkbox': return element.checked ? '[x]' : '[ ]';
    case 'radio': return element.checked ? '(x)' : '( )';
    case 'password': return element.value && '••••••';
    case 'file': return [...element.files].map((file) => file.name).join(', ');
    case 'hidden': case 'button': case 'submit': case 'reset': case 'image': return '';
    default: return element.value;
  }
}

function labelOf(element) {
  const title = element instanceof SVGElement ? firstWithin(element, 'title') : null;
  return words(attributeOf(element, 'aria-label') || title && textOf(title) || attributeOf(element, 'alt') || attributeOf(element, 'title')).slice(0, 200);
}

function absolute(url) {
  if (/^\s*data:/i.test(url)) return `${url.trim().slice(0, 60).split(/[;,]/)[0]};…`;
  if (!url.trim() || /^\s*javascript:/i.test(url)) return '';
  try { return new URL(url, baseOf(document)).href; } catch { return ''; }
}

function sourceOf(image) {
  const shown = image.currentSrc || attributeOf(image, 'src');
  const later = attributeOf(image, 'data-src');
  return absolute(later && (!shown || shown.startsWith('data:')) ? later : shown);
}

function attributesOf(element, tag) {
  switch (tag) {
    case 'a': return { href: absolute(attributeOf(element, 'href')) };
    case 'td': case 'th': return { colspan: element.colSpan > 1 && element.colSpan, rowspan: element.rowSpan > 1 && element.rowSpan };
    case 'ol': return { start: element.start !== 1 && element.start };
    case 'pre': case 'code': {
      const near = tag === 'pre' ? [element, firstWithin(element, 'code'), holderOf(element)] : [element];
      const classes = near.map((one) => (one instanceof Element ? attributeOf(one, 'class') : '')).join(' ');
      const named = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]+)/.exec(classes);
      return { class: named && `language-${named[1]}` };
    }
    default: return {};
  }
}

// ---- the walk ----------------------------------------------------------------

// What is seen of an element, as html or text of about `most` characters.
// `cut` tells that there was more, or no time for it; `closed` counts <details>
// whose content nobody sees. With `main`, what is besides the content is left out.
function contentOf(root, { format, main, most, deadline }) {
  const out = format === 'text' ? textWriter(most) : htmlWriter(most);
  const waiting = [{ node: root, parent: holderOf(root), around: { flow: '', muted: false, pre: false, button: false } }];
  let closed = 0, visits = 0, cut = false;
  const say = (text) => { if (text) out.text(` ${text} `); };

  // Gives what comes after an element's content, or nothing when it has none to visit.
  function enter(element, { flow, pre, button }) {
    const tag = nameOf(element);
    if (neverSeen.has(tag)) return null;
    let read = plainTags.has(tag) && !hasAttributes(element) ? (inlineTags.has(tag) ? 'inline' : 'block') : '';
    const display = () => (read ||= getComputedStyle(element).display);
    const sight = sightOf(element, display);
    if (sight === 'nothing' || main && element !== root && besides(element, tag)) return null;
    const inside = { flow: display(), muted: sight !== 'all', pre: pre || tag === 'pre', button };
    if (inside.muted) {
      if (labelledTags.has(tag) || wordless.has(tag)) return null;
    } else {
      const value = saidBy(element, tag);
      if (value !== undefined) { say(value); return null; }
      if (tag === 'br') { out.breakLine(inside.pre); return null; }
      if (tag === 'hr') { out.rule(); return null; }
      if (tag === 'wbr') return null;
      if (tag === 'img') { picture(element); return null; }
      if (labelledTags.has(tag)) { outside(element, tag); return null; }
    }
    if (tag === 'button' && !button && element !== root) return null;
    inside.button ||= /^(h[1-6]|summary|dt)$/.test(tag); // there a button is what is to be read
    if (tag === 'details' && !element.open) closed++;
    if (pre) {
      const line = !/^(inline|contents)/.test(display());
      if (line) out.breakOnce();
      return { inside, line };
    }
    const laid = /^(inline-)?(flex|grid)$/.test(flow);
    const block = !/^(inline|contents|none)/.test(display()) && !(laid && inlineTags.has(tag));
    const kept = keptTags.has(tag) ? tag : block ? 'div' : '';
    const label = tag === 'a' ? labelOf(element) || words(textOf(element)).slice(0, 100) : '';
    out.open(kept, { attributes: kept ? attributesOf(element, kept) : {}, block, spaced: laid || display().startsWith('inline-'), layout: tag === 'table' && forLayout(element) });
    return { inside, tag: kept, label };
  }

  function picture(image) {
    const alt = words(attributeOf(image, 'alt')).slice(0, 500);
    if (!alt && (widthOf(image) <= 2 && heightOf(image) <= 2 || /^(presentation|none)$/.test(attributeOf(image, 'role')))) return;
    out.image(alt, sourceOf(image));
  }

  function outside(element, tag) {
    const label = labelOf(element);
    const address = absolute(element.currentSrc || attributeOf(element, tag === 'object' ? 'data' : 'src'));
    const kind = tag === 'frame' ? 'iframe' : tag;
    if (address && address !== 'about:blank' && !address.startsWith('data:')) out.link(`${kind}${label ? `: ${label}` : ''}`, address);
    else if (tag === 'svg' || tag === 'canvas') say(label);
  }

  for (let step; (step = waiting.pop());) {
    if (!step.node) {
      if (step.line) out.breakOnce();
      else if (!step.inside.pre || step.tag === 'pre') out.close(step.label);
      continue;
    }
    if (cut) continue;
    if (out.full() || (++visits % 256 === 0 && performance.now() > deadline)) { cut = true; continue; }
    const { node, parent, around } = step;
    if (kindOf(node) === Node.TEXT_NODE) {
      if (around.muted || /\S/.test(node.data) && parent instanceof Element && !paintsText(parent)) continue;
      const kept = around.pre || /\S\s*\n\s*\S/.test(node.data) && parent instanceof Element && /^(pre|break-spaces)/.test(getComputedStyle(parent).whiteSpace);
      out.text(node.data, kept, around.pre);
      continue;
    }
    if (kindOf(node) !== Node.ELEMENT_NODE) continue;
    const entered = enter(node, around);
    if (!entered) continue;
    waiting.push(entered);
    const children = shownIn(node);
    for (let i = children.length - 1; i >= 0; i--) waiting.push({ node: children[i], parent: node, around: entered.inside });
  }
  return { content: out.done(), cut: cut || out.full(), closed };
}

// The nodes that an element shows: its own, those of its shadow root, those that
// its slot is given, or the summary alone.
function shownIn(element) {
  const tag = nameOf(element);
  if (tag === 'details' && !element.open) return [...childrenOf(element)].filter((child) => child instanceof HTMLElement && nameOf(child) === 'summary').slice(0, 1);
  const given = element instanceof HTMLSlotElement ? HTMLSlotElement.prototype.assignedNodes.call(element) : [];
  return given.length ? given : childrenOf(shadowOf(element) || element);
}

// Tables that place other blocks side by side are none to a reader.
function forLayout(table) {
  return /^(presentation|none)$/.test(attributeOf(table, 'role')) || Boolean(firstWithin(table, 'table, h1, h2, h3, h4, pre'));
}

// ---- the agent's answer ------------------------------------------------------

const addresses = setOf('href src action formaction poster cite data background');

function attributeValue(element, name) {
  const own = Element.prototype.getAttribute.call(element, name);
  if (own === null) return null;
  if (name === 'value' && nameOf(element) === 'input' && element.type === 'password') return '••••••';
  return addresses.has(name) && absolute(own) || own;
}

const attributeNames = (element) => Element.prototype.getAttributeNames.call(element).slice(0, 20).map((name) => name.slice(0, 60));

// The parts are those of the first element, or with `every` of the first `limit`
// matches that have any; `empty` counts those that have none.
function take(elements, { format, attribute, every, limit, most, timeout }, main) {
  const deadline = performance.now() + timeout / 2; // the rest is for what follows
  const taken = { title: titleOf(document).slice(0, 200), url: location.href.slice(0, 2000), parts: [], empty: 0, closed: 0, cut: false, more: false };
  let room = most;
  for (const element of elements) {
    if (taken.parts.length >= limit || room <= 0) { taken.more = true; break; }
    const { content, cut = false, closed = 0 } = format === 'attribute'
      ? { content: attributeValue(element, attribute) }
      : contentOf(element, { format: format === 'text' ? 'text' : 'html', main, most: room, deadline });
    if (content === null || format !== 'attribute' && !content) taken.empty++;
    else taken.parts.push(format === 'attribute' ? content.slice(0, room) : content);
    room -= content ? content.length : 0;
    taken.cut ||= cut;
    taken.closed += closed;
    if (!every) break;
  }
  taken.cut ||= room <= 0;
  return taken;
}

function placeOf(element) {
  const id = attributeOf(element, 'id');
  return `<${nameOf(element)}${id ? `#${id.slice(0, 60)}` : ''}>`;
}

function extract(steps, options) {
  if (!steps) {
    const main = mainContent();
    return { state: 'ready', element: placeOf(main), count: 1, told: take([main], options, true) };
  }
  return until(steps, options, async (element) => {
    const told = take(options.every ? resolve(steps).found : [element], options, false);
    const names = options.format === 'attribute' && !told.parts.length ? attributeNames(element) : [];
    return { state: 'ready', told: { ...told, names } };
  });
}
