// ---- roles -----------------------------------------------------------------
// Roles, names and states as Chrome's own accessibility tree has them, which
// takes ten times as long to ask for. This file stands before generated.js,
// names.js and states.js.

// Makes a function of a node keep its answers until the end of the turn: the
// page cannot change before it.
function oncePerTurn(find) {
  let answers = null;
  return (node) => {
    if (!answers) {
      answers = new Map();
      queueMicrotask(() => { answers = null; });
    }
    let answer = answers.get(node);
    if (answer === undefined) answers.set(node, answer = find(node));
    return answer;
  };
}

// Roles that an author may give. Abstract ones, like "widget", are no roles.
const ariaRoles = new Set(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog document emphasis feed
  figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee
  math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph
  progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton
  status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar
  tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol`.split(/\s+/));

const synonyms = {
  __proto__: null,
  image: 'img', presentation: 'none', directory: 'list',
  'doc-backlink': 'link', 'doc-biblioref': 'link', 'doc-glossref': 'link', 'doc-noteref': 'link',
};

// What an element is by its tag alone. Where ARIA has no role (label, video,
// date, …) it is the word that Chrome's accessibility tree has, in lower case.
const tagRoles = {
  __proto__: null,
  address: 'group', article: 'article', audio: 'audio', blockquote: 'blockquote',
  button: 'button', canvas: 'canvas', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition',
  del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dl: 'list', dt: 'term', em: 'emphasis',
  embed: 'object', fieldset: 'group', figcaption: 'caption', figure: 'figure', form: 'form', frame: 'iframe', h1: 'heading',
  h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hgroup: 'group', hr: 'separator',
  iframe: 'iframe', ins: 'insertion', label: 'label', legend: 'legend', li: 'listitem', main: 'main', mark: 'mark',
  math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', object: 'object', ol: 'list', optgroup: 'group',
  option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  strong: 'strong', sub: 'subscript', sup: 'superscript', svg: 'img', textarea: 'textbox', time: 'time', ul: 'list',
  video: 'video',
};

const inputRoles = {
  button: 'button', checkbox: 'checkbox', color: 'color', date: 'date', 'datetime-local': 'datetime', file: 'button',
  image: 'button', month: 'datetime', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button',
  search: 'searchbox', submit: 'button', time: 'time', week: 'datetime',
};

const textInputs = new Set(['email', 'password', 'search', 'tel', 'text', 'url']);

// Attributes that any role may have, so that an element with one is no mere decoration.
const globalAria = ['label', 'labelledby', 'describedby', 'live', 'controls', 'owns', 'flowto', 'atomic', 'busy',
  'relevant', 'details', 'description', 'roledescription', 'keyshortcuts', 'current', 'dropeffect', 'grabbed',
  'haspopup', 'invalid', 'errormessage', 'disabled'].map((name) => `aria-${name}`);

const focusableTags = new Set(['button', 'input', 'select', 'textarea', 'iframe', 'summary']);

function focusable(element) {
  const tag = tagOf(element);
  if (focusableTags.has(tag)) return !element.disabled && element.type !== 'hidden';
  return hasAttribute(element, 'tabindex') || hasAttribute(element, 'contenteditable')
    || ((tag === 'a' || tag === 'area') && hasAttribute(element, 'href'));
}

const namedByAuthor = (element) => ['aria-label', 'aria-labelledby', 'title'].some((name) => (attribute(element, name) || '').trim());

// The role that the author gave, '' without a valid one.
function givenRole(element) {
  const given = attribute(element, 'role');
  if (!given) return '';
  for (const token of given.toLowerCase().split(/\s+/)) {
    const role = synonyms[token] || token;
    if (!ariaRoles.has(role)) continue;
    if (role === 'none' && (focusable(element) || globalAria.some((name) => hasAttribute(element, name)))) return '';
    if ((role === 'form' || role === 'region') && !namedByAuthor(element)) continue;
    return role;
  }
  return '';
}

const sections = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

const closestAbove = (element, selector) => {
  const parent = parentNodeOf(element);
  return parent instanceof Element ? closest(parent, selector) : null;
};

function inputRole(input) {
  const type = input.type;
  if (type === 'hidden') return 'none';
  if (input.list && inputRoles[type] !== 'color') return 'combobox';
  return inputRoles[type] || 'textbox';
}

// A table without any mark of data is there for the layout.
const isDataTable = oncePerTurn((table) => {
  const role = givenRole(table);
  if (role) return role === 'table' || role === 'grid' || role === 'treegrid';
  if (table.caption || table.tHead || table.tFoot || hasAttribute(table, 'summary') || Number(attribute(table, 'border')) > 0) return true;
  const rows = table.rows;
  if (!rows.length || (rows.length === 1 && rows[0].cells.length === 1)) return false;
  if (rows.length >= 20) return true;
  let cells = 0;
  let bordered = 0;
  for (const row of rows) {
    for (const cell of row.cells) {
      if (tagOf(cell) === 'th' || ['headers', 'scope', 'abbr'].some((name) => hasAttribute(cell, name))) return true;
      if (++cells > 200) return false;
      const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = getComputedStyle(cell);
      if ([borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth].some((width) => parseFloat(width) > 0)) bordered++;
    }
  }
  return bordered * 2 >= cells;
});

// What rows and cells are depends on what their table is.
function tablePartRole(element, tag) {
  const table = closestAbove(element, 'table');
  if (!table || !isDataTable(table)) return 'generic';
  if (tag === 'tr') return 'row';
  if (tag === 'tbody' || tag === 'thead' || tag === 'tfoot') return 'rowgroup';
  if (tag === 'th') return headerRole(element);
  const role = givenRole(table);
  return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
}

const isHeaderRow = oncePerTurn((row) => tagOf(parentNodeOf(row)) === 'thead' || [...row.cells].every((cell) => tagOf(cell) === 'th'));

function headerRole(cell) {
  const scope = (attribute(cell, 'scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = parentNodeOf(cell);
  return !(row instanceof HTMLTableRowElement) || isHeaderRow(row) ? 'columnheader' : 'rowheader';
}

function tagRole(element, tag) {
  switch (tag) {
    case 'a':
    case 'area':
      if (hasAttribute(element, 'href') || element instanceof SVGElement && hasAttribute(element, 'xlink:href')) return 'link';
      return 'generic';
    case 'img':
      return attribute(element, 'alt') === '' && !namedByAuthor(element) && !focusable(element) ? 'none' : 'img';
    case 'input': return inputRole(element);
    case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'aside': return namedByAuthor(element) || !closestAbove(element, 'article, aside, nav, section') ? 'complementary' : 'generic';
    case 'section': return namedByAuthor(element) ? 'region' : 'generic';
    case 'header': return closestAbove(element, sections) ? 'generic' : 'banner';
    case 'footer': return closestAbove(element, sections) ? 'generic' : 'contentinfo';
    case 'summary': {
      const parent = parentNodeOf(element);
      return parent instanceof HTMLDetailsElement ? 'button' : 'generic';
    }
    case 'li': {
      const list = closestAbove(element, 'ul, ol, menu');
      return list && givenRole(list) === 'none' ? 'none' : 'listitem';
    }
    case 'table': return isDataTable(element) ? 'table' : 'generic';
    case 'tr': case 'td': case 'th': case 'tbody': case 'thead': case 'tfoot':
      return tablePartRole(element, tag);
  }
  if (element instanceof SVGElement && tag !== 'svg') return childNamed(element, 'title') || namedByAuthor(element) ? (tag === 'g' ? 'group' : 'graphics-symbol') : 'generic';
  return tagRoles[tag] || (attribute(element, 'draggable') === 'true' ? 'group' : 'generic');
}

// The element's role: the author's, else what its tag stands for; 'generic' for
// what has no meaning, 'none' for what the author took the meaning from.
function roleOf(element, tag = tagOf(element)) {
  return givenRole(element) || tagRole(element, tag);
}
