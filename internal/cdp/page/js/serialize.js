// Called on the value of an expression, in its own world. Gives JSON text; what
// JSON cannot hold is written out instead of lost. A function that is the whole
// expression is called first, with the element when one was named.
async function (expression, element, hasElement, awaiting, maxText) {
  let value = this;
  if (typeof value === 'function') {
    const source = Function.prototype.toString.call(value);
    const literal = expression.trim().replace(/;+$/, '').replace(/^\(([^]*)\)$/, '$1').trim();
    if (source !== literal && source !== expression.trim()) return { function: source.split('{')[0].trim().slice(0, 200) };
    value = hasElement ? value.call(element, element) : value();
  }
  if (awaiting) value = await value;
  else if (value instanceof Promise) return { text: 'Promise {<pending>}' };

  const bare = (item) => {
    switch (typeof item) {
      case 'undefined': return 'undefined';
      case 'bigint': return `${item}n`;
      case 'symbol': return item.toString();
      case 'function': return `[function ${item.name || '(anonymous)'}]`;
      case 'number': return Object.is(item, -0) ? '-0' : Number.isFinite(item) ? null : `${item}`;
      default: return null;
    }
  };
  const top = bare(value);
  if (top !== null) return { text: top };

  const attempt = (f, otherwise) => { try { return f(); } catch (error) { return otherwise(error); } };
  const ancestors = [];
  let length = 0;
  let cut = false;
  const put = (part) => { length += part.length; return part; };

  function write(item) {
    if (length > maxText) { cut = true; return '"…"'; }
    const odd = bare(item);
    if (odd !== null) return put(JSON.stringify(odd.startsWith('[') ? odd : `[${odd}]`));
    if (typeof item !== 'object' || item === null) return put(JSON.stringify(item));
    if (ancestors.includes(item)) return put('"[Circular]"');
    if (ancestors.length > 100) { cut = true; return put('"…"'); }
    ancestors.push(item);
    try { return attempt(() => object(item), (error) => put(JSON.stringify(`[throws ${error}]`))); } finally { ancestors.pop(); }
  }

  const list = (items) => {
    const parts = [];
    for (const item of items) {
      if (length > maxText) { cut = true; break; }
      parts.push(write(item));
    }
    return `[${parts.join(',')}]`;
  };

  function object(item) {
    if (item instanceof Node) return put(JSON.stringify(node(item)));
    if (item === globalThis) return put('"[Window]"');
    if (item instanceof Error) return put(JSON.stringify(`[${item.stack || item}]`));
    if (item instanceof RegExp) return put(JSON.stringify(`${item}`));
    if (item instanceof Promise) return put('"[Promise]"');
    if (item instanceof Map) return `{"[Map]":${list([...item])}}`;
    if (item instanceof Set) return `{"[Set]":${list([...item])}}`;
    if (item instanceof NodeList || item instanceof HTMLCollection) return list([...item]);
    if (typeof item.toJSON === 'function') {
      const plain = item.toJSON();
      return plain === item ? fields(item) : write(plain);
    }
    if (Array.isArray(item) || ArrayBuffer.isView(item) && !(item instanceof DataView)) return list(item);
    if (item instanceof ArrayBuffer) return put(JSON.stringify(`[ArrayBuffer ${item.byteLength} bytes]`));
    return fields(item);
  }

  function fields(item) {
    const parts = [];
    let keys = Object.keys(item);
    if (!keys.length && Object.getPrototypeOf(item) !== Object.prototype) {
      // Platform objects keep their fields on the prototype.
      keys = [];
      for (const key in item) if (typeof attempt(() => item[key], () => null) !== 'function') keys.push(key);
    }
    for (const key of keys) {
      if (length > maxText) { cut = true; break; }
      parts.push(`${put(JSON.stringify(key))}:${attempt(() => write(item[key]), (error) => put(JSON.stringify(`[throws ${error}]`)))}`);
    }
    return `{${parts.join(',')}}`;
  }

  function node(item) {
    if (item instanceof Element) {
      const html = item.outerHTML;
      return html.length > 500 ? html.slice(0, 500) + '…' : html;
    }
    if (item instanceof Document) return `[document ${item.URL}]`;
    return `[${item.nodeName} ${(item.nodeValue || '').slice(0, 200)}]`;
  }

  return { text: write(value), cut };
}
