// ---- names -----------------------------------------------------------------

const maxName = 1000; // characters
const maxParts = 101; // elements that make up a name; Chrome stops there too
const maxSteps = 2000; // nodes looked at for a name, hidden ones included

// A name loses white space when it is done; until then it may be longer.
const short = (text) => (text.length > 4 * maxName ? text.slice(0, 4 * maxName) : text);

const namedByContent = new Set(`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox
  menuitemradio option radio row rowheader switch tab term treeitem tooltip`.split(/\s+/));

// Roles whose content is no part of the name of what contains them.
const silentInNames = new Set(`alert alertdialog application article banner blockquote combobox complementary
  contentinfo dialog document feed figure form grid group img log main marquee math menu menubar meter
  navigation note progressbar radiogroup rowgroup scrollbar search searchbox separator slider spinbutton status table
  tablist tabpanel term textbox timer toolbar tree treegrid audio video object iframe color date datetime
  listbox`.split(/\s+/));

// Roles that have no name, whatever the author says.
const nameless = new Set(['caption', 'code', 'deletion', 'emphasis', 'generic', 'insertion', 'mark', 'none', 'paragraph', 'strong', 'subscript', 'superscript', 'suggestion', 'definition']);

const rangeRoles = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const fieldRoles = new Set(['textbox', 'searchbox']);
const replaced = new Set(['img', 'svg', 'video', 'canvas', 'iframe', 'object', 'embed', 'picture']);

const neverInNames = new Set(['noscript', 'rp', 'rt', 'script', 'style', 'template']); // ruby says how to read, not what is read

// Whether an element, wherever it is, is left out of names.
function hiddenFromNames(element) {
  if (attribute(element, 'aria-hidden') === 'true' || neverInNames.has(tagOf(element))) return true;
  for (let node = element; node instanceof Element; node = parentNodeOf(node)) {
    if (checkVisibility(node, { visibilityProperty: true })) return false;
    const { display, visibility } = getComputedStyle(node);
    // With display: contents its parent decides. What is never rendered may be read out.
    if (display !== 'contents' || visibility !== 'visible') return !closest(element, 'option, title, desc');
  }
  return false;
}

// The elements that an attribute names by id, in its order.
function referenced(element, name) {
  const ids = attribute(element, name);
  if (!ids) return [];
  const root = rootOf(element);
  if (root !== document && !(root instanceof ShadowRoot)) return [];
  const { getElementById } = root === document ? Document.prototype : root;
  return ids.split(/\s+/, maxParts).map((id) => id && getElementById.call(root, id)).filter(Boolean);
}

// What may have a name by its tag; the rest has one by its role or by an attribute.
const nativelyNamed = new Set(['area', 'button', 'fieldset', 'img', 'input', 'meter', 'optgroup', 'option', 'output', 'progress', 'select', 'table', 'textarea']);
const naming = '[aria-label], [aria-labelledby], [aria-placeholder], [title]';

// A Walk is the making of one name: what it has used, and where it is.
const newWalk = () => ({
  marks: generatedMarks(document), // of the elements that may have generated text
  visited: new Set(), // elements
  steps: 0,
  referenced: null, // the element of an aria-labelledby that it is below
  unrendered: false, // that element is hidden, and so is all below it
  authored: false, // the text found last is an attribute or a value
});

// The accessible name of an element, '' when it has none; at most maxName characters.
function nameOf(element, role = roleOf(element)) {
  if (!namedByContent.has(role) && !nativelyNamed.has(tagOf(element)) && !(element instanceof SVGElement) && !matches(element, naming)) return '';
  const name = normal(textOf(element, newWalk(), role, false) + chosenFiles(element));
  return name.length > maxName ? name.slice(0, maxName) : name;
}

// What a file field has chosen, which Chrome makes part of its name.
function chosenFiles(element) {
  const files = element instanceof HTMLInputElement ? element.files : null;
  if (!files || !files.length) return '';
  return `: ${files.length === 1 ? files[0].name : `${files.length} files`}`;
}

// The text alternative of an element: for itself or, when inner, for the name of
// another. The style is the element's, where it is known.
function textOf(element, walk, role, inner, style) {
  const seen = walk.visited.has(element);
  const tag = tagOf(element);
  const value = inner && !seen ? embeddedValue(element, tag, role, walk) : null;
  walk.visited.add(element);
  const text = value ?? (givenName(element, tag, walk, seen) || nativeName(element, tag, role, walk));
  walk.authored = true;
  if (text || value !== null) return short(text);

  if (readsContent(element, tag, walk, role, inner)) {
    const content = (seen && embeddedValue(element, tag, role, walk)) || contentOf(element, tag, walk, style);
    walk.authored = false;
    if (inner ? content : content.trim()) return content;
  }
  const title = (walk.referenced || !nameless.has(role)) && attribute(element, 'title');
  walk.authored = Boolean(title);
  return title && !(tag === 'img' && hasAttribute(element, 'alt')) ? short(title) : '';
}

