// ---- extraction: writing it down --------------------------------------------

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => escapes[sign]);

const deepest = 100; // elements in one another that are written; what is deeper is text

// Writes HTML without elements that hold nothing, and without a block around
// nothing but a block.
function htmlWriter(most) {
  const parts = [], open = [];
  let size = 0, written = 0, cropped = false;

  const add = (part, counts) => {
    parts.push(part);
    size += part.length;
    if (counts) written++;
  };
  const tagged = (tag, attributes) => `<${tag}${Object.entries(attributes).filter(([, value]) => value).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join('')}>`;

  return {
    full: () => cropped || size >= most,
    text(text, kept, pre) {
      cropped ||= text.length > most - size;
      text = text.slice(0, Math.max(most - size, 0));
      if (!kept) text = text.replace(/[ \t\n\r\f]+/g, ' ');
      const html = escaped(text);
      add(kept && !pre ? html.replace(/\r?\n/g, '<br>') : html, /\S/.test(text));
    },
    breakLine: (pre) => add(pre ? '\n' : '<br>'),
    breakOnce() { if (!/(\n|>)$/.test(parts.at(-1) || '>')) add('\n'); },
    rule: () => add('<hr>', true),
    image: (alt, src) => add(tagged('img', { src, alt }), true),
    link: (text, href) => add(`${tagged('a', { href })}${escaped(text)}</a>`, true),
    open(tag, { attributes, spaced }) {
      const entry = { start: parts.length, written, tag: open.length < deepest ? tag : '', inner: null };
      open.push(entry);
      if (entry.tag) add(tagged(tag, attributes));
      else if (tag || spaced) add(' ');
    },
    close(label) {
      const entry = open.pop();
      const { start, tag } = entry;
      if (!tag) { if (parts[start] === ' ') add(' '); return; }
      if (entry.written === written && label && parts[start].length > 3) add(escaped(label), true);
      if (entry.written === written && tag !== 'td' && tag !== 'th') {
        parts.length = start;
        add(' ');
        return;
      }
      const alone = entry.inner && entry.inner.start === start + 1 && entry.inner.end === parts.length;
      if (tag === 'div' && alone) parts[start] = '';
      else add(`</${tag}>`);
      const outer = open.at(-1);
      if (outer) outer.inner = spacedTags.has(tag) || tag === 'div' ? { start, end: parts.length } : null;
    },
    done: () => parts.join('').trim(),
  };
}

// Writes text as a page shows it: lines for blocks, a blank one between
// paragraphs, tabs between the cells of a row.
function textWriter(most) {
  const parts = [], open = [];
  let size = 0, pending = '', cells = 0, cropped = false;

  const rank = { '': 0, ' ': 1, '\n': 2, '\n\n': 3 };
  const separate = (by) => {
    if (cells && by) by = ' ';
    if (rank[by] > rank[pending]) pending = by;
  };
  const add = (text) => {
    if (!text) return;
    if (size && !(pending === ' ' && /\s$/.test(parts.at(-1)))) parts.push(pending);
    pending = '';
    parts.push(text);
    size += text.length;
  };
  const line = (text) => {
    if (/^\s/.test(text)) separate(' ');
    add(words(text));
    if (/\s$/.test(text)) separate(' ');
  };

  return {
    full: () => cropped || size >= most,
    text(text, kept) {
      cropped ||= text.length > most - size;
      text = text.slice(0, Math.max(most - size, 0));
      if (!kept || cells) line(text);
      else if (pending && !text.trim()) separate('\n');
      else add(text.replace(/\r\n/g, '\n'));
    },
    breakLine() {
      if (pending === '\n' && !cells) pending = '\n\n';
      separate('\n');
    },
    breakOnce() { if (!/\n$/.test(parts.at(-1) || '\n')) separate('\n'); },
    rule: () => separate('\n\n'),
    image: () => {},
    link: () => {},
    open(tag, { block, spaced, layout }) {
      const entry = { block: block || spacedTags.has(tag), cell: false, layout, size };
      open.push(entry);
      if (tag === 'td' || tag === 'th') {
        const row = open.findLast(({ row: is }) => is);
        const table = open.findLast(({ table: is }) => is);
        if (row && table && !table.layout && !cells) {
          if (row.cells++) { parts.push('\t'); pending = ''; }
          else if (size && pending) { parts.push(pending); pending = ''; }
          entry.cell = true;
          cells++;
          return;
        }
      }
      entry.table = tag === 'table';
      entry.row = tag === 'tr';
      if (entry.row) entry.cells = 0;
      entry.by = spacedTags.has(tag) ? '\n\n' : entry.block || tableTags.has(tag) ? '\n' : spaced ? ' ' : '';
      separate(entry.by);
    },
    close(label) {
      const entry = open.pop();
      if (entry.cell) { cells--; pending = ''; return; }
      if (label && entry.size === size) add(label);
      separate(entry.by);
    },
    done: () => parts.join('').replace(/[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n').trim(),
  };
}
