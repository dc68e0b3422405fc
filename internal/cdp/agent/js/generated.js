// ---- generated text --------------------------------------------------------

// To ask every element for its ::before and ::after takes longer than all the
// rest of the names. Asked are those that a style sheet may mean: a mark is what
// the selector of a rule for such text ends in, "tag", "#id", ".class", or "*"
// where it cannot be told.
const knownMarks = new WeakMap(); // by style sheet, until the count of its rules changes
const maxRules = 20000; // of one style sheet; beyond them any element may be meant

const generatedSelector = /([^\s>+~,()]*)::?(?:before|after)\b/g;
const selectorMark = /[.#](?:[\w-]|[^\x00-\x7f]|\\[^0-9a-f])+/i;

function addMarks(rules, known) {
  for (let i = 0; i < rules.length; i++) {
    if (++known.seen > maxRules) return known.marks.add('*');
    const rule = rules[i];
    if (rule.cssRules) addMarks(rule.cssRules, known);
    if (rule.styleSheet) sheetMarks(rule.styleSheet).forEach((mark) => known.marks.add(mark));
    const content = rule.style && rule.style.content;
    if (!content || content === 'none' || content === 'normal' || content === '""') continue;
    for (const [, compound] of (rule.selectorText || '').matchAll(generatedSelector)) {
      const mark = selectorMark.exec(compound);
      known.marks.add(mark ? mark[0].replace(/\\/g, '') : /^[a-z][\w-]*$/i.test(compound) ? compound.toLowerCase() : '*');
    }
  }
}

function sheetMarks(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return new Set(['*']); // it is of another origin
  }
  let known = knownMarks.get(sheet);
  if (!known || known.count !== rules.length) {
    known = { count: rules.length, seen: 0, marks: new Set() };
    addMarks(rules, known);
    knownMarks.set(sheet, known);
  }
  return known.marks;
}

const generatedMarks = oncePerTurn(() => {
  const marks = new Set();
  for (const sheet of [...styleSheets(document), ...adoptedStyleSheets(document)]) sheetMarks(sheet).forEach((mark) => marks.add(mark));
  return marks;
});

// Whether a style sheet may put text before or after the element.
function mayGenerate(element, tag, marks) {
  if (rootOf(element) !== document) return true;
  if (!marks.size) return false;
  if (marks.has('*') || marks.has(tag)) return true;
  const id = attribute(element, 'id');
  const classes = attribute(element, 'class');
  return Boolean(id && marks.has(`#${id}`) || classes && classes.split(/\s+/).some((name) => marks.has(`.${name}`)));
}

const literal = /"((?:[^"\\]|\\.)*)"/g;

// The text of a pseudo-element's style, null when it has none; alternative when
// the style sheet gives other words for it.
function generatedText({ display, content }) {
  if (display === 'none' || content === 'none' || content === 'normal' || !content.includes('"')) return null;
  const [shown, alternative] = content.split(' / ');
  const text = [...(alternative ?? shown).matchAll(literal)].map((match) => match[1].replace(/\\(.)/g, '$1')).join('');
  return { text, alternative: alternative !== undefined };
}