// Whether a name goes on with what the element holds.
function readsContent(element, tag, walk, role, inner) {
  if (tag === 'select') return false;
  if (walk.referenced) return true;
  if (inner) return !silentInNames.has(role) || tag === 'details';
  return namedByContent.has(role) && (role !== 'row' || closest(element, '[role=grid], [role=treegrid]') !== null);
}

// The name that the author gave by an ARIA attribute.
function givenName(element, tag, walk, seen) {
  if (tag === 'slot') return '';
  if (!walk.referenced && !seen && hasAttribute(element, 'aria-labelledby')) {
    const texts = referenced(element, 'aria-labelledby').map((target) => {
      if (walk.visited.size > maxParts) return '';
      walk.referenced = target;
      walk.unrendered = hiddenFromNames(target);
      return textOf(target, walk, roleOf(target), true);
    });
    walk.referenced = null;
    walk.unrendered = false;
    const text = texts.filter(Boolean).join(' ');
    if (text.trim()) return text;
  }
  const label = short(attribute(element, 'aria-label') || '');
  return label.trim() ? label : '';
}

// What a field says inside of another's name: its value. null for what is no field.
function embeddedValue(element, tag, role, walk) {
  if (fieldRoles.has(role) || (role === 'combobox' && tag === 'input')) {
    if (tag !== 'input' && tag !== 'textarea') return textContentOf(element);
    return element.type === 'password' ? '•'.repeat(Math.min(element.value.length, maxName)) : element.value;
  }
  if (rangeRoles.has(role)) {
    return attribute(element, 'aria-valuetext') ?? attribute(element, 'aria-valuenow') ?? ('value' in element ? String(element.value) : null);
  }
  if (role === 'combobox' || role === 'listbox') {
    const chosen = tag === 'select' ? chosenIn(element) : querySelectorAll(element, '[role=option][aria-selected=true]');
    return [...chosen].slice(0, maxParts).map((option) => textOf(option, walk, 'option', true)).join(' ');
  }
  return null;
}

// The name by the element's own language: labels, alt, legend, caption, title.
function nativeName(element, tag, role, walk) {
  if (element instanceof SVGElement) {
    const title = childNamed(element, 'title');
    return title ? textContentOf(title) : attribute(element, 'xlink:title') || '';
  }
  switch (tag) {
    case 'option': return hasAttribute(element, 'label') ? element.label : '';
    case 'optgroup': return attribute(element, 'label') || '';
    case 'img': case 'area': return attribute(element, 'alt') || '';
    case 'fieldset': return part(childNamed(element, 'legend'), walk);
    case 'table': return part(element.caption, walk) || attribute(element, 'summary') || '';
    case 'input': case 'textarea': return labelText(element, walk) ?? fieldName(element, tag);
    case 'button': case 'meter': case 'output': case 'progress': case 'select': return labelText(element, walk) || '';
  }
  return (fieldRoles.has(role) && attribute(element, 'aria-placeholder')) || '';
}

const buttonWords = { submit: 'Submit', reset: 'Reset', image: 'Submit' };

// The name that a field without a label has.
function fieldName(element, tag) {
  const title = attribute(element, 'title');
  switch (element.type) {
    case 'button': case 'submit': case 'reset': return attribute(element, 'value') ?? buttonWords[element.type] ?? '';
    case 'image': return attribute(element, 'alt') || attribute(element, 'value') || title || buttonWords.image;
    case 'file': return element.multiple ? 'Choose Files' : 'Choose File';
  }
  if (tag !== 'textarea' && !textInputs.has(element.type) && element.type !== 'number') return '';
  return title || attribute(element, 'placeholder') || attribute(element, 'aria-placeholder') || '';
}

function childNamed(element, tag) {
  let child = firstChildOf(element);
  for (let i = 0; child && i < maxSteps; i++, child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === Node.ELEMENT_NODE && tagOf(child) === tag) return child;
  }
  return null;
}

// What another element adds to the name that is being made.
function part(element, walk) {
  if (!element || walk.visited.has(element) || hiddenFromNames(element)) return '';
  return textOf(element, walk, roleOf(element), true);
}

// The labels below a root by what they label. To ask a field for its labels is
// to have the browser look through the whole document, for each field anew.
const labelsIn = oncePerTurn((root) => {
  const labels = new Map();
  for (const label of (root === document ? Document : DocumentFragment).prototype.querySelectorAll.call(root, 'label')) {
    const { control } = label;
    if (!control) continue;
    if (!labels.has(control)) labels.set(control, []);
    if (labels.get(control).length < maxParts) labels.get(control).push(label);
  }
  return labels;
});

// The words of a field's labels, null without a label.
function labelText(element, walk) {
  const root = rootOf(element);
  if (root !== document && !(root instanceof ShadowRoot)) return null;
  const labels = labelsIn(root).get(element);
  return labels ? labels.map((label) => part(label, walk)).filter(Boolean).join(' ').trim() : null;
}

// The nodes that an element shows in place of its children, null when it shows
// them: those assigned to a slot, the summary alone of closed details.
function shownInstead(element, tag) {
  if (tag === 'slot') {
    const assigned = assignedTo(element);
    return assigned.length ? assigned : null;
  }
  if (tag === 'details' && !element.open) {
    const summary = childNamed(element, 'summary');
    return summary ? [summary] : [];
  }
  return null;
}

const isSpace = (s) => s === ' ' || s === '\n' || s === '\t' || s === '\r' || s === '\f';

// Whether what has this style parts the text before it from the text after,
// although it is not shown.
const partsText = ({ display, position }) => display !== 'none' && !display.startsWith('inline') && position !== 'absolute' && position !== 'fixed';

const wordStart = /(?<![\p{L}\p{N}'’])\p{L}/gu;

// Text in the letters that its style shows.
function transformed(text, { textTransform }) {
  switch (textTransform) {
    case 'uppercase': return text.toUpperCase();
    case 'lowercase': return text.toLowerCase();
    case 'capitalize': return text.replace(wordStart, (letter) => letter.toUpperCase());
  }
  return text;
}

// Markup that only groups or dresses its text. With a class at most, it says
// what it holds and nothing else.
const plainTags = new Set(['abbr', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'del', 'div', 'em', 'font', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'i', 'ins', 'kbd',
  'mark', 'p', 'q', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var']);

function isPlain(element, tag) {
  if (!plainTags.has(tag)) return false;
  const [first, second] = attributeNames(element);
  return !second && (!first || first === 'class');
}

// A Content is what has been read of one element.
const newContent = () => ({
  text: '',
  apart: false, // what was shown last stands apart
  authored: false, // the text so far ends with an attribute or a value
});

function add(content, piece, authored, apart) {
  const { text } = content;
  if (piece && text && (content.apart || content.authored || authored || apart) && !isSpace(text[text.length - 1]) && !isSpace(piece[0])) content.text += ' ';
  content.text += piece;
  content.apart = apart;
  if (piece) content.authored = authored;
}

function addGenerated(content, element, which) {
  const style = getComputedStyle(element, which);
  const generated = generatedText(style);
  if (generated) add(content, generated.text, generated.alternative, style.display !== 'inline');
}

function addChild(content, child, tag, walk, style, apart) {
  const plain = isPlain(child, tag);
  const role = plain ? '' : roleOf(child, tag);
  if (role === 'none') return add(content, contentOf(child, tag, walk, style), false, apart);
  if (walk.visited.has(child)) return add(content, '', false, apart);
  if (plain) {
    walk.visited.add(child);
    return add(content, contentOf(child, tag, walk, style), false, apart);
  }
  const piece = textOf(child, walk, role, true, style);
  add(content, piece, walk.authored, apart);
}

// The text that an element holds, as it is read out. The style is the element's,
// where it is known; below a hidden one styles are not asked.
function contentOf(element, tag, walk, style) {
  const content = newContent();
  const generates = !walk.unrendered && mayGenerate(element, tag, walk.marks);
  if (generates) addGenerated(content, element, '::before');
  const list = shownInstead(element, tag);
  let index = 0;
  for (let node = list ? list[0] : firstChildOf(shadowRootOf(element) || element); node; node = list ? list[++index] : nextSiblingOf(node)) {
    if (walk.visited.size > maxParts || ++walk.steps > maxSteps || content.text.length > maxName) break;
    const type = nodeTypeOf(node);
    if (type === Node.TEXT_NODE) {
      if (!walk.unrendered) style ||= getComputedStyle(element);
      add(content, walk.unrendered ? short(node.data) : transformed(short(node.data), style), false, walk.unrendered);
      continue;
    }
    if (type !== Node.ELEMENT_NODE) continue;
    const inner = tagOf(node);
    if (inner === 'br') {
      add(content, '\n', false, false);
    } else if (walk.unrendered) {
      if (!neverInNames.has(inner)) addChild(content, node, inner, walk, style, true);
    } else if (!neverInNames.has(inner)) {
      const childStyle = getComputedStyle(node);
      const { display } = childStyle;
      const hidden = (display === 'none' && inner !== 'title' && inner !== 'desc') || childStyle.visibility !== 'visible' || attribute(node, 'aria-hidden') === 'true';
      if (hidden) content.apart ||= partsText(childStyle);
      else addChild(content, node, inner, walk, childStyle, display !== 'inline' || replaced.has(inner));
    }
  }
  for (const owned of referenced(element, 'aria-owns')) {
    if (walk.visited.size > maxParts) break;
    if (walk.unrendered || !hiddenFromNames(owned)) addChild(content, owned, tagOf(owned), walk, getComputedStyle(owned), true);
  }
  if (generates) addGenerated(content, element, '::after');
  return content.text;
}
